import Base
import Layout
import Opened

/// The place of a feed's sequence on the clock of its group: the sequence, the start of its iteration, and the A-B
/// loop.
///
/// If a clock goes back before the first iteration, each tile is where it would have been without a late start
/// (`anchor`).
public struct Course {
    var timeline: Timeline
    var anchor: Anchor
    /// A-B loop of the group, for which the slots are planned; nil while the group plays without one.
    var abLoop: ABLoop?
    private(set) var onError: OnError

    init(_ tile: TileLayout) {
        timeline = Timeline(tile)
        anchor = Anchor(offset: tile.offset)
        onError = tile.onError
    }

    // MARK: the sequence

    /// Plays another sequence from now on.
    mutating func replaceSequence(with next: Timeline) {
        timeline = next
        anchor.delayed = nil
    }

    /// Takes the loop, the settings for decoding, the error rule and the offset from the layout. Returns the change of
    /// the offset.
    public mutating func follow(_ layout: TileLayout) -> Time {
        (timeline.sequence.loop, timeline.decoding, onError) = (layout.loop, layout.decoding, layout.onError)
        return anchor.nudge(to: layout.offset)
    }

    /// Takes the layout's settings for fetching the sources of `items`.
    public mutating func takeFetching(of items: [Item]) { timeline.sequence.takeFetching(of: items) }

    /// Puts a layer on top of all others. `begin`: group time at which it begins at the earliest.
    mutating func push(_ layer: Layer, from begin: Time?) {
        timeline.push(layer)
        anchor.delayed = begin.map { (layer.first, $0) }
    }

    /// Takes off all layers above the first `count`.
    mutating func pop(to count: Int) {
        timeline.pop(to: count)
        anchor.delayed = nil
    }

    // MARK: its place on the clock

    /// Moves the iteration so that its run begins at this group time.
    mutating func begin(_ run: RunID, at start: Time) {
        anchor.set(run.iteration, at: start - (timeline.offset(of: run) ?? timeline.start(ofItemOf: run)))
    }

    /// Begins an iteration at the start of this run's item, whatever was played of it before.
    mutating func begin(itemOf run: RunID, at start: Time) {
        anchor.set(run.iteration, at: start - timeline.start(ofItemOf: run))
    }

    /// Keeps the front at its place, and moves the rest of its iteration.
    mutating func keep(_ front: Slot?) {
        guard let front, let start = front.start, let passed = timeline.offset(of: front.run) else { return }
        anchor.set(front.run.iteration, at: start - passed)
    }

    /// Ends an iteration at this group time.
    mutating func end(_ iteration: Int, at groupTime: Time) {
        anchor.awaitsFirstFrame = false
        anchor.set(iteration, at: groupTime - (timeline.length(ofIteration: iteration) ?? .zero))
    }

    /// Moves to the iteration that plays at `groupTime`.
    mutating func move(to groupTime: Time, _ group: Group) {
        anchor = anchor(at: groupTime, group.iterations, isTogether: group.isTogether)
    }

    /// Returns to the first iteration, at the group's beginning.
    public mutating func beginAnew() { anchor.reset() }

    /// Starts the sequence when its first frame is decoded, however late.
    public mutating func awaitFirstFrame() { anchor.awaitsFirstFrame = true }

    // MARK: lengths and frames, as far as the sources are known

    /// Learns the length of a run, from its in-point and at its item's rate. An out-point past the end counts as the
    /// end.
    mutating func learn(_ facts: OpenedFacts, of run: RunID) {
        let segment = timeline.segment(of: run)
        if facts.live != nil { return timeline.learn(liveLength(of: run), of: run) }
        switch facts.kind {
        case .still: timeline.learn(timeline.stillLength(of: run) ?? Timeline.usualStill, of: run)
        case .video, .sound:
            if let length = facts.length {
                timeline.learn(
                    played(to: min(segment.end ?? length, length), of: run, frame: facts.frameLength), of: run)
            } else if facts.kind == .sound {
                timeline.learn(segment.end.map { played(to: $0, of: run, frame: facts.frameLength) }, of: run)
            }
        }
    }

    /// Returns the length of a run that ends at `end` in media time. `frame`: length of its source's frames.
    func played(to end: Time, of run: RunID, frame: Time?) -> Time {
        Timeline.length(from: timeline.segment(of: run).start, to: end, at: timeline.rate(of: run), frame: frame)
    }

    /// Returns frames and length of an item, with all its rounds.
    func expected(of item: ItemRecord, _ sources: FeedSources, _ trouble: FeedTrouble) -> ItemRecord.Expected {
        guard let whole = timeline.item(of: item.run) else { return ItemRecord.Expected() }
        let names = whole.names ?? namesOfSong(whole, sources.facts(of: whole.segments.first.source))
        var expected = ItemRecord.Expected(frames: 0, length: .zero, names: names)
        for run in timeline.runs(ofItemAt: item.run.place) {
            let facts = sources.facts(of: timeline.segment(of: run).source)
            var length = timeline.length(of: run)
            // The run failed in another iteration after this item was shown.
            if length == .zero, item.distinct > 0, let whole = facts?.length {
                length = played(
                    to: min(timeline.segment(of: run).end ?? whole, whole), of: run, frame: facts?.frameLength)
            }
            if facts == nil || facts?.kind == .video && length == .zero { expected.isBroken = true }
            let frames = facts.flatMap { self.frames(of: run, $0, trouble) }
            expected.frames = expected.frames.flatMap { sum in frames.map { sum + $0 } }
            expected.length = expected.length.flatMap { sum in length.map { sum + $0 } }
        }
        // A film shows its frames again in each round. A still of several rounds is one frame.
        if !item.isStill { expected.frames = expected.frames.map { $0 * whole.rounds } }
        if expected.length != nil { expected.length = timeline.span(at: item.run.place) }
        return expected
    }

    /// Returns the title and the artist that the file of a song states, or its lyrics; nil for a film without lyrics.
    private func namesOfSong(_ item: Item, _ facts: OpenedFacts?) -> MediaNames? {
        guard let facts else { return nil }
        let hasLyrics = if case .shown = item.lyrics { true } else { facts.subtitles.contains { $0.codec == "lrc" } }
        return facts.kind == .sound || hasLyrics
            ? MediaNames(title: facts.names.title, artist: facts.names.artist) : nil
    }

    /// Returns the number of frames of one run; nil for a variable frame rate, a live source or an unknown length. Only
    /// playing such a run shows the number.
    private func frames(of run: RunID, _ facts: OpenedFacts, _ trouble: FeedTrouble) -> Int? {
        switch facts.kind {
        case .still: return 1
        case .sound: return 0
        case .video: break
        }
        guard facts.live == nil, let frame = facts.frameLength, frame > .zero, let length = timeline.length(of: run)
        else { return nil }
        let segment = timeline.segment(of: run)
        var end = segment.start + length.played(at: timeline.rate(of: run))
        // A source that lacks parts ends earlier than its container promises.
        let lacks = length == .zero || trouble.lacksParts(of: segment.source)
        let whole = facts.statedLength ?? (lacks ? facts.length : nil)
        guard facts.hasEvenRate || whole != nil else { return nil }
        if let whole { end = max(end, min(segment.end ?? whole, whole)) }
        // The frame at the in-point may begin before it.
        let slack = frame / 16
        let first = max(0, (segment.start + slack).ticks / frame.ticks)
        return max(0, Int((end - slack).ticks / frame.ticks + 1 - first))
    }
}
