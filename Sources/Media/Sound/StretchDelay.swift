import Base

extension Stretcher {
    /// Time by which FFmpeg's filters return their sound too early or too late, measured with bursts.
    enum Delay {
        /// atempo returns its input too early by this much, in samples of the source; accurate to 3 ms. Below a half
        /// and above twice, two of the filters work in series.
        static func ofTempo(at rate: Rate) -> Int64 {
            Int64(between(tempo, at: rate.value) * Double(SoundGrid.rate) / 1000)
        }

        /// rubberband is late by this much (negative: early), in samples of its output. The delay depends on the ratio
        /// of the distances between windows in the output and in the input. To lower a pitch, rubberband stretches
        /// before it resamples.
        static func ofKey(pitch: Double, at rate: Rate) -> Double {
            between(key, at: pitch / rate.value) / min(1, pitch) * Double(SoundGrid.rate) / 1000
        }

        private static func between(_ table: [(at: Double, milliseconds: Double)], at value: Double) -> Double {
            guard let above = table.firstIndex(where: { $0.at >= value }) else { return table.last!.milliseconds }
            guard above > 0 else { return table[0].milliseconds }
            let (low, high) = (table[above - 1], table[above])
            return low.milliseconds + (high.milliseconds - low.milliseconds) * (value - low.at) / (high.at - low.at)
        }

        private static let tempo: [(at: Double, milliseconds: Double)] = [
            (0.25, 12.4), (0.4, 14), (0.499, 14), (0.5, 10), (0.7, 9.8), (1, 11.2), (1.5, 11.1), (2, 15), (2.001, 29),
            (2.5, 32), (3, 36.5), (4, 46.2),
        ]

        private static let key: [(at: Double, milliseconds: Double)] = [
            (0.25, 6), (0.45, 5.3), (0.55, 6.9), (0.67, 7.9), (0.71, 7.6), (0.79, 5.8), (0.9, 2.9), (1, 0),
            (1.12, -3.6),
            (1.26, -5.5), (1.45, -7), (1.7, -8.8), (2, -10), (2.4, -13), (2.83, -13.5), (4, -17), (5, -38),
        ]
    }
}

/// Returns the factor of this number of semitones.
func semitone(_ count: Int) -> Double {
    // The twelfth root of two.
    let step = 1.059_463_094_359_295_3
    return (0..<abs(count)).reduce(1) { factor, _ in count > 0 ? factor * step : factor / step }
}
