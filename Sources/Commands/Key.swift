import Base

/// A key of a keyboard or of a remote control.
public enum Key: Hashable, Sendable {
    /// 0 to 9, on the top row wherever the layout puts digits there.
    case digit(Int)
    /// a to z.
    case letter(Character)
    /// Any other sign that is typed: ".", ";", "ä". It already includes Shift.
    case sign(Character)
    /// Any other key, by its name in the table of keys: mpv's name, or SDL's where mpv has none.
    case named(String)

    public static let space = Key.named("SPACE"), tab = Key.named("TAB"), enter = Key.named("ENTER")
    public static let escape = Key.named("ESC"), backspace = Key.named("BS"), plus = Key.sign("+")

    /// The key that this one stands for unless it is bound itself: the digit of a key of the keypad.
    public var plain: Key? { KeyNames.plain[self] }

    /// This key, then the keys that it stands for.
    public var readings: [Key] {
        var keys = [self]
        while let next = keys.last?.plain { keys.append(next) }
        return keys
    }

    /// Makes the key that types a sign. nil for a letter, a digit and the space, which have cases of their own, and for
    /// a sign that can't be printed.
    public init?(typed sign: Character) {
        if sign.isASCII, sign.isLetter || sign.isNumber { return nil }
        guard sign.unicodeScalars.allSatisfy(\.isPrintable), !sign.isWhitespace else { return nil }
        self = .sign(sign)
    }
}

public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let shift = Modifiers(rawValue: 1)
    public static let control = Modifiers(rawValue: 2)
    /// The super key, which is left to the window manager.
    public static let other = Modifiers(rawValue: 4)
    public static let alt = Modifiers(rawValue: 8)
}

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
