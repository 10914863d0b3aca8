import Foundation

/// A tone that should never stop: its holes, and how far it goes astray.
extension Recording {
    /// The stretches in which no sample of a side is louder than `threshold`: when each began (CLOCK_MONOTONIC), and how
    /// long.
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

    /// The largest departure in seconds of a tone from where its own beginning says that it should be.
    public func slip(of frequency: Double) -> Double {
        Side.allCases.flatMap { departures(of: frequency, $0) }.map { abs($0) }.max() ?? 0
    }

    /// The same for each twentieth of a second of one side.
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
