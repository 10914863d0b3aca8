import Base

/// Identifier of a run: one stretch of one source that is played through once. A slot holds one run.
public struct RunID: Hashable, Comparable, Sendable {
    public var iteration: Int
    public var item: Int
    public var round: Int
    public var segment: Int

    public init(iteration: Int, item: Int = 0, round: Int = 0, segment: Int = 0) {
        (self.iteration, self.item, self.round, self.segment) = (iteration, item, round, segment)
    }

    public static func < (a: RunID, b: RunID) -> Bool {
        (a.iteration, a.item, a.round, a.segment) < (b.iteration, b.item, b.round, b.segment)
    }
}

/// The order of a sequence and its known lengths: finds the run that plays at an offset in an iteration.
///
/// Lengths are in group time (the items' rates applied). They are learned when a source is opened and corrected by what
/// the decoder finds. A failed segment has length zero until it plays. Where a seam fades, the later run begins before
/// the earlier one ends, and the iteration is shorter by that.
public struct Timeline: Sendable {
    public private(set) var items: [Item]
    public var loop: Loop
    /// Transition at seams for which the items set none.
    public let transition: Transition
    /// Indexed by item and segment.
    private var lengths: [[Time?]]
    /// Longest possible fade, by item.
    private var fadeLimits: [Int: Time] = [:]
    /// True if any seam may fade.
    public let fades: Bool

    public init(items: [Item], loop: Loop, transition: Transition = .cut) {
        (self.items, self.loop, self.transition) = (items, loop, transition)
        lengths = items.map { Array(repeating: nil, count: $0.segments.count) }
        fades = transition != .cut || items.contains { $0.transition ?? .cut != .cut }
    }

    /// Makes the timeline of another sequence; keeps the lengths that are known already.
    public init(items: [Item], _ transition: Transition, following before: Timeline) {
        self.init(items: items, loop: before.loop, transition: transition)
        // Sequences may have thousands of items.
        let places = Dictionary(
            before.items.enumerated().map { ($1.playedOnce, $0) }, uniquingKeysWith: { first, _ in first })
        for item in items.indices {
            if let known = places[items[item].playedOnce] { lengths[item] = before.lengths[known] }
        }
    }

    /// Copies the settings for fetching sources from the tile's current version of this sequence.
    public mutating func takeFetching(of others: [Item]) {
        guard others.count == items.count else { return }
        for item in items.indices {
            (items[item].ahead, items[item].maxBitrate) = (others[item].ahead, others[item].maxBitrate)
        }
    }

    /// Index of this sequence's item in another sequence; nil if it is not there.
    public func place(of item: Int, in others: [Item]) -> Int? {
        // The item that was on the screen last may not be in this sequence.
        guard items.indices.contains(item) else { return nil }
        let same = items[item].sequenced
        if others.indices.contains(item), others[item].sequenced == same { return item }
        return others.firstIndex { $0.sequenced == same }
    }

    /// Like `place(of:in:)`, but finds the item also if its number of rounds changed and `others` has the current
    /// round.
    public func place(of run: RunID, in others: [Item]) -> Int? {
        if let place = place(of: run.item, in: others) { return place }
        guard items.indices.contains(run.item), others.indices.contains(run.item),
            run.round < others[run.item].rounds
        else { return nil }
        return items[run.item].playedOnce == others[run.item].playedOnce ? run.item : nil
    }

    // MARK: order

    public func takesPart(inIteration iteration: Int) -> Bool {
        switch loop {
        case .forever: true
        case .iterations(let count): iteration < count
        }
    }

    /// True if the sequence has the run's item and segment. A frame may outlive its run if an edit removes the run.
    public func has(_ run: RunID) -> Bool {
        items.indices.contains(run.item) && items[run.item].segments.indices.contains(run.segment)
    }

    /// Placeholder for a segment that the sequence does not have.
    private static let missingSegment = Item.Segment(source: "")

    public func segment(of run: RunID) -> Item.Segment {
        has(run) ? items[run.item].segments[run.segment] : Self.missingSegment
    }
    public func rate(of run: RunID) -> Rate { has(run) ? items[run.item].rate * segment(of: run).rate : .one }

    /// Duration of a still for which the layout sets none.
    public static let usualStill = Time.seconds(5)

    /// Duration of a still in group time; nil if none is set. A duration that is part of a song follows the song's
    /// rate.
    public func stillLength(of run: RunID) -> Time? {
        let segment = segment(of: run)
        guard has(run), let length = segment.duration ?? items[run.item].duration else { return nil }
        let isOfSong = segment.duration != nil && segment.songStart != nil
        return max(isOfSong ? length.lasting(at: rate(of: run)) : length, Self.shortestStill)
    }

    /// A still is shown for at least one frame of a common display. Each run costs planning, events and two lines of
    /// the trace, so shorter runs would cost much and show nothing.
    public static let shortestStill = Time.milliseconds(16)
    /// Shortest run of a film or a sound: about one frame at 240 a second.
    public static let shortestRun = Time.milliseconds(4)
    /// Limit on the frame duration used below: a film of few frames a second may have runs shorter than one frame.
    private static let longestFrame = Time.milliseconds(50)

    /// Group time that media time from `start` to `end` takes at this rate: zero, or at least one frame of the source.
    public static func length(from start: Time, to end: Time, at rate: Rate, frame: Time?) -> Time {
        let length = max(.zero, end - start).lasting(at: rate)
        guard length > .zero else { return .zero }
        let frame = min(max(frame ?? .zero, .zero), longestFrame).lasting(at: rate)
        return max(length, shortestRun, frame)
    }

    /// The run that follows in the same iteration.
    public func next(after run: RunID) -> RunID? {
        var next = run
        next.segment += 1
        if next.segment < items[run.item].segments.count { return next }
        (next.segment, next.round) = (0, run.round + 1)
        if next.round < items[run.item].rounds { return next }
        (next.round, next.item) = (0, run.item + 1)
        return next.item < items.count ? next : nil
    }

    /// True if `b` shows the same frames as `a`.
    public func repeats(_ a: RunID, _ b: RunID) -> Bool {
        a.item == b.item && a.segment == b.segment
            || (segment(of: a) == segment(of: b) && looksAlike(items[a.item], items[b.item]))
    }

    private func looksAlike(_ a: Item, _ b: Item) -> Bool {
        a.rate == b.rate && a.turn == b.turn && a.flip == b.flip && a.duration == b.duration
            && a.deinterlacing == b.deinterlacing
    }

    // MARK: lengths

    public func length(of run: RunID) -> Time? { has(run) ? lengths[run.item][run.segment] : nil }

    public mutating func learn(_ length: Time?, of run: RunID) {
        if has(run) { lengths[run.item][run.segment] = length }
    }

    /// Forgets the lengths of failed segments, so that they are tried again.
    public mutating func forgetFailures() {
        for item in lengths.indices {
            for segment in lengths[item].indices where lengths[item][segment] == .zero { lengths[item][segment] = nil }
        }
    }

    public var knowsAnything: Bool { lengths.contains { $0.contains { $0 != nil } } }

    /// Length of all segments of an item; nil until known.
    public func itemLength(_ item: Int) -> Time? { lengths.indices.contains(item) ? sum(lengths[item]) : nil }

    /// Length of the segments before a run in its item, as far as known.
    public func length(ofSegmentsBefore run: RunID) -> Time {
        has(run) ? lengths[run.item][..<run.segment].reduce(.zero) { $0 + ($1 ?? .zero) } : .zero
    }

    /// Beginning of an item in its iteration, as far as lengths are known.
    public func start(ofItem item: Int) -> Time {
        (0..<item).reduce(.zero) { $0 + (span(ofItem: $1) ?? .zero) - fade(before: RunID(iteration: 0, item: $1 + 1)) }
    }

    /// Length of all rounds of an item; nil until known.
    public func span(ofItem item: Int) -> Time? {
        itemLength(item).map { length in
            let rounds = Int64(items[item].rounds)
            return min(
                length * rounds - fade(before: RunID(iteration: 0, item: item, round: 1)) * (rounds - 1), .distantFuture
            )
        }
    }

    /// Beginning of a run in its iteration; nil until known.
    public func offset(of run: RunID) -> Time? {
        var offset = start(ofItem: run.item)
        if run.round > 0 {
            guard let length = itemLength(run.item) else { return nil }
            offset += (length - fade(before: RunID(iteration: 0, item: run.item, round: 1))) * Int64(run.round)
        }
        return sum(Array(lengths[run.item][..<run.segment])).map { offset + $0 }
    }

    /// Time from the beginning of the first iteration to the next, or to its end if none follows; nil until known.
    public var iterationLength: Time? { length(ofIteration: 0) }

    /// Length of the last iteration; nil if the sequence loops forever or the length is unknown.
    public var lastIterationLength: Time? {
        if case .iterations(let count) = loop { length(ofIteration: count - 1) } else { nil }
    }

    public func length(ofIteration iteration: Int) -> Time? {
        var total = Time.zero
        for item in items.indices {
            guard let span = span(ofItem: item) else { return nil }
            total = min(total + span - fade(after: item, inIteration: iteration), .distantFuture)
        }
        return total
    }

    // MARK: fades

    /// Transition that the layout sets before a run.
    public func wantedTransition(before run: RunID) -> Transition {
        if run.segment > 0 { return .cut }
        return run.round > 0 ? transition : items[run.item].transition ?? transition
    }

    /// Time by which a run begins before the one ahead of it ends, with both shown. At most half of the shorter item.
    public func fade(before run: RunID) -> Time {
        guard fades, run.round > 0 || run.item > 0 || run.iteration > 0 else { return .zero }
        let wanted = wantedTransition(before: run).length
        if wanted == .zero { return .zero }
        let before = run.round > 0 ? run.item : run.item > 0 ? run.item - 1 : items.count - 1
        var longest = wanted
        for item in [before, run.item] {
            longest = min(longest, fadeLimits[item] ?? wanted, itemLength(item).map { $0 / 2 } ?? wanted)
        }
        // Only the segments next to the seam overlap.
        if items[before].segments.count > 1, let last = lengths[before].last ?? nil { longest = min(longest, last) }
        if items[run.item].segments.count > 1, let first = lengths[run.item][0] { longest = min(longest, first) }
        return longest
    }

    private func fade(after item: Int, inIteration iteration: Int) -> Time {
        if item + 1 < items.count { return fade(before: RunID(iteration: iteration, item: item + 1)) }
        return takesPart(inIteration: iteration + 1) ? fade(before: RunID(iteration: iteration + 1)) : .zero
    }

    public func fadeLimit(ofItem item: Int) -> Time? { fadeLimits[item] }

    /// Sets the longest fade that an item can take part in.
    public mutating func limitFade(ofItem item: Int, to limit: Time) { fadeLimits[item] = limit }

    public mutating func forgetFadeLimits() { fadeLimits = [:] }

    /// The run before this one, across iterations; nil for the very first.
    public func run(before run: RunID) -> RunID? {
        var before = run
        if run.segment > 0 {
            before.segment -= 1
            return before
        }
        if run.round > 0 {
            before.round -= 1
        } else if run.item > 0 {
            (before.item, before.round) = (run.item - 1, items[run.item - 1].rounds - 1)
        } else {
            guard run.iteration > 0 else { return nil }
            (before.iteration, before.item) = (run.iteration - 1, items.count - 1)
            before.round = items[before.item].rounds - 1
        }
        before.segment = items[before.item].segments.count - 1
        return before
    }

    /// Each segment of an item once, as a run of the first iteration.
    public func runs(ofItem item: Int) -> [RunID] {
        items[item].segments.indices.map { RunID(iteration: 0, item: item, segment: $0) }
    }

    /// Each segment of this source once, as runs of the first iteration.
    public func runs(of source: String) -> [RunID] {
        items.indices.flatMap(runs).filter { segment(of: $0).source == source }
    }

    // MARK: positions

    public enum Position: Equatable, Sendable {
        /// The run that plays, and its beginning counted from the beginning of the iteration.
        case run(RunID, start: Time)
        /// The length of this run must be known first.
        case unknown(RunID, start: Time)
        /// The iteration is over; it has this length.
        case over(length: Time)
    }

    /// Returns the run that plays at `offset` from the beginning of the iteration. Negative offsets belong to the first
    /// run.
    public func position(at offset: Time, inIteration iteration: Int) -> Position {
        var start = Time.zero
        for item in items.indices {
            var run = RunID(iteration: iteration, item: item)
            if let length = itemLength(item), let span = span(ofItem: item) {
                let next = start + span - fade(after: item, inIteration: iteration)
                if length == .zero || offset >= next {
                    start = next
                    continue
                }
                let turn = length - fade(before: RunID(iteration: iteration, item: item, round: 1))
                run.round = min(items[item].rounds - 1, max(0, Int((offset - start).ticks / turn.ticks)))
                start += turn * Int64(run.round)
            }
            for segment in items[item].segments.indices {
                run.segment = segment
                guard let length = lengths[item][segment] else {
                    return offset <= start ? .run(run, start: start) : .unknown(run, start: start)
                }
                if offset < start + length { return .run(run, start: start) }
                start += length
            }
        }
        return .over(length: start)
    }

    private func sum(_ lengths: [Time?]) -> Time? {
        lengths.reduce(Time.zero as Time?) { total, length in
            guard let total, let length else { return nil }
            return total + length
        }
    }
}
