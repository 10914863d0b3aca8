import func Glibc.log10

/// Returns ten times the decimal logarithm of a number above 0; infinity for infinity and NaN.
public func decibels(_ value: Double) -> Double { value.isFinite ? 10 * log10(value) : .infinity }
