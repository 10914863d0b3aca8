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
