import Base

/// Assigns samples of a microphone to files, and finds the place in its song at which each file begins.
///
/// Within a file, sample `n` belongs to the song time `start + n / 48000 * rate`. While the clock is paused, samples
/// are dropped, and the file continues afterwards. A seek and a change of item, iteration, rate or key begin another
/// file.
///
/// `SoundInput` reports the time at which each block was at the microphone. `Calibration` holds the latency of the
/// output and the input that the server does not report. With both, a sample is assigned to the place in the song that
/// was heard when the sample was sung. If sound is delayed, the sound that was heard counts, not the position of the
/// clock (`delay`). The monitor of an output delivers samples before they are heard. Such a sample waits until its
/// place is heard.
public struct TakeCutter: Sendable {
    public enum Step: Equatable, Sendable {
        /// Opens a file that begins at this place; the samples written next are its first.
        case begin(SongPlan.Place)
        /// Writes these samples of the block.
        case write(Range<Int>)
        case end
    }

    private struct File {
        let begin: SongPlan.Place
        var written: Int64 = 0

        /// Number of samples by which a place lies after the file's end; negative if it lies before. nil if the place
        /// belongs to another song or rate.
        func deviation(of place: SongPlan.Place) -> Double? {
            guard begin.run.isOneSong(with: place.run), place.rate == begin.rate else { return nil }
            let length = (place.media - begin.media).lasting(at: begin.rate)
            return Double(length.ticks) / Double(SoundGrid.ticksPerSample) - Double(written)
        }
    }

    private var file: File?
    /// A place further than this from the file's end, in samples, begins another file.
    private static let slack = 3.0
    /// Deviations up to this, in samples, are rounding.
    private static let rounding = 0.75

    public init() {}

    /// Cuts `count` samples. The first sample was sung to the song's place at `now`. The singer heard that place
    /// `delay` later, so changes of the clock until then apply. Samples that were sung after `end` are dropped.
    public mutating func cut(
        _ count: Int, from now: Time, delay: Time = .zero, by history: SongHistory, until end: Time? = nil
    ) -> [Step] {
        let end = end.map { $0 - delay }
        var steps: [Step] = []
        var sample = 0
        while sample < count {
            let time = now + SoundGrid.time(of: Int64(sample))
            if let end, time >= end { break }
            let (plan, until) = history.plan(at: time + delay)
            let next = [until.map { $0 - delay }, plan?.nextChange(after: time), end].compactMap { $0 }.min()
            let length = next.map { Self.samples(before: $0 - time) } ?? count
            let last = min(count, sample + max(1, length))
            if let place = history.place(at: time, heardAt: time + delay) { add(sample..<last, at: place, to: &steps) }
            sample = last
        }
        return steps
    }

    /// Called when the microphone is gone or the recording stops.
    public mutating func end() -> [Step] {
        defer { file = nil }
        return file == nil ? [] : [.end]
    }

    private mutating func add(_ samples: Range<Int>, at place: SongPlan.Place, to steps: inout [Step]) {
        var samples = samples
        let deviation = file?.deviation(of: place)
        if let deviation, abs(deviation) <= Self.slack {
            if deviation > Self.rounding {
                // A sample is missing before these: write the first of them twice.
                write(samples.lowerBound..<samples.lowerBound + 1, &steps)
            } else if deviation < -Self.rounding {
                samples.removeFirst()
            }
        } else {
            if file != nil { steps.append(.end) }
            file = File(begin: place)
            steps.append(.begin(place))
        }
        if !samples.isEmpty { write(samples, &steps) }
    }

    private mutating func write(_ samples: Range<Int>, _ steps: inout [Step]) {
        file?.written += Int64(samples.count)
        if case .write(let before)? = steps.last, before.upperBound == samples.lowerBound {
            steps[steps.count - 1] = .write(before.lowerBound..<samples.upperBound)
        } else {
            steps.append(.write(samples))
        }
    }

    private static func samples(before length: Time) -> Int {
        Int(clamping: (length.ticks + SoundGrid.ticksPerSample - 1) / SoundGrid.ticksPerSample)
    }
}
