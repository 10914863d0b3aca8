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

    fileprivate struct State {
        var samples: [Float] = []
        /// When the last of them came.
        var cameAt: Int64 = 0
        var loss: String?
        /// The sample that is next, and when one was asked for that was to be heard at once.
        var next: Int64 = 0
        var asked: (sample: Int64, at: Int64)?
    }

    /// What the output has taken already, and what the system needs to bring more.
    private static let cushion: Int64 = 2_880
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

    /// What comes next is heard there.
    func seek(to sample: Int64) throws(SourceTrouble) {
        state.locked { state in
            state.samples = []
            state.next = sample + Self.cushion
            state.asked = (state.next, monotonicNanoseconds())
        }
    }

    func next() throws(SourceTrouble) -> SoundReader.Step {
        let until = isDry ? monotonicNanoseconds() + Self.patience : 0
        let block = state.wait(on: arrival) { state -> Wait<SoundReader.Block?> in
            if let block = state.take(slack: Self.slack) { return .done(block) }
            return monotonicNanoseconds() < until ? .again(deadline: until) : .done(nil)
        }
        isDry = block == nil
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
        if let asked {
            let due = asked.sample + SoundGrid.sample(at: Time(nanoseconds: cameAt - asked.at))
            let ahead = next + count - due
            if ahead > slack * 2 {
                let surplus = min(ahead, count)
                samples.removeFirst(Int(surplus) * 2)
                if samples.isEmpty { return nil }
            } else if ahead < -slack {
                next = due - count
            }
        }
        defer { next += Int64(samples.count / 2) }
        return SoundReader.Block(start: next, samples: samples)
    }
}
