/// A key of a keyboard or of a remote control.
public enum Key: Hashable, Sendable {
    case space, period, comma, left, right, up, down, home, end
    case leftBracket, rightBracket, leftBrace, rightBrace, plus, minus, questionMark
    case backspace, tab, enter, escape, f11
    /// 0 to 9, on the top row wherever the layout puts digits there.
    case digit(Int)
    /// a to z.
    case letter(Character)
    /// Any other sign that is typed: ";", "/", "ä".
    case sign(Character)
    /// Any other key. A wall gives it no meaning of its own, but what it says by `plain`.
    case named(NamedKey)
}

/// A key by its name in the table of keys.
public struct NamedKey: Hashable, Sendable {
    /// mpv's name, or SDL's where mpv has none.
    public let name: String

    init(_ name: String) { self.name = name }
}

extension Key {
    /// The key that this one stands for unless it is bound itself: the digit of a key of the keypad.
    public var plain: Key? { if case .named(let key) = self { KeyNames.plain[key] } else { nil } }

    /// This key, and those that it stands for.
    public var readings: [Key] {
        var keys = [self]
        while let next = keys.last?.plain { keys.append(next) }
        return keys
    }

    /// nil if no key of this kind types it: letters, digits and the space are keys that say more than their signs.
    public init?(typed sign: Character) {
        switch sign {
        case ".": self = .period
        case ",": self = .comma
        case "[": self = .leftBracket
        case "]": self = .rightBracket
        case "{": self = .leftBrace
        case "}": self = .rightBrace
        case "+": self = .plus
        case "-": self = .minus
        case "?": self = .questionMark
        default:
            if sign.isASCII, sign.isLetter || sign.isNumber { return nil }
            guard sign.unicodeScalars.allSatisfy(\.isPrintable), !sign.isWhitespace else { return nil }
            self = .sign(sign)
        }
    }

    /// Whether it comes as a sign that was typed, which Shift is a part of.
    var isTyped: Bool {
        switch self {
        case .period, .comma, .leftBracket, .rightBracket, .leftBrace, .rightBrace, .plus, .minus, .questionMark, .sign:
            true
        default: false
        }
    }
}

public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let shift = Modifiers(rawValue: 1)
    public static let control = Modifiers(rawValue: 2)
    /// The super key: the window manager's business.
    public static let other = Modifiers(rawValue: 4)
    public static let alt = Modifiers(rawValue: 8)
}
