extension Time {
    /// Longest time that a layout or the command line may state: over three years.
    public static let longestWritten = Time.seconds(100_000_000)

    /// Parses `83.5`, `1:23.5` or `1:02:03`, with or without a `-` before it. Minutes and seconds after a colon have
    /// one or two digits and are below 60. nil for anything else, or beyond `longestWritten`.
    public init?(text: String) {
        var digits = text.utf8[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits.removeFirst() }

        var fields = digits.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard fields.count <= 3, let last = fields.popLast() else { return nil }
        let parts = last.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2 else { return nil }
        fields.append(parts[0])

        var whole = 0
        for (place, field) in fields.enumerated() {
            guard let number = wholeNumber(field), place == 0 || (number < 60 && field.count <= 2) else { return nil }
            whole = whole * 60 + number
        }
        guard whole <= Time.longestWritten.ticks / Time.ticksPerSecond else { return nil }
        var time = Time.seconds(Int64(whole))
        if parts.count == 2 {
            // Twelve digits are finer than a tick.
            guard let fraction = wholeNumber(parts[1].prefix(12)), parts[1].allSatisfy(isDigit) else { return nil }
            let unit = (0..<parts[1].prefix(12).count).reduce(Int64(1)) { power, _ in power * 10 }
            time.ticks += scaled(Int64(fraction), by: Time.ticksPerSecond, over: unit)
        }
        guard time <= Time.longestWritten else { return nil }
        self = isNegative ? -time : time
    }

    /// Seconds with milliseconds and a sign: "+0.040".
    public var signedText: String {
        (self < .zero ? "\u{2212}" : "+") + magnitude.decimal(digits: 3)
    }

    /// The shortest number of seconds that is read as exactly this time, for a layout's file. A time of months may have
    /// none, since numbers are read with 53 bits. It is then written in quotes, which are read digit by digit.
    public var written: PropertyValue {
        for digits in 0...9 {
            if let number = Double(decimal(digits: digits)), Time(seconds: number) == self { return .plain(number) }
        }
        return .text(decimal(digits: 9))
    }

    /// Rounds to `digits` digits after the point. Nine digits are finer than a tick.
    private func decimal(digits: Int) -> String {
        let unit = (0..<digits).reduce(Int64(1)) { power, _ in power * 10 }
        let (whole, rest) = magnitude.ticks.quotientAndRemainder(dividingBy: Time.ticksPerSecond)
        let count = whole * unit + scaled(rest, by: unit, over: Time.ticksPerSecond)
        let sign = self < .zero && count > 0 ? "-" : ""
        guard digits > 0 else { return sign + String(count) }
        return "\(sign)\(count / unit).\(String(count % unit).zeroPadded(to: digits))"
    }
}

/// nil for no digits, anything else than digits, or more than a time can hold.
private func wholeNumber(_ digits: Substring.UTF8View) -> Int? {
    guard digits.allSatisfy(isDigit), let number = Int(Substring(digits)) else { return nil }
    return number <= 1_000_000_000_000 ? number : nil
}
