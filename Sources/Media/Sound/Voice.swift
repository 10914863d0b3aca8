import Threads
import WallCore

/// One feed's sound: follows its plan and keeps half a second of samples ready while it is heard.
///
/// While it is not heard it decodes nothing; it only keeps the file of the present run open, so that it is heard
/// at once when its turn comes. Its thread does all that may block. Any thread may call its methods; they never wait.
public final class Voice: Sendable, Equatable {
    private let state = Monitor(State())
    private let wakeCondition: WakeCondition
    private let filledBell: WakeCondition
    private let worker: Worker

    public enum Demand: Sendable {
        /// The file is open, nothing more.
        case ready
        case heard
    }

    /// What samples are of.
    enum Sounding: Equatable {
        case silence
        case run(SoundRun)
        case fade(SoundPlan.Fade)
    }

    struct State {
        var plan: SoundPlan?
        var demand = Demand.ready
        var ring = SampleRing()
        /// What lies in the ring, by its samples.
        var placed: [(sound: Sounding, start: Int64, end: Int64)] = []
        /// The next sample that will be asked for.
        var wanted: Int64 = 0
        /// Rises when what is being decoded is not wanted any more.
        var epoch = 0
        var isFilling = true
        /// Whoever listens has lacked samples, or would have: it is said when they are there.
        var isAwaited = false
        /// All that has come of what is live is decoded.
        var isDry = false
        /// Samples have come since that was said.
        var hasGained = false
        var isStopping = false
        var hasEnded = false
        var condition = SoundCondition.unknown
        /// Another key was wanted, and FFmpeg has no filter for it.
        var isUntransposed = false
        /// At the ring's end, while samples of another sound take the place of those that were there.
        var seam: SoundSeam?
        /// The run whose file was opened early.
        var prepared: SoundRun?
        var reading: Deadline?
    }

    /// `filled` is called on its thread when samples that were lacked are there.
    init(_ name: String, filled: @escaping @Sendable () -> Void = {}) throws(NoThread) {
        let (state, wakeCondition, filledBell) = (state, WakeCondition(), WakeCondition())
        (self.wakeCondition, self.filledBell) = (wakeCondition, filledBell)
        worker = try Worker("voice \(name)", .batch) {
            let hand = VoiceDecoder()
            while let task = state.wait(on: wakeCondition, until: { $0.nextTask() }) {
                hand.work(task, state)
                guard state.locked({ $0.hasFilled() }) else { continue }
                filledBell.wake()
                filled()
            }
            state.locked { $0.hasEnded = true }
        }
    }

    /// The plan as it is now. `horizon` is the wall time of the first sample that can still be changed. Answers whether
    /// something from there on that was asked for already is otherwise now.
    func follow(_ plan: SoundPlan, _ demand: Demand, horizon: Time) -> Bool {
        let isOtherwise = state.locked { $0.follow(plan, demand, horizon: horizon) }
        wakeCondition.wake()
        return isOtherwise
    }

    /// Waits until what is lacked is there, at most until this instant of CLOCK_MONOTONIC.
    func fill(until deadline: Int64) {
        state.wait(on: filledBell) { state in
            state.isAwaited && monotonicNanoseconds() < deadline ? .again(deadline: deadline) : .done(())
        }
    }

    /// Copies samples from `sample` on; answers how many are there. Of those, `used` are taken; they may be asked for
    /// again as long as the ring holds them.
    func read(from sample: Int64, _ count: Int, used: Int, to target: UnsafeMutablePointer<Float>) -> Int {
        let (available, isWanting) = state.locked { state -> (Int, Bool) in
            let available = state.ring.copy(from: sample, count, to: target)
            if available < used { state.isAwaited = true }
            return (available, state.want(sample + (available > 0 ? Int64(used) : 0)))
        }
        if isWanting { wakeCondition.wake() }
        return available
    }

    public static func == (a: Voice, b: Voice) -> Bool { a === b }

    var condition: SoundCondition { state.locked { $0.condition } }
    var isUntransposed: Bool { state.locked { $0.isUntransposed } }

    /// Calls its thread back; `join` waits for it.
    func stop() {
        state.locked { state in
            state.isStopping = true
            state.reading?.cancel()
        }
        wakeCondition.wake()
    }

    func join(within limit: Int64) -> Worker.JoinResult { worker.join(within: limit) }

    /// Its thread is back: joining it takes no time.
    var hasEnded: Bool { state.locked { $0.hasEnded } }
}

extension Voice.State {
    /// In samples: refilled below the first, up to the second.
    private static var low: Int64 { 12_000 }
    private static var high: Int64 { 24_000 }
    /// A decoder that is later than this begins anew where it is wanted.
    private static var slack: Int64 { 24_000 }
    /// For so long what was decoded is still heard when the key is another, while the new one is made.
    private static var grace: Int64 { 4_800 }

    enum Task {
        /// Open the run's file; once more, where it is to be heard beside another run of the same.
        case prepare(SoundRun, isBeside: Bool)
        /// Decode from this sample on.
        case decode(SoundPlan, from: Int64, epoch: Int)
    }

    mutating func nextTask() -> Wait<Task?> {
        if isStopping { return .done(nil) }
        guard let plan else { return .again(deadline: nil) }
        if demand == .heard {
            if ring.end - wanted < Self.low { isFilling = true }
            if ring.end - wanted >= Self.high { isFilling = false }
            if isFilling, plan.segment(at: ring.end) != .gap(until: nil) {
                return .done(.decode(plan, from: ring.end, epoch: epoch))
            }
        }
        let next = plan.segment(at: demand == .heard ? ring.end : wanted)
        if case .gap(let start?) = next {
            switch plan.segment(at: start) {
            case .run(let run, _, _): return prepare(run)
            case .fade(let fade): return prepare(fade.to)
            case .gap: break
            }
        }
        if case .run(let run, _, let end) = next {
            if demand == .ready { return prepare(run) }
            guard let end else { return .again(deadline: nil) }
            switch plan.segment(at: end) {
            case .run(let following, _, _): return prepare(following)
            case .fade(let fade) where !fade.to.isSilent: return prepare(fade.to, isBeside: demand == .heard)
            case .fade: break
            case .gap: break
            }
        }
        return .again(deadline: nil)
    }

    private mutating func prepare(_ run: SoundRun, isBeside: Bool = false) -> Wait<Task?> {
        if let prepared, prepared.source == run.source, prepared.choice == run.choice, prepared.origin == run.origin,
            !isBeside || prepared == run
        {
            return .again(deadline: nil)
        }
        prepared = run
        return .done(.prepare(run, isBeside: isBeside))
    }

    mutating func follow(_ plan: SoundPlan, _ demand: Voice.Demand, horizon: Time) -> Bool {
        let isNewRate = self.plan?.clock.rate != plan.clock.rate
        let begins = demand == .heard && self.demand != .heard
        // What is heard as it is made is late by as much as a clock has stood.
        let isNewLine = plan.runs.contains(where: \.isCaptured) && self.plan?.clock != plan.clock
        (self.plan, self.demand) = (plan, demand)
        let sample = plan.sample(heardAt: horizon)
        guard demand == .heard else {
            wanted = sample
            if ring.end > ring.start { forget(from: ring.start) }
            ring.release()
            seam = nil
            isAwaited = false
            return false
        }
        if begins || isNewRate || isNewLine || sample < ring.start || sample > ring.end + Self.slack {
            restart(at: sample)
            return true
        }
        guard let wrong = firstWrong(in: plan, from: sample) else { return false }
        noteSeam(at: wrong, in: plan)
        defer { forget(from: wrong) }
        return wrong < wanted
    }

    /// Within a run one sound comes out of the other; at its start it is cut in, as it was meant.
    private mutating func noteSeam(at sample: Int64, in plan: SoundPlan) {
        guard case .run(_, let start, _) = plan.segment(at: sample), start < sample else {
            seam = nil
            return
        }
        if let seam, sample == ring.end, (seam.start..<seam.end).contains(sample) { return }
        var samples = [Float](repeating: 0, count: Int(SoundSeam.longest) * 2)
        let count = samples.withUnsafeMutableBufferPointer {
            ring.copy(from: sample, Int(SoundSeam.longest), to: $0.baseAddress!)
        }
        samples.removeLast(samples.count - count * 2)
        seam = samples.isEmpty ? nil : SoundSeam(start: sample, samples: samples)
    }

    /// From which sample on the ring holds what the plan no longer says.
    private func firstWrong(in plan: SoundPlan, from sample: Int64) -> Int64? {
        for part in placed where part.end > sample {
            let start = max(part.start, sample)
            switch (part.sound, plan.segment(at: start)) {
            case (.run(let old), .run(let new, _, let end)) where new.continues(old):
                if let end, end < part.end { return end }
            case (.run(let old), .run(let new, _, let end)) where new.isTransposed(from: old):
                let last = seam == nil ? max(sample, ring.end - SoundSeam.longest) : ring.end
                let change = max(start, min(sample + Self.grace, last))
                if let wrong = [change, end ?? .max].min(), wrong < part.end { return wrong }
            case (.fade(let old), .fade(let new)) where new.continues(old): break
            case (.silence, .gap(let next)):
                if let next, next < part.end { return next }
            default: return start
            }
        }
        return nil
    }

    private mutating func restart(at sample: Int64) {
        ring.restart(at: sample)
        (placed, wanted, isFilling, isAwaited, seam) = ([], sample, true, true, nil)
        epoch += 1
    }

    private mutating func forget(from sample: Int64) {
        ring.truncate(to: sample)
        placed.removeAll { $0.start >= sample }
        if let last = placed.indices.last { placed[last].end = min(placed[last].end, sample) }
        isFilling = true
        if sample < wanted { isAwaited = true }
        epoch += 1
    }

    /// With what is asked for next.
    mutating func beginAnew() { restart(at: wanted) }

    /// What is live has no more just now.
    mutating func noteDry() { isDry = true }

    /// Whether it has just become all that is awaited, or all of it that there is.
    mutating func hasFilled() -> Bool {
        guard isAwaited else { return false }
        if ring.end - wanted < Self.low, let plan, plan.segment(at: ring.end) != .gap(until: nil) {
            guard isDry, hasGained else { return false }
        }
        (isAwaited, isDry, hasGained) = (false, false, false)
        return true
    }

    /// The next sample that will be asked for; answers whether there is something to do.
    mutating func want(_ sample: Int64) -> Bool {
        guard demand == .heard else { return false }
        wanted = sample
        if sample < ring.start || sample > ring.end + Self.slack {
            restart(at: sample)
            return true
        }
        placed.removeAll { $0.end < ring.start }
        return ring.end - sample < Self.low
    }

    /// Takes decoded samples in, unless they are not wanted any more.
    mutating func take(_ samples: UnsafeBufferPointer<Float>, of sound: Voice.Sounding, epoch: Int) -> Bool {
        guard epoch == self.epoch, demand == .heard else { return false }
        let start = ring.end
        if !samples.isEmpty { (hasGained, isDry) = (true, false) }
        if let seam, start < seam.end {
            seam.blended(samples, at: start).withUnsafeBufferPointer { ring.append($0) }
            if ring.end >= seam.end { self.seam = nil }
        } else {
            ring.append(samples)
        }
        if let last = placed.indices.last, placed[last].sound == sound, placed[last].end == start {
            placed[last].end = ring.end
        } else {
            placed.append((sound, start, ring.end))
        }
        return true
    }
}
