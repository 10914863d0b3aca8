/// The keys that mean something; others make no event.
public enum Key: Hashable, Sendable {
    case space, period, comma, left, right, up, down, home, end
    case leftBracket, rightBracket, leftBrace, rightBrace, plus, minus, questionMark
    case backspace, tab, enter, escape, f11
    /// 0 to 9, on the top row wherever the layout puts digits there, and on the keypad.
    case digit(Int)
    /// a to z.
    case letter(Character)
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
