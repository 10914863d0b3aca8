import Base
import Scene
import Threads

extension Voice.State {
    /// The ring is refilled below `low`, up to `high`. In samples.
    private static var low: Int64 { 12_000 }
    private static var high: Int64 { 24_000 }
    /// If the ring is further behind than this, decoding begins again at the wanted sample. In samples.
    private static var slack: Int64 { 24_000 }
    /// Least number of samples that are still heard in the old key after a change of key.
    private static var grace: Int64 { 7_200 }
    /// Samples that are made again are there this much before they are heard. In samples.
    private static var margin: Int64 { 2_400 }

    enum Task {
        /// Open the run's file. `isBeside`: open it a second time, for a fade between two runs of the same file.
        case prepare(SoundRun, isBeside: Bool)
        /// Decode from this sample on.
        case decode(SoundPlan, from: Int64, epoch: Int)
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
        // Captured sound would be late by the time for which a clock has stood.
        let isNewLine = plan.runs.contains(where: \.isCaptured) && self.plan?.clock != plan.clock
        (self.plan, self.demand) = (plan, demand)
        reach = horizon - Time.now
        defer { hasReplaced = false }
        let sample = plan.sample(heardAt: horizon)
        guard demand == .heard else {
            wanted = sample
            if ring.end > ring.start { forget(from: ring.start) }
            ring.release()
            (seam, replacement) = (nil, nil)
            isAwaited = false
            return false
        }
        if begins || isNewRate || isNewLine || sample < ring.start || sample > ring.end + Self.slack {
            restart(at: sample)
            return true
        }
        switch firstChange(in: plan, from: sample) {
        case nil: dropReplacement()
        case .key(let run, let start):
            if replacement?.isStill(in: plan) == true { break }
            // The samples that are being decoded have another key.
            replacement = SoundReplacement(of: run, start: start)
            epoch += 1
        case .sound(let wrong):
            noteSeam(at: wrong, in: plan)
            defer { forget(from: wrong) }
            return wrong < wanted || hasReplaced
        }
        return hasReplaced
    }

    private mutating func dropReplacement() {
        guard replacement != nil else { return }
        replacement = nil
        epoch += 1
    }

    /// Within a run the new sound fades in over the old one. At the run's start it is cut in, as intended.
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

    /// First difference between the ring and the plan, with its sample.
    private enum Change {
        case sound(Int64)
        /// The key alone differs: the old samples may be heard until the new ones have come.
        case key(SoundRun, Int64)
    }

    private func firstChange(in plan: SoundPlan, from sample: Int64) -> Change? {
        for part in placed where part.end > sample {
            let start = max(part.start, sample)
            switch (part.sound, plan.segment(at: start)) {
            case (.run(let old), .run(let new, _, let end)) where new.continues(old):
                if let end, end < part.end { return .sound(end) }
            case (.run(let old), .run(let new, _, let end)) where new.isTransposed(from: old):
                let change = max(start, min(sample + Self.grace, ring.end - SoundSeam.longest))
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

    /// Switches the ring to the new key once the samples that were read already can be replaced.
    private mutating func replaceIfReady(_ plan: SoundPlan) {
        guard let replacement else { return }
        let needed = min(ring.end, wanted + Self.margin)
        if replacement.end >= max(needed, place(of: replacement, plan) + SoundSeam.longest) {
            replace(with: replacement, plan)
        }
    }

    /// Sample at which the ring leaves the old key. Earlier samples could not be replaced in time.
    private func place(of replacement: SoundReplacement, _ plan: SoundPlan) -> Int64 {
        let due = plan.sample(heardAt: Time.now + reach) + Self.margin
        return max(replacement.start, min(due, ring.end - SoundSeam.longest))
    }

    private mutating func replace(with replacement: SoundReplacement, _ plan: SoundPlan) {
        let place = min(place(of: replacement, plan), replacement.end)
        var old = [Float](repeating: 0, count: Int(SoundSeam.longest) * 2)
        let count = old.withUnsafeMutableBufferPointer {
            ring.copy(from: place, Int(SoundSeam.longest), to: $0.baseAddress!)
        }
        old.removeLast(old.count - count * 2)
        let new = replacement.samples[(Int(place - replacement.start) * 2)...]
        ring.truncate(to: place)
        placed.removeAll { $0.start >= place }
        if let last = placed.indices.last { placed[last].end = min(placed[last].end, place) }
        (self.replacement, seam, hasReplaced) = (nil, nil, true)
        let joined = new.withUnsafeBufferPointer { SoundSeam(start: place, samples: old).blended($0, at: place) }
        joined.withUnsafeBufferPointer { ring.append($0) }
        for part in replacement.placed where part.end > place {
            placed.append((part.sound, max(part.start, place), part.end))
        }
    }

    private mutating func restart(at sample: Int64) {
        ring.restart(at: sample)
        (placed, wanted, isFilling, isAwaited, seam, replacement) = ([], sample, true, true, nil, nil)
        epoch += 1
    }

    private mutating func forget(from sample: Int64) {
        ring.truncate(to: sample)
        placed.removeAll { $0.start >= sample }
        if let last = placed.indices.last { placed[last].end = min(placed[last].end, sample) }
        (isFilling, replacement) = (true, nil)
        if sample < wanted { isAwaited = true }
        epoch += 1
    }

    /// Begins again with the next sample that will be read.
    mutating func beginAnew() { restart(at: wanted) }

    /// Notes that a live source has sent no more.
    mutating func noteDry() { isDry = true }

    /// Returns true if the awaited samples have just come, or all that exist.
    mutating func hasFilled() -> Bool {
        guard isAwaited else { return hasReplaced }
        if ring.end - wanted < Self.low, let plan, plan.segment(at: ring.end) != .gap(until: nil) {
            guard isDry, hasGained else { return hasReplaced }
        }
        (isAwaited, isDry, hasGained) = (false, false, false)
        return true
    }

    /// Sets the next sample that will be read. Returns true if there is something to decode.
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

    /// Stores decoded samples. Returns false if they are no longer wanted.
    mutating func take(_ samples: UnsafeBufferPointer<Float>, of sound: Voice.Sounding, epoch: Int) -> Bool {
        guard epoch == self.epoch, demand == .heard else { return false }
        if let plan, replacement != nil {
            replacement?.take(samples, of: sound)
            replaceIfReady(plan)
            return true
        }
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
