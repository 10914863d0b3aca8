import Base
import Threads

/// Access to sound inputs. The program sets the recorder when it opens the sound server.
///
/// A sound input is a sound without an end on its group's clock (`OpenedFacts.soundInput`). A voice that plays it
/// requests a recording. While an input is heard, the server holds 50 ms (`Speaker.setPrompt`).
public enum SoundInputs {
    /// Data from an input.
    public enum Event {
        /// Interleaved stereo on the sample grid. `areMended`: some were no numbers or absurd, and were replaced.
        case samples(UnsafeBufferPointer<Float>, areMended: Bool)
        /// The input is lost, for this reason.
        case lost(String)
    }

    /// Records the input of this name (empty: the default) until the returned closure is called. nil if it can't.
    public typealias Record = @Sendable (String, @escaping @Sendable (Event) -> Void) -> (@Sendable () -> Void)?

    fileprivate static let recorder = Locked<Record?>(nil)

    public static func use(_ record: Record?) { recorder.locked { $0 = record } }
}

/// The sound of an input, numbered by the samples of its voice. Sound that comes now is heard as soon as the output can
/// play it.
final class CapturedSound: SoundSamples {
    let trackCount = 1
    var end: Int64? { nil }
    var isStale: Bool { false }
    var hasMended: Bool { state.locked { $0.hasMended } }
    private let state = Locked(State())
    private var stop: (@Sendable () -> Void)?
    /// True if the last call of `next` returned nothing.
    private var isDry = false
    /// True once samples have come.
    private(set) var hasBegun = false

    private struct State {
        var samples: [Float] = []
        /// Time at which the last of these samples came, on the monotonic clock.
        var cameAt: Int64 = 0
        var loss: String?
        var hasMended = false
        /// Relation between time and samples: a block that comes at time `at` ends at `sample`.
        var line: (sample: Int64, at: Int64) = (0, 0)
        /// Samples before this one are not wanted.
        var least: Int64 = 0
        /// The next sample; nil if `line` determines it.
        var next: Int64?

        /// Returns all samples. If the input's clock drifts from the system's, drops some of them or leaves a gap.
        mutating func take() -> SoundReader.Block? {
            guard !samples.isEmpty else { return nil }
            defer { samples = [] }
            let count = Int64(samples.count / 2)
            let end = line.sample + SoundGrid.sample(at: Time(nanoseconds: cameAt - line.at))
            var start = next ?? end - count
            let drift = start + count - end
            if drift < -CapturedSound.slack { start = end - count }
            // Drops samples that are not wanted yet, or that are too late by the drift.
            let surplus = min(count, max(0, least - start) + (drift > CapturedSound.slack * 2 ? drift : 0))
            if drift > CapturedSound.slack * 2 { start -= min(drift, count) }
            samples.removeFirst(Int(surplus) * 2)
            next = start + count
            return samples.isEmpty ? nil : SoundReader.Block(start: start + surplus, samples: samples)
        }
    }

    /// Number of samples between arrival and playback: those that the output has buffered, and a reserve until more
    /// arrive.
    private var cushion = shortestCushion
    private static let shortestCushion: Int64 = 2_880
    private static let longestCushion: Int64 = 24_000
    /// Shortest time between arrival and playback in samples, and the number of blocks it was measured for.
    private var margin = (least: Int64.max, blocks: 0)
    /// Number of blocks for a measurement: about a third of a second.
    private static let trial = 30
    private static let spare: Int64 = 960
    /// Largest drift between the two clocks before samples are dropped or a gap is left, in samples.
    private static let slack: Int64 = 1_920
    private static let patience: Int64 = 100_000_000
    private static let most = SoundGrid.rate * 2

    /// `name`: that of an input; empty for the default.
    init(_ name: String) throws(SourceTrouble) {
        stop = SoundInputs.recorder.locked({ $0 })?(name) { [state] event in
            state.change { state in
                switch event {
                case .lost(let reason): state.loss = reason
                case .samples(let samples, let areMended):
                    state.loss = nil
                    if areMended { state.hasMended = true }
                    state.samples += samples
                    state.cameAt = monotonicNanoseconds()
                    if state.samples.count > Self.most { state.samples.removeFirst(state.samples.count - Self.most) }
                }
            }
        }
        if stop == nil { throw SourceTrouble(.unreachable, "no sound server to record it") }
    }

    deinit { stop?() }

    /// Samples that come now are heard as soon as possible, but no earlier than `sample`.
    func seek(to sample: Int64, heardIn ahead: Int64) throws(SourceTrouble) {
        let cushion = cushion
        state.locked { state in
            state.samples = []
            state.line = (sample - max(0, ahead) + cushion, monotonicNanoseconds())
            (state.least, state.next) = (sample, nil)
        }
    }

    /// `early`: number of samples between the end of the sound that came and the sample that is read next; negative if
    /// the sound came too late. Returns true if the sound must start again, with a cushion that was made longer or
    /// shorter.
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
        let block = state.wait(by: until) { $0.take() }
        isDry = block == nil
        if block != nil { hasBegun = true }
        if let block { return .block(block) }
        if let loss = state.locked({ $0.loss }) { throw SourceTrouble(.unreachable, loss) }
        return .nothing
    }
}
