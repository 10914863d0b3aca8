/// Returns ten times the decimal logarithm of a number above 0, to some 1e-13. The result of infinity is infinity.
public func decibels(_ value: Double) -> Double {
    guard value.isFinite else { return .infinity }
    // value = significand * 2^exponent, the significand from about 0.7 to 1.4.
    var (significand, exponent) = (value.significand, Double(value.exponent))
    if significand > 1.414 {
        significand /= 2
        exponent += 1
    }
    // ln s = 2 (z + z^3/3 + z^5/5 + ...), where z is at most 0.18.
    let z = (significand - 1) / (significand + 1)
    var (power, sum) = (z, 0.0)
    for odd in stride(from: 1.0, through: 21, by: 2) {
        sum += power / odd
        power *= z * z
    }
    let (naturalOfTwo, naturalOfTen) = (0.693_147_180_559_945_3, 2.302_585_092_994_045_7)
    return 10 * (2 * sum + exponent * naturalOfTwo) / naturalOfTen
}
