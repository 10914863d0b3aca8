import Threads
import WallCore

/// Adds what is heard and holds it to the clock. Any thread may call any method; none waits for anything but another
/// call. Lock order: the mixer before its voices.
public final class Mixer: Sendable {
    /// 2 ms: gains are turned and the clock is asked once a block.
    static let block = 96
    private let state = Monitor(State())

    fileprivate struct State {
        var strips: [Int: Strip] = [:]
        var pace = Pace()
        var resampler = Resampler()
        var limiter = Limiter()
        /// The block that the limiter looks ahead to, and its peak.
        var coming = [Float](repeating: 0, count: Mixer.block * 2)
        var mix = [Float](repeating: 0, count: Mixer.block * 2)
        /// When the sample that the mix makes next is to be heard, in wall time; nil: nothing was asked for yet.
        var horizon: Time?
    }

    public init() {}

    /// What has become of the stream since the last call.
    public enum Continuity: Sendable { case unbroken, broken }

    /// The next `frames` stereo samples, of which the first will be heard at `heard`, as the stream measures it.
    public func render(
        to target: UnsafeMutablePointer<Float>, frames: Int, heard: Time, _ continuity: Continuity
    ) {
        state.locked { $0.render(to: target, frames: frames, heard: heard, continuity) }
    }

    /// When what is made next will be heard, in wall time.
    func horizon(at now: Time) -> Time {
        state.locked { state in
            guard let horizon = state.horizon, horizon > now - .milliseconds(100) else {
                return now + .milliseconds(40)
            }
            return horizon
        }
    }

    /// A voice takes part from now on, as loud as that.
    func set(_ id: Int, _ voice: Voice, clock: Clock, delay: Time, gain: Float) {
        state.locked { state in
            var strip = state.strips[id] ?? Strip(voice: voice, clock: clock, delay: delay)
            (strip.clock, strip.delay) = (clock, delay)
            strip.turn(to: gain)
            state.strips[id] = strip
        }
    }

    /// Fades; what has faded leaves.
    func fadeOut(_ id: Int) { state.locked { $0.strips[id]?.turn(to: 0) } }

    func isSilent(_ id: Int) -> Bool { state.locked { $0.strips[id]?.isSilent ?? true } }

    func remove(_ id: Int) { state.locked { $0.strips[id] = nil } }

    /// How far the stream was from the clock lately, and how much faster than real time it is taken.
    public var pace: (error: Time, correction: Double) {
        state.locked { ($0.pace.error, $0.pace.correction) }
    }
}

extension Mixer.State {
    fileprivate mutating func render(
        to target: UnsafeMutablePointer<Float>, frames: Int, heard: Time, _ continuity: Mixer.Continuity
    ) {
        if continuity == .broken || horizon == nil { pace.lose() }
        // What is made already will be heard before the horizon: the limiter's block, and what was not yet taken.
        let made = Int64((resampler.pending * Double(SoundGrid.ticksPerSample)).rounded())
        let ahead = Time(ticks: made) + SoundGrid.time(of: Int64(Mixer.block))
        if let jump = pace.measure(position: (horizon ?? heard) - ahead, heard: heard) { horizon = jump + ahead }
        let speed = 1 + pace.correction
        while resampler.missing(for: frames, at: speed) > 0 { makeBlock() }
        resampler.take(frames, at: speed, to: target)
    }

    private mutating func makeBlock() {
        guard let wall = horizon else { return }
        for index in mix.indices { mix[index] = 0 }
        for id in strips.keys { strips[id]?.add(to: &mix, heardAt: wall) }
        horizon = wall + SoundGrid.time(of: Int64(Mixer.block))
        var peak: Float = 0
        for sample in mix { peak = max(peak, abs(sample)) }
        let (first, last) = limiter.gains(nextPeak: peak)
        if first != 1 || last != 1 {
            let step = (last - first) / Float(Mixer.block)
            for index in 0..<Mixer.block {
                let gain = first + step * Float(index)
                coming[index * 2] *= gain
                coming[index * 2 + 1] *= gain
            }
        }
        resampler.append(coming)
        swap(&coming, &mix)
    }
}
