/// Formats times for a layout's file.
public enum WrittenTime {
    /// Returns the shortest number of seconds that is read as exactly this time. A time of months may have none, since
    /// numbers are read with 53 bits. It is then written in quotes, which are read digit by digit.
    public static func seconds(_ time: Time) -> [UInt8] {
        for digits in 0...9 {
            let text = decimal(time, digits: digits)
            if let number = Double(text), Time(seconds: number) == time { return Array(text.utf8) }
        }
        return JSONWriter.bytes(of: .text(decimal(time, digits: 9)))
    }

    /// Rounds to `digits` digits after the point. Nine digits are finer than a tick.
    private static func decimal(_ time: Time, digits: Int) -> String {
        let unit = (0..<digits).reduce(Int64(1)) { power, _ in power * 10 }
        let (whole, rest) = time.magnitude.ticks.quotientAndRemainder(dividingBy: Time.ticksPerSecond)
        let count = whole * unit + scaled(rest, by: unit, over: Time.ticksPerSecond)
        let sign = time < .zero && count > 0 ? "-" : ""
        guard digits > 0 else { return sign + String(count) }
        let fraction = String(count % unit)
        return sign + String(count / unit) + "." + String(repeating: "0", count: digits - fraction.utf8.count)
            + fraction
    }
}
