/// Says which samples of a microphone belong into which file, and where in its song each file begins.
///
/// Within a file sample `n` belongs to the song time `start + n / 48000 * rate`. A clock that stands leaves its samples
/// out, and what comes after it goes on there. A seek, another item, iteration, rate or key begins the next file.
public struct TakeCutter: Sendable {
    public enum Step: Equatable, Sendable {
        /// A new file; what is written next is its first sample.
        case begin(Beginning)
        /// These samples of the block.
        case write(Range<Int>)
        case end
    }

    public struct Beginning: Equatable, Sendable {
        public let run: SongPlan.Run
        /// In the song.
        public let start: Time
        public let rate: Rate
        /// Which sample of the block is its first.
        public let sample: Int
    }

    private struct File {
        let run: SongPlan.Run
        let start: Time
        let rate: Rate
        var written: Int64 = 0

        /// By how many samples a place lies behind the file's end; nil: it is of something else.
        func deviation(of place: SongPlan.Place) -> Double? {
            guard run.isOneSong(with: place.run), place.rate == rate else { return nil }
            let length = (place.media - start).lasting(at: rate)
            return Double(length.ticks) / Double(SoundGrid.ticksPerSample) - Double(written)
        }
    }

    private var file: File?
    /// Another place than the file's end by more than so many samples is another place in the song.
    private static let slack = 3.0
    /// A place is met by a sample, to the nearest.
    private static let rounding = 0.75

    public init() {}

    /// Of `count` samples, the first of which was sung to what the clocks said at `now`. That was heard `delay` later:
    /// what was asked of the clocks meanwhile holds for it. Nothing that was heard after `end` is wanted.
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
            if let place = history.place(at: time, heardAt: time + delay) {
                add(sample..<last, at: place, to: &steps)
            }
            sample = last
        }
        return steps
    }

    /// The microphone is gone, or nobody wants to record any more.
    public mutating func end() -> [Step] {
        defer { file = nil }
        return file == nil ? [] : [.end]
    }

    private mutating func add(_ samples: Range<Int>, at place: SongPlan.Place, to steps: inout [Step]) {
        var samples = samples
        let deviation = file?.deviation(of: place)
        if let deviation, abs(deviation) <= Self.slack {
            if deviation > Self.rounding {
                // It begins a sample too late: that one is there twice.
                write(samples.lowerBound..<samples.lowerBound + 1, &steps)
            } else if deviation < -Self.rounding {
                samples.removeFirst()
            }
        } else {
            if file != nil { steps.append(.end) }
            file = File(run: place.run, start: place.media, rate: place.rate)
            steps.append(
                .begin(
                    Beginning(
                        run: place.run, start: place.media, rate: place.rate, sample: samples.lowerBound)))
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
