// C's own %f is not used: it takes the decimal point from the process's locale, and SDL sets the user's locale while it
// opens X11's keyboard. A trace or socket line that another thread writes at that moment would have a comma in a
// number, and would be invalid JSON. Swift's library has no such format.

extension Double {
    /// The number as C's %f prints it: six decimals of its exact value, rounded half to even; "inf", "-inf", "nan".
    public var sixDecimals: String {
        guard !isNaN else { return "nan" }
        let sign = self.sign == .minus ? "-" : ""
        guard isFinite else { return sign + "inf" }
        // The number is significand * 2^power.
        let significand = UInt64(magnitude / ulp), power = Int(ulp.exponent)
        guard power < 0 else { return sign + decimal(significand, doubled: power) + ".000000" }
        let millionths = UInt128(significand) * 1_000_000
        let shift = -power
        // The value is below half a millionth.
        guard shift < 128 else { return sign + "0.000000" }
        var rounded = millionths >> UInt128(shift)
        let rest = millionths & ((1 << UInt128(shift)) - 1), half = UInt128(1) << UInt128(shift - 1)
        if rest > half || (rest == half && rounded & 1 == 1) { rounded += 1 }
        let (whole, fraction) = rounded.quotientAndRemainder(dividingBy: 1_000_000)
        return sign + String(whole) + "." + String(fraction).zeroPadded(to: 6)
    }
}

extension String {
    /// The digits with zeros before them, `count` in all.
    func zeroPadded(to count: Int) -> String { String(repeating: "0", count: max(0, count - utf8.count)) + self }
}

/// Decimal digits of `number`, doubled `times` times.
private func decimal(_ number: UInt64, doubled times: Int) -> String {
    // Groups of nine decimal digits, the lowest first.
    let base: UInt64 = 1_000_000_000
    var groups: [UInt64] = [number % base, number / base]
    for _ in 0..<times {
        var carry: UInt64 = 0
        for index in groups.indices {
            (carry, groups[index]) = (groups[index] * 2 + carry).quotientAndRemainder(dividingBy: base)
        }
        if carry > 0 { groups.append(carry) }
    }
    while groups.count > 1, groups.last == 0 { groups.removeLast() }
    return groups.dropLast().reversed().reduce(String(groups.last ?? 0)) { $0 + String($1).zeroPadded(to: 9) }
}

/// Formats a number with `places` decimals, rounded, without locale or exponent.
///
/// C's `%.*f` prints other texts. It rounds the exact value, and halves to even (0.12 for 0.125). It writes "-0.0", and
/// takes the decimal point from the process's locale.
public func fixed(_ value: Double, _ places: Int) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "0" }
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    let units = Int((abs(value) * Double(scale)).rounded())
    let sign = value < 0 && units > 0 ? "-" : ""
    guard places > 0 else { return sign + String(units) }
    return "\(sign)\(units / scale).\(String(units % scale).zeroPadded(to: places))"
}
