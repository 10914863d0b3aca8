import Threads
import WallCore

/// Who records sound inputs: the program says it when it opens the sound server.
public enum SoundInputs {
    /// What comes of an input.
    public enum Event {
        /// Interleaved stereo on the sample grid.
        case samples(UnsafeBufferPointer<Float>)
        /// Nothing, and why.
        case lost(String)
    }

    /// Records the input of this name (empty: the default) until what it answers is called. nil: it can't.
    public typealias Record = @Sendable (String, @escaping @Sendable (Event) -> Void) -> (@Sendable () -> Void)?

    private static let recorder = Monitor<Record?>(nil)

    public static func use(_ record: Record?) { recorder.locked { $0 = record } }

    fileprivate static func record(_ name: String, _ take: @escaping @Sendable (Event) -> Void) -> (
        @Sendable () -> Void
    )? {
        recorder.locked { $0 }?(name, take)
    }
}

/// What a sound input hears, on the line of whoever asks for it: what comes now is heard as soon as the output can.
final class CapturedSound: SoundSamples {
    let trackCount = 1
    var end: Int64? { nil }
    private let source: String
    private let state = Monitor(State())
    private let arrival = WakeCondition()
    private var stop: (@Sendable () -> Void)?
    /// Nothing has come since that was said.
    private var isDry = false
    /// Something has come.
    private(set) var hasBegun = false

    fileprivate struct State {
        var samples: [Float] = []
        /// When the last of them came.
        var cameAt: Int64 = 0
        var loss: String?
        /// What comes at an instant ends at this sample, as far as two clocks agree.
        var line: (sample: Int64, at: Int64) = (0, 0)
        /// Nothing before it is wanted.
        var least: Int64 = 0
        /// The sample that is next; nil: the line says.
        var next: Int64?
    }

    /// What the output has taken already, and what the system needs to bring more.
    private var cushion = shortestCushion
    private static let shortestCushion: Int64 = 2_880
    private static let longestCushion: Int64 = 24_000
    /// How early what came was there at least, and of how many blocks that is known.
    private var margin = (least: Int64.max, blocks: 0)
    /// About a third of a second.
    private static let trial = 30
    private static let spare: Int64 = 960
    /// Two clocks may be so far apart before what was heard is left out, or waited for.
    private static let slack: Int64 = 1_920
    private static let patience: Int64 = 100_000_000
    private static let most = SoundGrid.rate * 2

    init(_ source: String, _ name: String) throws(SourceTrouble) {
        self.source = source
        let (state, arrival) = (state, arrival)
        stop = SoundInputs.record(name) { event in
            state.locked { state in
                switch event {
                case .lost(let reason): state.loss = reason
                case .samples(let samples):
                    state.loss = nil
                    state.samples += samples
                    state.cameAt = monotonicNanoseconds()
                    if state.samples.count > Self.most { state.samples.removeFirst(state.samples.count - Self.most) }
                }
            }
            arrival.wake()
        }
        if stop == nil { throw SourceTrouble(.unreachable, "no sound server to record it") }
    }

    deinit { stop?() }

    /// What comes now is heard as soon as it can be, and no earlier than that sample.
    func seek(to sample: Int64, heardIn ahead: Int64) throws(SourceTrouble) {
        let cushion = cushion
        state.locked { state in
            state.samples = []
            state.line = (sample - max(0, ahead) + cushion, monotonicNanoseconds())
            (state.least, state.next) = (sample, nil)
        }
    }

    /// What came is asked for in so many samples; below 0: it was asked for before. Whether it begins anew, later or
    /// sooner by what was too little or too much.
    func settle(_ early: Int64) -> Bool {
        if early < 0 {
            cushion = min(cushion - early + Self.spare / 2, Self.longestCushion)
            margin = (.max, 0)
            return true
        }
        margin = (min(margin.least, early), margin.blocks + 1)
        guard margin.blocks >= Self.trial else { return false }
        defer { margin = (.max, 0) }
        guard margin.least > Self.spare * 2, cushion > Self.shortestCushion else { return false }
        cushion = max(Self.shortestCushion, cushion - margin.least + Self.spare)
        return true
    }

    func next() throws(SourceTrouble) -> SoundReader.Step {
        let until = isDry ? monotonicNanoseconds() + Self.patience : 0
        let block = state.wait(on: arrival) { state -> Wait<SoundReader.Block?> in
            if let block = state.take(slack: Self.slack) { return .done(block) }
            return monotonicNanoseconds() < until ? .again(deadline: until) : .done(nil)
        }
        isDry = block == nil
        if block != nil { hasBegun = true }
        if let block { return .block(block) }
        if let loss = state.locked({ $0.loss }) { throw SourceTrouble(.unreachable, loss) }
        return .nothing
    }
}

extension CapturedSound.State {
    /// All that is here. Where the input's clock runs away from the system's, some of it is left out, or a hole made.
    fileprivate mutating func take(slack: Int64) -> SoundReader.Block? {
        guard !samples.isEmpty else { return nil }
        defer { samples = [] }
        let count = Int64(samples.count / 2)
        let end = line.sample + SoundGrid.sample(at: Time(nanoseconds: cameAt - line.at))
        var start = next ?? end - count
        let drift = start + count - end
        if drift < -slack { start = end - count }
        // What is not wanted yet, or is as much too late.
        let surplus = min(count, max(0, least - start) + (drift > slack * 2 ? drift : 0))
        if drift > slack * 2 { start -= min(drift, count) }
        samples.removeFirst(Int(surplus) * 2)
        next = start + count
        return samples.isEmpty ? nil : SoundReader.Block(start: start + surplus, samples: samples)
    }
}
