import Base
import Console
import Measurement
import Media
import Threads

/// Finds how far each clip is ahead of the first.
struct Alignment {
    let clips: [AlignClip]
    let means: AlignCommand.Means?
    private let isEndRequested: @Sendable () -> Bool
    /// Facts of each clip, or the trouble of opening it.
    private var facts: [Result<SourceFacts, SourceTrouble>] = []
    /// Finding for each clip but the first.
    private(set) var findings: [Finding] = []

    enum Finding {
        /// `frames`: the offset in frames; nil if the clip's rate is not that of the first.
        case found(offset: Time, frames: FrameOffset?, confidence: Double, by: AlignCommand.Means)
        /// Why each means that was tried gives no offset.
        case refused([String])
        /// The clip can't be opened.
        case failed(SourceTrouble)
    }

    /// Opens and reads all clips. Blocks as long as that takes, and returns early if the end is requested.
    init(_ clips: [AlignClip], by means: AlignCommand.Means?, isEndRequested: @escaping @Sendable () -> Bool) {
        (self.clips, self.means, self.isEndRequested) = (clips, means, isEndRequested)
        facts = results(clips.count) { index, deadline, _ throws(SourceTrouble) in
            let facts = try Source.open(clips[index].location, deadline: deadline).facts
            if facts.live != nil { throw SourceTrouble(.unsupported, "it is live, and has no beginning") }
            if facts.kind == .still { throw SourceTrouble(.unsupported, "it is a still image") }
            return facts
        }
        findings = facts.dropFirst().map { facts in
            if case .failure(let trouble) = facts { .failed(trouble) } else { .refused([]) }
        }
        if means != .frames { alignBySound() }
        if means != .sound { alignByFrames() }
    }

    /// Trouble of the first clip; nil if it can be read.
    var referenceTrouble: SourceTrouble? { if case .failure(let trouble) = facts[0] { trouble } else { nil } }

    // MARK: sound

    private mutating func alignBySound() {
        let heard = participants { !$0.soundTracks.isEmpty }
        guard heard.count > 1 else { return }
        let clips = clips
        let bands = results(heard.count, reading: lengths(of: heard) { _ in SoundMeasuring.longest }) {
            index, deadline, reached throws(SourceTrouble) in
            try SoundMeasuring.bands(of: clips[heard[index]].location, deadline: deadline, reached: reached)
        }
        let verdicts = results(heard.count - 1) { index, deadline, _ throws(SourceTrouble) in
            let match = SoundMatch(try bands[0].get(), try bands[index + 1].get())
            let first = try SoundExcerpts(of: clips[heard[0]].location, deadline: deadline)
            let second = try SoundExcerpts(of: clips[heard[index + 1]].location, deadline: Deadline())
            return try match.verdict { side, start, count throws(SourceTrouble) in
                try (side == .first ? first : second).read(from: start, count: count)
            }
        }
        for (place, verdict) in zip(heard.dropFirst(), verdicts) { take(verdict, place, .sound) }
    }

    // MARK: frames

    private mutating func alignByFrames() {
        let seen = participants { $0.kind == .video }
        guard seen.count > 1 else { return }
        let clips = clips, threads = max(1, coreCount / seen.count)
        let changes = results(seen.count, reading: lengths(of: seen, atMost: FrameMeasuring.span)) {
            index, deadline, reached throws(SourceTrouble) in
            try FrameMeasuring.changes(
                of: clips[seen[index]].location, threads: threads, deadline: deadline, reached: reached)
        }
        for (index, place) in seen.enumerated().dropFirst() {
            let verdict = Result { () throws(SourceTrouble) in
                FrameMatch(try changes[0].get(), try changes[index].get()).verdict
            }
            take(verdict, place, .frames)
        }
    }

    /// Returns the indices of the first clip and of the clips without an offset, as far as `suits` is true for them;
    /// empty if it is false for the first clip.
    private func participants(_ suits: (SourceFacts) -> Bool) -> [Int] {
        let suited = clips.indices.filter { (try? facts[$0].get()).map(suits) ?? false }
        guard suited.first == 0 else { return [] }
        return suited.filter { index in
            if index == 0 { return true }
            if case .refused = findings[index - 1] { return true }
            return false
        }
    }

    /// Returns the media time that is read of each clip.
    private func lengths(of places: [Int], atMost most: (SourceFacts) -> Time) -> [Time] {
        places.map { place in (try? facts[place].get()).map { min($0.length ?? .zero, most($0)) } ?? .zero }
    }

    /// Runs `work` for each index below `count`, as many at once as there are cores, with a progress bar. `lengths`:
    /// media time that each will read. `reached` notes the progress of one and returns whether to go on.
    private func results<Value>(
        _ count: Int, reading lengths: [Time] = [],
        _ work: @escaping @Sendable (Int, Deadline, _ reached: (Time) -> Bool) throws(SourceTrouble) -> Value
    ) -> [Result<Value, SourceTrouble>] {
        func seconds(_ times: [Time]) -> Int64 { times.reduce(.zero, +).ticks / Time.ticksPerSecond }
        let reached = Locked(lengths.map { _ in Time.zero }), total = seconds(lengths)
        var bar = ProgressBar(total: total, .seconds)
        defer { ProgressBar.clear() }
        func show() { bar.show(min(total, seconds(reached.locked { $0 }))) }
        return Console.results(for: 0..<count, atOnce: coreCount, look: show) {
            [isEndRequested] index, deadline throws(SourceTrouble) in
            try work(index, deadline) { time in
                reached.locked { $0[index] = max(.zero, time) }
                return !isEndRequested()
            }
        }
    }

    private mutating func take(
        _ verdict: Result<AlignVerdict, SourceTrouble>, _ place: Int, _ means: AlignCommand.Means
    ) {
        guard case .refused(let before) = findings[place - 1] else { return }
        let why: String
        switch verdict {
        case .success(.found(let offset, let confidence)):
            let rates = [0, place].map { (try? facts[$0].get())?.frames.rate }
            var exact = offset
            // Sound is found to less than a millisecond, and copies of one film lie whole frames apart.
            if means == .sound, let one = rates[0]?.frame, let other = rates[1]?.frame {
                exact = offset.snapped(toFramesOf: one, other)
            }
            findings[place - 1] = .found(
                offset: exact, frames: FrameOffset(exact, rates[0], rates[1]), confidence: confidence, by: means)
            return
        case .success(.refused(let refusal)): why = refusal.words
        case .failure(let trouble): why = "one of them can't be read: \(trouble.what)"
        }
        findings[place - 1] = .refused(before + ["by \(means.rawValue): \(why)"])
    }

    // MARK: lines and JSON that `align` prints

    private var others: [(clip: AlignClip, finding: Finding)] { Array(zip(clips.dropFirst(), findings)) }

    /// Offsets of all clips but the first, in their order; nil if one is unknown.
    var offsets: [Time]? {
        let found = findings.compactMap { finding -> Time? in
            if case .found(let offset, _, _, _) = finding { offset } else { nil }
        }
        return found.count == findings.count ? found : nil
    }

    /// Lines for standard output, one for each offset that was found.
    var lines: [String] {
        others.compactMap { clip, finding in
            guard case .found(let offset, let frames, let confidence, let means) = finding else { return nil }
            let side = offset == .zero ? "in step" : offset > .zero ? "ahead" : "behind"
            let percent = Int((confidence * 100).rounded())
            return "\(clip.shown): offset \(fixed(offset.seconds, 4)) s (\(side)), by \(means.rawValue), confidence "
                + "\(percent) %\(words(frames))"
        }
    }

    /// Text for an offset in frames. If the offset is no whole number of frames, the text names the nearest one.
    private func words(_ frames: FrameOffset?) -> String {
        guard let frames, frames.count != 0 || !frames.isWhole else { return "" }
        if frames.isWhole { return "; \(frames.words)" }
        return "; no whole number of frames: the nearest is \(frames.words) (\(fixed(frames.time.seconds, 4)) s)"
    }

    /// Lines for standard error.
    var troubles: [String] {
        let known =
            referenceTrouble.map { [(clips[0], $0.what)] }
            ?? others.compactMap { clip, finding in lack(of: finding).map { (clip, $0) } }
        return known.map { clip, what in "quadrille: \(clip.shown): \(what)" }
    }

    var json: String {
        let list = others.map { clip, finding -> PropertyValue in
            guard case .found(let offset, let frames, let confidence, let means) = finding else {
                return [
                    "source": .text(clip.shown), "offset": .null, "what": .text(lack(of: finding) ?? ""),
                ]
            }
            return [
                "source": .text(clip.shown), "offset": .number(offset.seconds), "by": .text(means.rawValue),
                "confidence": .number(confidence), "frames": .integerOrNull(frames.map { Int($0.count) }),
                "frames-offset": .numberOrNull(frames?.time.seconds),
            ]
        }
        return JSONWriter.text(
            ["reference": .text(clips[0].shown), "others": .list(list)], escaping: .unprintable)
    }

    /// Returns why a clip has no offset. nil if it has one.
    private func lack(of finding: Finding) -> String? {
        switch finding {
        case .found: return nil
        case .failed(let trouble): return trouble.what
        case .refused(let reasons):
            let known = reasons.isEmpty ? lackOfMeans : reasons.joined(separator: "; ")
            return "not aligned with \(clips[0].shown): \(known)"
        }
    }

    private var lackOfMeans: String {
        switch means {
        case .sound?: "one of them has no sound"
        case .frames?: "one of them has no video"
        case nil: "one has only sound, and the other only video"
        }
    }
}

extension AlignRefusal {
    var words: String {
        switch self {
        case .tooShort: "less than a second or so of it"
        case .tooEven: "too even (silence, a tone, black, a still frame)"
        case .tooFew: "too few changes to be sure"
        case .unrelated: "they have nothing in common"
        case .repeats(let one, let other):
            "it repeats: offset \(fixed(one.seconds, 3)) s fits, and so does \(fixed(other.seconds, 3)) s"
        }
    }
}
