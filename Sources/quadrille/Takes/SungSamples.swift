import Base
import Media
import Player

/// Samples that were received and are in no file yet. Their place in the song is known when the session's history has
/// reached the time at which they were sung. Used only by the recorder's thread.
struct SungSamples {
    private var cutter = TakeCutter()
    private var samples: [Float] = []
    /// Wall time of the first sample, less delay and latency.
    private var start = Time.zero
    /// End of the samples that were cut, in the same time.
    private var cutTo = Time.zero
    /// Calibrated latency of output and input, for the samples that are added next; nil if they were not calibrated.
    var calibratedLatency: Time?
    /// Delay of the sound against the clock, for the samples that are added next; nil until it is known.
    var delay: Time?

    mutating func add(_ chunk: PacedInput.Chunk) {
        if samples.isEmpty { start = chunk.heardAt - (delay ?? .zero) - (calibratedLatency ?? .zero) }
        samples += chunk.samples
    }

    /// True if all samples that were heard before `end` are cut.
    func isCut(to end: Time) -> Bool { cutTo + (delay ?? .zero) >= end }

    /// Takes out the samples that were sung before `known`, with the steps that write them; nil if there are none.
    mutating func cut(
        before known: Time, _ session: TakeSession
    ) -> (samples: ArraySlice<Float>, steps: [TakeCutter.Step])? {
        let (sung, delay) = (start, delay ?? .zero)
        let count = min(samples.count / 2, Int(clamping: SoundGrid.sample(at: known - sung - delay)))
        guard count > 0 else { return nil }
        let due = samples[..<(count * 2)]
        cutTo = sung + SoundGrid.time(of: Int64(count))
        (samples, start) = (Array(samples[(count * 2)...]), cutTo)
        return (due, cutter.cut(count, from: sung, delay: delay, by: session.history, until: session.endsAt))
    }

    /// Returns the steps that end the file.
    mutating func end() -> [TakeCutter.Step] { cutter.end() }
}

/// Blocks of one stream whose place in time is not measured yet. Used only by the recorder's thread.
struct UnplacedBlocks {
    /// Number of the stream; nil if the next block begins one.
    var stream: Int?
    private(set) var blocks: [TakeRecorder.Block] = []

    /// In blocks of about 50 ms.
    private static let most = 100

    /// Adds a block. Returns all blocks if it has a place, and the time at which the first of them was heard; else nil.
    mutating func add(_ block: TakeRecorder.Block) -> (blocks: [TakeRecorder.Block], heardAt: Time)? {
        blocks.append(block)
        guard var place = block.place.heardAt else {
            if blocks.count > Self.most { blocks.removeFirst() }
            return nil
        }
        for before in blocks.dropLast() { place -= before.length }
        defer { blocks = [] }
        return (blocks, place)
    }
}
