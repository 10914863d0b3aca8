import Base

extension Stretcher {
    /// Number of the source's samples by which FFmpeg's filter atempo returns its input too early, measured with bursts;
    /// accurate to 3 ms. Below a half and above twice, two of the filters work in series.
    static func tempoDelay(at rate: Rate) -> Int64 {
        func between(_ table: [(at: Double, milliseconds: Double)], at value: Double) -> Double {
            guard let above = table.firstIndex(where: { $0.at >= value }) else { return table.last!.milliseconds }
            guard above > 0 else { return table[0].milliseconds }
            let (low, high) = (table[above - 1], table[above])
            return low.milliseconds + (high.milliseconds - low.milliseconds) * (value - low.at) / (high.at - low.at)
        }
        return Int64(between(tempo, at: rate.value) * Double(SoundGrid.rate) / 1000)
    }

    private static let tempo: [(at: Double, milliseconds: Double)] = [
        (0.25, 12.4), (0.4, 14), (0.499, 14), (0.5, 10), (0.7, 9.8), (1, 11.2), (1.5, 11.1), (2, 15), (2.001, 29),
        (2.5, 32), (3, 36.5), (4, 46.2),
    ]
}

/// Returns the factor of this number of semitones.
func semitone(_ count: Int) -> Double {
    // The twelfth root of two.
    let step = 1.059_463_094_359_295_3
    return (0..<abs(count)).reduce(1) { factor, _ in count > 0 ? factor * step : factor / step }
}
