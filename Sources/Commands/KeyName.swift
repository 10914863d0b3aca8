import Base

/// A key with its modifiers.
public struct KeyPress: Hashable, Sendable {
    public let key: Key
    public let modifiers: Modifiers

    public init(_ key: Key, _ modifiers: Modifiers) { (self.key, self.modifiers) = (key, modifiers) }

    /// mpv's or SDL's name, with "Ctrl+", "Alt+", "Shift+" and "Meta+" before it: "SPACE", "Shift+LEFT", "M", "ctrl+.",
    /// "Ctrl++", "KP1", "Keypad 1", "AudioNext". nil if no key has this name.
    public init?(name: String) {
        var (modifiers, rest) = KeyPress.parts(of: name)
        guard let key = KeyNames.key(String(rest)) else { return nil }
        if rest.count == 1, rest.first!.isUppercase, case .letter = key { modifiers.insert(.shift) }
        // The sign already shows if Shift is held.
        if case .sign = key, modifiers == .shift { modifiers = [] }
        self.init(key, modifiers)
    }

    /// "Ctrl+F5"
    public var name: String {
        let held = KeyPress.modifierNames.filter { modifiers.contains($0.modifier) && $0.isUsual }
        return held.map { $0.name + "+" }.joined() + KeyNames.name(of: key)
    }

    /// This press, then the presses that it stands for if it is not bound.
    public var readings: [KeyPress] { key.readings.map { KeyPress($0, modifiers) } }

    /// The same key without Shift. nil if Shift is not held.
    public var withoutShift: KeyPress? {
        modifiers.contains(.shift) ? KeyPress(key, modifiers.subtracting(.shift)) : nil
    }

    /// Returns a message that no key has this name, with the name that was probably meant.
    public static func complaint(about name: String) -> String {
        let (modifiers, rest) = parts(of: name)
        let complaint = "no key is called \(name.quoted)"
        if let plus = rest.dropFirst().firstIndex(of: "+"), plus < rest.index(before: rest.endIndex) {
            let near = nearest(to: String(rest[..<plus]), among: modifierNames.map(\.name))
            return complaint + (near.map { "; did you mean \("\($0)\(rest[plus...])".quoted)?" } ?? "")
        }
        guard let near = KeyNames.nearest(to: String(rest)) else {
            return complaint + "; mpv's and SDL's names would be right, as F5, KP1, PGUP, Ctrl+a, AudioNext"
        }
        let held = modifierNames.filter { modifiers.contains($0.modifier) && $0.isUsual }.map { $0.name + "+" }
        return complaint + "; did you mean \((held.joined() + near).quoted)?"
    }

    private static let modifierNames: [(name: String, modifier: Modifiers, isUsual: Bool)] = [
        ("Ctrl", .control, true), ("Alt", .alt, true), ("Shift", .shift, true), ("Meta", .other, true),
        ("Control", .control, false), ("Super", .other, false), ("GUI", .other, false),
    ]

    /// Splits a name into its modifiers and the name of the key itself.
    private static func parts(of name: String) -> (Modifiers, Substring) {
        var (modifiers, rest): (Modifiers, Substring) = ([], name[...])
        while let plus = rest.firstIndex(of: "+"), rest.index(after: plus) < rest.endIndex {
            let word = rest[..<plus].lowercased()
            guard let known = modifierNames.first(where: { $0.name.lowercased() == word }) else { break }
            modifiers.insert(known.modifier)
            rest = rest[rest.index(after: plus)...]
        }
        return (modifiers, rest)
    }
}
