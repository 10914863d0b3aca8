/// Values as JSON writes them.
enum JSONText {
    static func flag(_ flag: Bool) -> [UInt8] { Array((flag ? "true" : "false").utf8) }

    static func whole(_ number: Int) -> [UInt8] { Array(String(number).utf8) }

    /// In double quotes. Escaped is only what has to be.
    static func string(_ text: String) -> [UInt8] {
        let hexDigits = Array("0123456789abcdef".utf8)
        var bytes = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): bytes += Array(#"\n"#.utf8)
            case UInt8(ascii: "\r"): bytes += Array(#"\r"#.utf8)
            case UInt8(ascii: "\t"): bytes += Array(#"\t"#.utf8)
            case 0..<0x20: bytes += Array(#"\u00"#.utf8) + [hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        return bytes + [UInt8(ascii: "\"")]
    }

    /// The shortest number of seconds that is read as this very time. A time of months may have none, since numbers are
    /// read with 53 bits: then the same in quotes, which is read digit by digit.
    static func seconds(_ time: Time) -> [UInt8] {
        for digits in 0...9 {
            let text = decimal(time, digits: digits)
            if let number = Double(text), Time(seconds: number) == time { return Array(text.utf8) }
        }
        return string(decimal(time, digits: 9))
    }

    /// Rounded to so many digits behind the point. Nine are finer than a tick.
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
