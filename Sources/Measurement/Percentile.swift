/// Returns the percentile of values by the nearest rank: the lowest value that at least `percent` hundredths of the
/// values do not exceed. `percent`: from 1 to 100. nil if there are no values.
public func percentile(_ percent: Int, of values: [Double]) -> Double? {
    let rank = (values.count * percent + 99) / 100
    return rank > 0 ? values.sorted()[rank - 1] : nil
}
