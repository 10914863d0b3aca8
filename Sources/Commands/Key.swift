import Base

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
    /// Any other key. It has no command of its own, but may stand for another key (`plain`).
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

    /// This key, then the keys that it stands for.
    public var readings: [Key] {
        var keys = [self]
        while let next = keys.last?.plain { keys.append(next) }
        return keys
    }

    /// Makes the key that types a sign. nil for a letter, a digit and the space, which have cases of their own, and for
    /// a sign that can't be printed.
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

    /// True if the key comes as a typed sign, which already includes Shift.
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
    /// The super key, which is left to the window manager.
    public static let other = Modifiers(rawValue: 4)
    public static let alt = Modifiers(rawValue: 8)
}
