/// Formats a number with `places` decimals, rounded, without locale or exponent.
///
/// C's `%.*f` prints other texts. It rounds the exact value, and halves to even (0.12 for 0.125). It writes "-0.0", and
/// takes the decimal point from the process's locale (see SixDecimals.swift).
public func fixed(_ value: Double, _ places: Int) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "0" }
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    let units = Int((abs(value) * Double(scale)).rounded())
    let sign = value < 0 && units > 0 ? "-" : ""
    guard places > 0 else { return sign + String(units) }
    let fraction = String(units % scale)
    return "\(sign)\(units / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
}
