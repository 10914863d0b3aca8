import Foundation

/// Silences and phase errors of a tone that should never stop.
extension Recording {
    /// Returns the stretches in which no sample of a channel is louder than `threshold`: start (CLOCK_MONOTONIC) and
    /// length in seconds.
    public func silences(longerThan limit: Double, below threshold: Int16 = 300) -> [(time: Double, length: Double)] {
        Side.allCases.flatMap { silences($0, longerThan: limit, below: threshold) }
    }

    private func silences(
        _ side: Side, longerThan limit: Double, below threshold: Int16
    ) -> [(time: Double, length: Double)] {
        let samples = samples(side)
        let rate = Double(Microphone.rate)
        var found: [(time: Double, length: Double)] = []
        var start: Int?
        for index in 0...samples.count {
            if index < samples.count, abs(Int(samples[index])) <= Int(threshold) {
                if start == nil { start = index }
                continue
            }
            if let first = start, Double(index - first) / rate > limit {
                found.append((began + Double(first) / rate, Double(index - first) / rate))
            }
            start = nil
        }
        return found
    }

    /// Returns the largest phase error of a tone against its beginning, in seconds.
    public func slip(of frequency: Double) -> Double {
        Side.allCases.flatMap { departures(of: frequency, $0) }.map { abs($0) }.max() ?? 0
    }

    /// Returns the phase error of each twentieth of a second of one channel, in seconds.
    public func departures(of frequency: Double, _ side: Side = .left) -> [Double] {
        let samples = samples(side)
        let size = Microphone.rate / 20
        let step = 2 * Double.pi * frequency / Double(Microphone.rate)
        var last: Double?
        var turns = 0.0
        var course: [Double] = []
        for from in stride(from: 0, to: samples.count - size, by: size) {
            var (a, b) = (0.0, 0.0)
            for index in from..<from + size {
                a += Double(samples[index]) * cos(step * Double(index))
                b += Double(samples[index]) * sin(step * Double(index))
            }
            let phase = atan2(b, a) / (2 * Double.pi)
            if let last { turns += (phase - last) - (phase - last).rounded() }
            last = phase
            course.append(turns / frequency)
        }
        return course
    }
}
