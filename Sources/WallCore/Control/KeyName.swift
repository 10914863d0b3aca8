/// A key with what is held with it, by the names that mpv's clients use.
public struct KeyPress: Hashable, Sendable {
    public let key: Key
    public let modifiers: Modifiers

    public init(_ key: Key, _ modifiers: Modifiers) { (self.key, self.modifiers) = (key, modifiers) }

    /// "SPACE", "Shift+LEFT", "M", "ctrl+.", "Ctrl++"; nil: no key of a wall has this name.
    public init?(name: String) {
        var parts = name.split(separator: "+", omittingEmptySubsequences: true).map(String.init)
        // A plus between others joins them; the last one is the key.
        if name == "+" || name.hasSuffix("++") { parts.append("+") }
        guard let last = parts.popLast() else { return nil }
        var modifiers: Modifiers = []
        for part in parts {
            switch part.lowercased() {
            case "shift": modifiers.insert(.shift)
            case "ctrl": modifiers.insert(.control)
            case "alt": modifiers.insert(.alt)
            default: return nil
            }
        }
        if let key = KeyPress.names[last.lowercased()], last.count > 1 || !last.first!.isLetter {
            self.init(key, modifiers)
        } else if last.count == 1, let letter = last.first, letter.isASCII, letter.isLetter {
            if letter.isUppercase { modifiers.insert(.shift) }
            self.init(.letter(Character(letter.lowercased())), modifiers)
        } else if let digit = Int(last), (0...9).contains(digit) {
            self.init(.digit(digit), modifiers)
        } else {
            return nil
        }
    }

    private static let names: [String: Key] = [
        "space": .space, " ": .space, ".": .period, ",": .comma, "left": .left, "right": .right, "up": .up,
        "down": .down, "home": .home, "end": .end, "[": .leftBracket, "]": .rightBracket, "{": .leftBrace,
        "}": .rightBrace, "+": .plus, "-": .minus, "?": .questionMark, "bs": .backspace, "tab": .tab, "enter": .enter,
        "kp_enter": .enter, "esc": .escape,
        "f11": .f11,
    ]
}
