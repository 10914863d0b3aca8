import Base

// Conversions of a value to the kind that a property takes. Texts are read as on a command line.
extension PropertyValue {
    /// Error if the value is refused: for a text that can't be read, or for a value of another kind.
    public var refusal: ControlError { if case .text = self { .propertyFormat } else { .propertyError } }

    public var asFlag: Bool? {
        switch self {
        case .flag(let flag): flag
        case .text("yes"): true
        case .text("no"): false
        default: nil
        }
    }

    public var asNumber: Double? {
        let number: Double? =
            switch self {
            case .integer(let integer): Double(integer)
            case .number(let number): number
            case .text(let text): Double(text)
            default: nil
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// nil for a number that is not whole. The number 1.0 is.
    public var asInteger: Int? { asNumber.flatMap { Int(exactly: $0) } }

    public var asText: String? { if case .text(let text) = self { text } else { nil } }

    /// Seconds, or a text as in a layout.
    public var asTime: Time? {
        if case .text(let text) = self { return Time(text: text) }
        guard let seconds = asNumber, abs(seconds) <= 1e9 else { return nil }
        return Time(seconds: seconds)
    }

    public var asRate: Rate? {
        guard let number = asNumber, number > 0 else { return nil }
        return Rate(min(Rate.fastest.value, max(Rate.slowest.value, number)))
    }

    public var asVolume: Int? {
        guard let number = asNumber else { return nil }
        return Int(min(100, max(0, number)).rounded())
    }

    /// True if a value that a client gives stands for this one. A flag and a number may be given as a text.
    public func means(_ given: PropertyValue) -> Bool {
        if self == given { return true }
        if let one = asFlag, let other = given.asFlag { return one == other }
        if let one = asNumber, let other = given.asNumber { return one == other }
        return false
    }

    /// The value as a command takes it, a text without quotes.
    public var plainText: String { asText ?? JSONWriter.text(self) }
}
