import Base
import Layout
import Opened

/// Judges whether each seam of a layout will be seamless, and lists the reasons if not. Pure.
public struct SeamJudge {
    private let layout: Layout
    private let inspections: Inspections
    private let crowd: PipelineShortage
    /// Timelines of the tiles, in their order.
    public let timelines: [Timeline]
    /// End of the longest tile, by group name, for groups with iterations that begin together.
    private let groupEnds: [String: Time]

    /// A gap in the sound at a seam that is no longer than this is not heard.
    static let soundTolerance = Time.milliseconds(12)
    /// A hold that is shorter than a display's refresh can't be seen.
    static let holdTolerance = Time.milliseconds(16)
    /// Time in which one decoder is closed and another opened.
    static let reopening = Time.milliseconds(200)
    /// Least difference of a last and a first frame that counts as a change of scene, in steps of brightness.
    static let apart = 12.0

    public init(_ layout: Layout, _ inspections: Inspections, pipelines: Int) {
        (self.layout, self.inspections) = (layout, inspections)
        crowd = PipelineShortage(layout, pipelines: pipelines)
        timelines = layout.tiles.map { layout.timeline(of: $0) { inspections.sources[$0]?.facts } }
        var groupEnds: [String: Time] = [:]
        let groups = Set(layout.groups.filter { $0.loop == .together && $0.until == .longest }.map(\.name))
        for (tile, timeline) in zip(layout.tiles, timelines) where groups.contains(tile.group) {
            guard timeline.takesPart(inIteration: 1), let end = Self.end(of: tile, timeline) else { continue }
            groupEnds[tile.group] = max(groupEnds[tile.group] ?? end, end)
        }
        self.groupEnds = groupEnds
    }

    /// Returns the seams of all tiles, in their order.
    func seams() -> [PredictedSeam] { layout.tiles.indices.flatMap(seams) }

    /// Returns the reason if a tile does not always play; nil if it does.
    public func wait(of tile: Int) -> SeamReason? { crowd.reason(for: tile) }

    /// Returns the ffmpeg commands that repair files, one for each file.
    public func mends() -> [Remedy] { Remedy.merged(seams().flatMap { $0.reasons.compactMap(\.remedy) }) }

    /// Returns the seams of a tile in the order of an iteration. The loop's seam is the last.
    public func seams(of tile: Int) -> [PredictedSeam] {
        let timeline = timelines[tile]
        var seams: [PredictedSeam] = []
        let wait = wait(of: tile)
        func add(_ kind: PredictedSeam.Kind, _ a: RunID, _ b: RunID, at: Time?) {
            // A still that is shown again is the same frame.
            let (before, after) = (facts(timeline.segment(of: a)), facts(timeline.segment(of: b)))
            if before?.kind == .still, timeline.repeats(a, b) { return }
            // A live source never loops: it is connected again.
            if before?.live != nil, timeline.repeats(a, b) { return }
            // No seam with a live source fades.
            let isLive = before?.live != nil || after?.live != nil
            let fade = timeline.fade(before: b)
            let words = words(
                onFade: fade, of: isLive ? .zero : timeline.wantedTransition(before: b).length,
                memory: [a.item, b.item].compactMap(timeline.sequence.fadeLimit(ofItem:)).min())
            // In a fade the end and the beginning may differ.
            var reasons = reasons(from: a, to: b, timeline, ofTile: tile).filter {
                fade == .zero || $0.code != .loopApart
            }
            reasons += [kind == .loop ? holdReason(tile) : nil, wait].compactMap { $0 }
            seams.append(
                PredictedSeam(kind: kind, item: b.item, at: at, fade: fade, wordsOnFade: words, reasons: reasons))
        }
        var start: Time? = .zero
        var last = RunID(iteration: 0)
        for (place, item) in timeline.items.enumerated() {
            if place > 0 {
                start = start.map { $0 - timeline.fade(before: RunID(iteration: 0, item: place)) }
                add(.next, last, RunID(iteration: 0, item: place), at: start)
            }
            var at = start
            for segment in item.segments.indices.dropLast() {
                let run = RunID(iteration: 0, item: place, segment: segment)
                at = sum(at, timeline.length(of: run))
                add(.segment, run, RunID(iteration: 0, item: place, segment: segment + 1), at: at)
            }
            last = RunID(iteration: 0, item: place, segment: item.segments.count - 1)
            // All rounds are alike, so the first stands for all.
            if item.rounds > 1 {
                let next = RunID(iteration: 0, item: place, round: 1)
                let end = sum(start, timeline.sequence.itemLength(place))
                add(.round, last, next, at: end.map { $0 - timeline.fade(before: next) })
            }
            start = sum(start, timeline.sequence.span(ofItem: place))
        }
        if timeline.takesPart(inIteration: 1) { add(.loop, last, RunID(iteration: 1), at: timeline.iterationLength) }
        return seams
    }

    /// Returns words on a fade, with the reason if it is shorter than the layout wants; nil if the layout wants none.
    /// `memory`: the longest fade that the memory holds; nil if the frame size is not known.
    private func words(onFade length: Time, of wanted: Time, memory: Time?) -> String? {
        if wanted == .zero { return nil }
        let text = "fades \(fixed(length.seconds, 3)) s"
        if length >= wanted { return text }
        let bound = memory.map { length >= $0 } ?? false ? "memory holds no more" : "half of the shorter item"
        return "\(text) of \(fixed(wanted.seconds, 3)) s (\(bound))"
    }

    /// Returns the reason for a tile that waits for the longest tile of its group, if the group's iterations begin
    /// together.
    private func holdReason(_ tile: Int) -> SeamReason? {
        guard let longest = groupEnds[layout.tiles[tile].group],
            let own = Self.end(of: layout.tiles[tile], timelines[tile]), longest - own > Self.holdTolerance
        else { return nil }
        let hold = longest - own
        let words = hold < .seconds(1) ? millisecondsText(hold) : "\(fixed(hold.seconds, 1)) s"
        return SeamReason(code: .holds, words: "holds its last frame \(words)")
    }

    /// Returns the end of a tile's iteration, from the start of its group's iteration; nil if that is not known.
    private static func end(of tile: TileLayout, _ timeline: Timeline) -> Time? {
        timeline.iterationLength.flatMap { length in
            let end = length - tile.offset
            return length > .zero && end > .zero ? end : nil
        }
    }

    private func facts(_ segment: Item.Segment) -> OpenedFacts? { inspections.sources[segment.source]?.facts }

    private func sum(_ a: Time?, _ b: Time?) -> Time? { a.flatMap { a in b.map { a + $0 } } }

    private func reasons(
        from run: RunID, to next: RunID, _ timeline: Timeline, ofTile tile: Int
    ) -> [SeamReason] {
        let (a, b) = (timeline.segment(of: run), timeline.segment(of: next))
        guard let before = inspections.sources[a.source], let after = inspections.sources[b.source] else {
            let broken = inspections.sources[a.source] == nil ? a.name : b.name
            return [SeamReason(code: .broken, words: "\(broken) can't be played")]
        }
        var reasons = stretchReasons(a, before)
        if b != a { reasons += stretchReasons(b, after) }
        if !layout.mutes(layout.tiles[tile]) { reasons += soundReasons(a, before, timeline.items[run.item]) }
        reasons += inspections.faultsOfFrames(
            from: a, to: b, repeats: timeline.repeats(run, next), isSame: a.source == b.source)
        if let reason = pipelineReason(run, before, next, after, timeline) { reasons.append(reason) }
        return reasons
    }

    /// Returns the faults of a stretch, which count at both of its ends.
    private func stretchReasons(_ segment: Item.Segment, _ source: SourceInspection) -> [SeamReason] {
        var reasons = FilmDamage.allCases.filter(source.damages.contains).map {
            SeamReason(code: .damaged, words: "\(segment.name): \($0.trouble.what)")
        }
        if let length = source.facts.length, source.facts.kind != .still, segment.start >= length {
            let words =
                "\(segment.name) is played from \(secondsText(segment.start)) s on, but ends at "
                + "\(secondsText(length)) s"
            reasons.append(SeamReason(code: .beyondEnd, words: words))
        }
        return reasons
    }

    /// Returns the end of the film if the segment's out-point lies beyond it; nil otherwise.
    public func cutOut(of segment: Item.Segment) -> Time? {
        guard let facts = facts(segment), facts.kind != .still, let length = facts.length, let end = segment.end,
            end > length + Self.holdTolerance, segment.start < length
        else { return nil }
        return length
    }

    // MARK: sound

    private func soundReasons(_ segment: Item.Segment, _ source: SourceInspection, _ item: Item) -> [SeamReason] {
        guard source.facts.kind == .video, let length = source.facts.length, let sound = sound(source, item) else {
            return []
        }
        // Sound that an out-point cuts off is meant to be cut.
        let end = min(segment.end ?? length, length)
        let rest = sound.end - end
        let remedy = Remedy(segment.source, length).with { ($0.soundStart, $0.colours) = (sound.start, source.colours) }
        var reasons: [SeamReason] = []
        func add(_ code: SeamReason.Code, _ words: String) {
            reasons.append(SeamReason(code: code, words: "the sound of \(segment.name) \(words)", remedy: remedy))
        }
        if rest < .zero - Self.soundTolerance {
            add(.soundShorter, "is \(millisecondsText(.zero - rest)) shorter than its video")
        } else if rest > Self.soundTolerance, segment.end == nil {
            add(.soundLonger, "is \(millisecondsText(rest)) longer than its video, and cut there")
        }
        if segment.start == .zero, sound.start > Self.soundTolerance {
            add(.soundLate, "begins \(millisecondsText(sound.start)) after its video")
        }
        return reasons
    }

    private func sound(_ source: SourceInspection, _ item: Item) -> SourceInspection.Sound? {
        if case .other(let other) = item.audio, other.source != nil { return nil }
        return switch item.audio.track {
        case .number(let number)?: number <= source.sounds.count ? source.sounds[number - 1] : nil
        case .language(let language)?: source.sounds.first { $0.language == language } ?? source.sounds.first
        case nil: nil
        }
    }

    // MARK: pipelines

    /// Returns a reason if the run is too short to close its decoder and open another, and no pipeline is spare.
    private func pipelineReason(
        _ run: RunID, _ before: SourceInspection, _ next: RunID, _ after: SourceInspection, _ timeline: Timeline
    ) -> SeamReason? {
        guard before.facts.kind == .video, after.facts.kind == .video, before.codec != after.codec,
            let length = timeline.length(of: run), length < Self.reopening, crowd.spare < 1
        else { return nil }
        let words =
            "from \(before.facts.codec) to \(after.facts.codec) after only \(millisecondsText(length)): "
            + "one pipeline more than feeds would avoid the gap (pipelines \(crowd.feeds + 1))"
        return SeamReason(code: .noPipeline, words: words)
    }
}

/// Faults of a seam that are in the frames of its files.
extension Inspections {
    /// `repeats`: the same stretch follows itself. `isSame`: the source is the same, and perhaps the stretch.
    func faultsOfFrames(from a: Item.Segment, to b: Item.Segment, repeats: Bool, isSame: Bool) -> [SeamReason] {
        var reasons: [SeamReason] = []
        func add(_ code: SeamReason.Code, _ words: String, _ remedy: Remedy?) {
            reasons.append(SeamReason(code: code, words: words, remedy: remedy))
        }
        if let uneven = unevenRate(a) { reasons.append(uneven) }
        if !isSame, let uneven = unevenRate(b) { reasons.append(uneven) }
        if let after = sources[b.source], after.facts.kind == .video, !after.startsWithKeyFrame,
            b.start == .zero
        {
            add(.noKeyFrame, "the first frame of \(b.name) is not a key frame", remedy(b) { $0.encodesFrames = true })
        }
        guard let end = stretches[a], let start = stretches[b] else { return reasons }
        // Report a black end only after a lit frame: a film that is black for long is meant to be black.
        if end.last.isBlack, let lit = end.lastLit {
            add(.blackLast, "\(a.name) ends black, from \(secondsText(lit)) s on", remedy(a) { $0.end = lit })
        }
        if start.first.isBlack, let lit = start.firstLit {
            add(.blackFirst, "\(b.name) begins black, until \(secondsText(lit)) s", remedy(b) { $0.start = lit })
        }
        if repeats, !end.last.isBlack, !start.first.isBlack { reasons += loop(a, end) }
        return reasons
    }

    /// nil if the length is unknown, or if the layout plays only a part of the file.
    private func remedy(_ segment: Item.Segment, _ change: (inout Remedy) -> Void) -> Remedy? {
        guard segment.start == .zero, segment.end == nil, let source = sources[segment.source],
            let length = source.facts.length
        else { return nil }
        return Remedy(segment.source, length).with { remedy in
            remedy.soundStart = source.sounds.first?.start ?? .zero
            remedy.colours = source.colours
            change(&remedy)
        }
    }

    private func unevenRate(_ segment: Item.Segment) -> SeamReason? {
        guard let source = sources[segment.source], let range = source.unevenFrames else { return nil }
        return SeamReason(
            code: .unevenRate,
            words:
                "the rate of \(segment.name) varies: its frames last from \(millisecondsText(range.lowerBound)) to "
                + millisecondsText(range.upperBound),
            remedy: remedy(segment) { $0.rate = source.rate ?? [30, 1] })
    }

    private func loop(_ segment: Item.Segment, _ stretch: StretchInspection) -> [SeamReason] {
        guard let second = stretch.second, stretch.lastStart > segment.start else { return [] }
        let seam = stretch.last.distance(to: stretch.first)
        let motion = stretch.first.distance(to: second)
        if seam > max(SeamJudge.apart, motion * 4) {
            let words = "the last frame of \(segment.name) does not lead to its first"
            return [SeamReason(code: .loopApart, words: words)]
        }
        guard motion > 0.5, seam * 3 < motion else { return [] }
        return [
            SeamReason(
                code: .loopRepeats, words: "the last frame of \(segment.name) equals its first: it is shown twice",
                remedy: remedy(segment) { $0.end = stretch.lastStart })
        ]
    }
}

func millisecondsText(_ time: Time) -> String { "\(fixed(time.seconds * 1000, 0)) ms" }
