import Foundation

/// Stereo sound, with the instant of its first sample.
public struct Recording: Sendable {
    public enum Side: CaseIterable, Sendable { case left, right }

    public let left: [Int16]
    public let right: [Int16]
    /// Instant of the first sample, on CLOCK_MONOTONIC in seconds.
    public let began: Double

    public init(left: [Int16], right: [Int16], began: Double) {
        (self.left, self.right, self.began) = (left, right, began)
    }

    /// Uses `samples` for both channels.
    public init(samples: [Int16], began: Double) { self.init(left: samples, right: samples, began: began) }

    /// Uses interleaved stereo.
    public init(interleaved: [Float], began: Double) {
        let samples = interleaved.map { Int16(max(-1, min(1, $0)) * 32767) }
        let frames = stride(from: 0, to: samples.count - 1, by: 2)
        self.init(left: frames.map { samples[$0] }, right: frames.map { samples[$0 + 1] }, began: began)
    }

    public func samples(_ side: Side) -> [Int16] { side == .left ? left : right }

    public var seconds: Double { Double(left.count) / Double(Microphone.rate) }

    /// Returns the part between two instants of CLOCK_MONOTONIC.
    public func between(_ first: Double, _ last: Double) -> Recording {
        let rate = Double(Microphone.rate)
        let from = min(max(0, Int((first - began) * rate)), left.count)
        let to = min(max(from, Int((last - began) * rate)), left.count)
        return Recording(
            left: Array(left[from..<to]), right: Array(right[from..<to]), began: began + Double(from) / rate)
    }

    /// Returns the part from the first to the last sample that is louder than `threshold`, on either channel.
    public func trimmed(below threshold: Int16 = 300) -> Recording {
        func isLoud(_ index: Int) -> Bool { max(abs(Int(left[index])), abs(Int(right[index]))) > Int(threshold) }
        guard let first = left.indices.first(where: isLoud), let last = left.indices.last(where: isLoud) else {
            return Recording(samples: [], began: began)
        }
        return Recording(
            left: Array(left[first...last]), right: Array(right[first...last]),
            began: began + Double(first) / Double(Microphone.rate))
    }

    /// Returns the amplitude of a sine of this frequency, where 1 is full scale: the mean of both channels.
    public func amplitude(of frequency: Double) -> Double {
        Side.allCases.map { amplitude(of: frequency, $0) }.reduce(0, +) / 2
    }

    /// Returns the amplitude in one channel (Goertzel).
    public func amplitude(of frequency: Double, _ side: Side) -> Double {
        let samples = samples(side)
        guard !samples.isEmpty else { return 0 }
        let step = 2 * Double.pi * frequency / Double(Microphone.rate)
        let factor = 2 * cos(step)
        var (one, two) = (0.0, 0.0)
        samples.withUnsafeBufferPointer {
            for sample in $0 { (one, two) = (Double(sample) / 32768 + factor * one - two, one) }
        }
        return (one * one + two * two - factor * one * two).squareRoot() * 2 / Double(samples.count)
    }

    /// The mean square of both channels, where 1 is full scale. Independent of phase.
    public var power: Double {
        guard !left.isEmpty else { return 0 }
        var sum = 0.0
        for samples in [left, right] { for sample in samples { sum += Double(sample) * Double(sample) } }
        return sum / Double(2 * left.count) / (32768 * 32768)
    }

    /// Returns the amplitude of a frequency in one channel: the median of windows of 0.1 s. Unlike `amplitude` of a
    /// long recording, the median tolerates a moving phase, as of a stream that is resampled to follow its clock.
    public func loudness(of frequency: Double, _ side: Side) -> Double {
        let side = samples(side)
        let heard = Recording(left: side, right: side, began: began).course(of: frequency, window: 0.1).map(\.amplitude)
        return heard.isEmpty ? 0 : heard.sorted()[heard.count / 2]
    }

    /// Returns the amplitude of a frequency in consecutive windows, with the start of each (CLOCK_MONOTONIC).
    public func course(of frequency: Double, window: Double = 0.02) -> [(time: Double, amplitude: Double)] {
        let size = Int(window * Double(Microphone.rate))
        return stride(from: 0, to: left.count - size, by: size).map { from in
            let part = Recording(
                left: Array(left[from..<from + size]), right: Array(right[from..<from + size]), began: 0)
            return (began + Double(from) / Double(Microphone.rate), part.amplitude(of: frequency))
        }
    }

    /// Returns the clips with tones louder than `threshold`.
    public func clips(among clips: [Int], louderThan threshold: Double = 0.02) -> [Int] {
        clips.filter { amplitude(of: Witness.tone(of: $0)) > threshold }
    }

    /// Returns the longest stretch, in seconds, in which no sample of a channel is louder than `threshold`.
    public func longestSilence(below threshold: Int16 = 300) -> Double {
        silences(longerThan: 0, below: threshold).map(\.length).max() ?? 0
    }
}
