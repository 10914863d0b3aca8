import Base
import Heard
import Threads

/// State that a voice's thread shares with others.
struct VoiceState {
    private var plan: SoundPlan?
    private var demand = Voice.Demand.ready
    private(set) var samples = VoiceSamples()
    /// The next sample that will be read.
    private(set) var wanted: Int64 = 0
    /// Rises when samples that are being decoded become unwanted.
    private var epoch = 0
    var supply = VoiceSupply()
    /// The same sound in another key, until enough of it is there to replace samples that are ready.
    private var replacement: SoundReplacement?
    /// True if the replacement has been made and is not yet reported.
    private var hasReplaced = false
    /// Time to the first sample that could still be changed, as of the last `follow`.
    private(set) var reach = Time.zero
    /// Run with a file that was opened early.
    private var prepared: SoundRun?
    var report = VoiceReport()
    /// True once the voice's thread is to end.
    private var isStopping = false
    /// Deadline of the file that is being opened or read.
    private var reading: Deadline?

    /// If the ring ends more than this number of samples before the wanted one, decoding begins again at the wanted
    /// sample.
    private static var slack: Int64 { 24_000 }
    /// Least number of samples that are still heard in the old key after a change of key.
    private static var grace: Int64 { 7_200 }
    /// Samples in a new key must be ready this number of samples before they are heard.
    private static var margin: Int64 { 2_400 }

    enum Task {
        /// Open the run's file. `isBeside`: open it a second time, for a fade between two runs of the same file.
        case prepare(SoundRun, isBeside: Bool)
        /// Decode from this sample on.
        case decode(SoundPlan, from: Int64, epoch: Int)
    }

    /// Cancels the thread's work.
    mutating func stop() {
        isStopping = true
        reading?.cancel()
    }

    /// Notes the deadline of a file that is about to be opened. Returns false if the thread is stopping.
    mutating func begin(reading deadline: Deadline) -> Bool {
        reading = deadline
        return !isStopping
    }

    mutating func nextTask() -> Wait<Task?> {
        if isStopping { return .done(nil) }
        guard let plan else { return .again(deadline: nil) }
        if demand == .heard {
            if let replacement {
                if plan.segment(at: replacement.end) != .gap(until: nil) {
                    return .done(.decode(plan, from: replacement.end, epoch: epoch))
                }
                replace(with: replacement, plan)
            }
            supply.note(left: samples.end - wanted)
            if supply.isFilling, plan.segment(at: samples.end) != .gap(until: nil) {
                return .done(.decode(plan, from: samples.end, epoch: epoch))
            }
        }
        switch plan.segment(at: demand == .heard ? samples.end : wanted) {
        case .gap(let start?):
            switch plan.segment(at: start) {
            case .run(let coming, _, _): return prepare(coming)
            case .fade(let fade): return prepare(fade.to)
            case .gap: break
            }
        case .run(let run, _, _) where demand == .ready: return prepare(run)
        case .run(_, _, let end?):
            switch plan.segment(at: end) {
            case .run(let following, _, _): return prepare(following)
            case .fade(let fade) where !fade.to.isSilent: return prepare(fade.to, isBeside: demand == .heard)
            case .fade, .gap: break
            }
        case .run, .fade, .gap: break
        }
        return .again(deadline: nil)
    }

    private mutating func prepare(_ run: SoundRun, isBeside: Bool = false) -> Wait<Task?> {
        if prepared?.source == run.source, !isBeside || prepared == run { return .again(deadline: nil) }
        prepared = run
        return .done(.prepare(run, isBeside: isBeside))
    }

    mutating func follow(_ plan: SoundPlan, _ demand: Voice.Demand, horizon: Time) -> Bool {
        let isNewRate = self.plan?.clock.rate != plan.clock.rate
        let begins = demand == .heard && self.demand != .heard
        // Captured sound would be late by the time for which the clock was paused.
        let isNewLine = plan.runs.contains(where: \.isCaptured) && self.plan?.clock != plan.clock
        (self.plan, self.demand) = (plan, demand)
        reach = horizon - Time.now
        defer { hasReplaced = false }
        let sample = plan.sample(heardAt: horizon)
        guard demand == .heard else {
            wanted = sample
            if samples.end > samples.start { forget(from: samples.start) }
            samples = VoiceSamples()
            replacement = nil
            supply.isAwaited = false
            report.stall.rest()
            return false
        }
        if begins || isNewRate || isNewLine || sample < samples.start || sample > samples.end + Self.slack {
            restart(at: sample)
            return true
        }
        switch firstChange(in: plan, from: sample) {
        case nil:
            if replacement != nil { (replacement, epoch) = (nil, epoch + 1) }
        case .key(let run, let start):
            if replacement?.isStill(in: plan) == true { break }
            // The samples that are being decoded have another key.
            replacement = SoundReplacement(run: run, start: start)
            epoch += 1
        case .sound(let wrong):
            samples.noteSeam(at: wrong, in: plan)
            defer { forget(from: wrong) }
            return wrong < wanted || hasReplaced
        }
        return hasReplaced
    }

    /// First difference between the ring and the plan, with its sample.
    private enum Change {
        case sound(Int64)
        /// The key alone differs: the old samples may be heard until the new ones have come.
        case key(SoundRun, Int64)
    }

    private func firstChange(in plan: SoundPlan, from sample: Int64) -> Change? {
        for part in samples.sounds.parts where part.end > sample {
            let start = max(part.start, sample)
            switch (part.sound, plan.segment(at: start)) {
            case (.run(let old), .run(let new, _, let end)) where new.continues(old):
                if let end, end < part.end { return .sound(end) }
            case (.run(let old), .run(let new, _, let end)) where new.isTransposed(from: old):
                let change = max(start, min(sample + Self.grace, samples.end - SoundSeam.longest))
                if change < min(part.end, end ?? .max) { return .key(new, change) }
                if let end, end < part.end { return .sound(end) }
            case (.fade(let old), .fade(let new)) where new.continues(old): break
            case (.silence, .gap(let next)):
                if let next, next < part.end { return .sound(next) }
            default: return .sound(start)
            }
        }
        return nil
    }

    /// Sample at which the ring leaves the old key. Earlier samples could not be replaced in time.
    private func place(of replacement: SoundReplacement, _ plan: SoundPlan) -> Int64 {
        let due = plan.sample(heardAt: Time.now + reach) + Self.margin
        return max(replacement.start, min(due, samples.end - SoundSeam.longest))
    }

    private mutating func replace(with replacement: SoundReplacement, _ plan: SoundPlan) {
        samples.replace(from: min(place(of: replacement, plan), replacement.end), with: replacement)
        (self.replacement, hasReplaced) = (nil, true)
    }

    mutating func restart(at sample: Int64) {
        samples.restart(at: sample)
        (wanted, replacement) = (sample, nil)
        (supply.isFilling, supply.isAwaited) = (true, true)
        epoch += 1
    }

    private mutating func forget(from sample: Int64) {
        samples.truncate(to: sample)
        supply.isFilling = true
        replacement = nil
        if sample < wanted { supply.isAwaited = true }
        epoch += 1
    }

    /// Returns true if the awaited samples have just come, or all samples that exist.
    mutating func hasFilled() -> Bool {
        guard supply.isAwaited else { return hasReplaced }
        let isShort =
            samples.end - wanted < VoiceSupply.low
            && plan.map { $0.segment(at: samples.end) != .gap(until: nil) } ?? false
        return supply.settle(isShort: isShort) || hasReplaced
    }

    /// Sets the next sample that will be read. Returns true if there is something to decode.
    mutating func want(_ sample: Int64) -> Bool {
        guard demand == .heard else { return false }
        wanted = sample
        if sample < samples.start || sample > samples.end + Self.slack {
            restart(at: sample)
            return true
        }
        return samples.end - sample < VoiceSupply.low
    }

    /// Stores decoded samples. Returns false if they are no longer wanted.
    mutating func take(_ more: UnsafeBufferPointer<Float>, of sound: Voice.Sounding, epoch: Int) -> Bool {
        guard epoch == self.epoch, demand == .heard else { return false }
        replacement?.take(more, of: sound)
        if let plan, let replacement {
            // The ring gets the new key once the samples that were read already can be replaced.
            let needed = max(min(samples.end, wanted + Self.margin), place(of: replacement, plan) + SoundSeam.longest)
            if replacement.end >= needed { replace(with: replacement, plan) }
            return true
        }
        if !more.isEmpty {
            supply.gain()
            if sound != .silence { report.noteSamples() }
        }
        samples.append(more, of: sound)
        return true
    }
}

/// Supply of a voice with samples: whether it decodes, and whether the mixer waits for it. Not thread-safe.
struct VoiceSupply {
    /// True while samples are decoded, until enough are there.
    var isFilling = true
    /// True if the mixer lacked samples, or would have lacked them. `filled` is called when they have come.
    var isAwaited = false
    /// True if all that a live source has sent is decoded.
    var isDry = false
    /// True if samples have come since the mixer waited last.
    private var hasGained = false

    /// Decoding begins when fewer than `low` samples are left, and ends when `high` samples are.
    static let low: Int64 = 12_000
    private static let high: Int64 = 24_000

    /// Notes the number of samples that are left.
    mutating func note(left: Int64) {
        if left < Self.low { isFilling = true }
        if left >= Self.high { isFilling = false }
    }

    mutating func gain() { (hasGained, isDry) = (true, false) }

    /// Ends the mixer's wait. Returns false if the wait goes on. `isShort`: true if fewer samples are left than wanted.
    mutating func settle(isShort: Bool) -> Bool {
        if isShort, !isDry || !hasGained { return false }
        (isAwaited, isDry, hasGained) = (false, false, false)
        return true
    }
}

/// Troubles and conditions of a voice's sources, for reports. Not thread-safe.
struct VoiceReport {
    private(set) var condition = SoundCondition.unknown
    var stall = SoundStall()
    /// Sources whose samples had to be mended, and those of them that are not reported yet.
    private var mended: (all: Set<String>, unreported: [String]) = ([], [])

    /// Notes the condition of the source. A source that has stalled sounds again when samples come.
    mutating func note(_ condition: SoundCondition) {
        if case .sounding = condition, case .stalled = self.condition { return }
        self.condition = condition
    }

    /// Notes that a live source has sent no more. Returns true if it has stalled and must be opened anew.
    mutating func noteDry(of tracks: Int, at now: Int64) -> Bool {
        guard stall.noteDry(at: now) else { return false }
        condition = .stalled(tracks: tracks)
        return true
    }

    mutating func noteSamples() {
        stall.noteSamples()
        if case .stalled(let tracks) = condition { condition = .sounding(tracks: tracks) }
    }

    mutating func noteMending(of source: String) {
        if mended.all.insert(source).inserted { mended.unreported.append(source) }
    }

    /// Returns the sources whose samples had to be mended, each once.
    mutating func takeMended() -> [String] { exchange(&mended.unreported, with: []) }
}

/// Silence of a live source that is to be heard. Not thread-safe.
///
/// A source that sent no samples for a while has stalled, and is opened anew, each time after a longer wait.
struct SoundStall {
    /// Time since which nothing has come, on the monotonic clock; nil while samples come.
    private var since: Int64?
    private var wait = SoundStall.first

    /// In nanoseconds.
    private static let first: Int64 = 5_000_000_000
    private static let longest: Int64 = 60_000_000_000

    mutating func noteSamples() { self = SoundStall() }

    /// The source is not to be heard.
    mutating func rest() { since = nil }

    /// Nothing has come. Returns true if the source has stalled and must be opened anew.
    mutating func noteDry(at now: Int64) -> Bool {
        guard let since else {
            self.since = now
            return false
        }
        guard now - since >= wait else { return false }
        (self.since, wait) = (now, min(wait * 2, Self.longest))
        return true
    }
}
