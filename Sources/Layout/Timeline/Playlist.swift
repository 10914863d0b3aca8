import Base

/// The items of a sequence in their order, and their known lengths: finds the run that plays at an offset in an
/// iteration of the sequence alone.
///
/// Lengths are in group time (the items' rates applied). They are learned when a source is opened, and corrected when
/// the source is decoded. A failed segment has length zero until it plays. At a seam that fades, the later run begins
/// before the earlier run ends. The fade shortens the iteration.
public struct Playlist: Sendable {
    public private(set) var items: [Item]
    public var loop: Loop
    /// Transition at seams for which the items set none.
    public let transition: Transition
    /// Indexed by item and segment.
    private var lengths: [[Time?]]
    /// Longest possible fade, by item.
    private var fadeLimits: [Int: Time] = [:]
    /// True if any of its seams may fade.
    let fades: Bool

    init(items: [Item], loop: Loop, transition: Transition) {
        (self.items, self.loop, self.transition) = (items, loop, transition)
        lengths = items.map { Array(repeating: nil, count: $0.segments.count) }
        fades = transition != .cut || items.contains { $0.transition ?? .cut != .cut }
    }

    /// Makes the list that replaces `before`, and keeps the known lengths.
    init(items: [Item], _ transition: Transition, following before: Playlist) {
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
        for item in items.indices { items[item].fetching = others[item].fetching }
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
        guard items.indices.contains(run.item), others.indices.contains(run.item), run.round < others[run.item].rounds
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

    /// The first run of an iteration; nil if the sequence takes no part in it.
    public func first(inIteration iteration: Int) -> RunID? {
        takesPart(inIteration: iteration) ? RunID(iteration: iteration) : nil
    }

    func item(of run: RunID) -> Item? { items.indices.contains(run.item) ? items[run.item] : nil }

    func has(_ run: RunID) -> Bool {
        items.indices.contains(run.item) && items[run.item].segments.indices.contains(run.segment)
    }

    func segment(of run: RunID) -> Item.Segment? { has(run) ? items[run.item].segments[run.segment] : nil }

    func rate(of run: RunID) -> Rate { segment(of: run).map { items[run.item].rate * $0.rate } ?? .one }

    /// Duration of a still in group time; nil if none is set. A duration that is part of a song follows the song's
    /// rate.
    func stillLength(of run: RunID) -> Time? {
        guard let segment = segment(of: run), let length = segment.duration ?? items[run.item].duration else {
            return nil
        }
        let isOfSong = segment.duration != nil && segment.songStart != nil
        return max(isOfSong ? length.lasting(at: rate(of: run)) : length, Timeline.shortestStill)
    }

    /// The run that follows in the same iteration.
    func next(after run: RunID) -> RunID? {
        var next = run
        next.segment += 1
        if next.segment < items[run.item].segments.count { return next }
        (next.segment, next.round) = (0, run.round + 1)
        if next.round < items[run.item].rounds { return next }
        (next.round, next.item) = (0, run.item + 1)
        return next.item < items.count ? next : nil
    }

    /// The run before this one, across iterations; nil for the very first.
    func run(before run: RunID) -> RunID? {
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

    // MARK: lengths

    func length(of run: RunID) -> Time? { has(run) ? lengths[run.item][run.segment] : nil }

    mutating func learn(_ length: Time?, of run: RunID) { if has(run) { lengths[run.item][run.segment] = length } }

    mutating func forgetFailures() {
        for item in lengths.indices {
            for segment in lengths[item].indices where lengths[item][segment] == .zero { lengths[item][segment] = nil }
        }
    }

    public var knowsAnything: Bool { lengths.contains { $0.contains { $0 != nil } } }

    /// Length of all segments of an item; nil until known.
    public func itemLength(_ item: Int) -> Time? { lengths.indices.contains(item) ? sum(lengths[item]) : nil }

    func length(ofSegmentsBefore run: RunID) -> Time {
        has(run) ? lengths[run.item][..<run.segment].reduce(.zero) { $0 + ($1 ?? .zero) } : .zero
    }

    /// Beginning of an item in an iteration, as far as lengths are known.
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

    /// Beginning of a run in an iteration; nil until known.
    func offset(of run: RunID) -> Time? {
        var offset = start(ofItem: run.item)
        if run.round > 0 {
            guard let length = itemLength(run.item) else { return nil }
            offset += (length - fade(before: RunID(iteration: 0, item: run.item, round: 1))) * Int64(run.round)
        }
        return sum(Array(lengths[run.item][..<run.segment])).map { offset + $0 }
    }

    func length(ofIteration iteration: Int) -> Time? {
        var total = Time.zero
        for item in items.indices {
            guard let span = span(ofItem: item) else { return nil }
            total = min(total + span - fade(after: item, inIteration: iteration), .distantFuture)
        }
        return total
    }

    // MARK: fades

    /// Transition that the layout sets before a run.
    func wantedTransition(before run: RunID) -> Transition {
        if run.segment > 0 { return .cut }
        return run.round > 0 ? transition : item(of: run)?.transition ?? transition
    }

    /// Time for which a run and the run before it are both shown. At most half of the shorter item.
    func fade(before run: RunID) -> Time {
        guard fades, run.round > 0 || run.item > 0 || run.iteration > 0 else { return .zero }
        let wanted = wantedTransition(before: run).length
        if wanted == .zero { return .zero }
        let before = run.round > 0 ? run.item : run.item > 0 ? run.item - 1 : items.count - 1
        return min(wanted, longestFade(outOf: before) ?? wanted, longestFade(into: run.item) ?? wanted)
    }

    /// Longest fade at the end of an item; nil if there is no limit.
    func longestFade(outOf item: Int) -> Time? { longestFade(of: item, within: items[item].segments.count - 1) }

    /// Longest fade at the beginning of an item; nil if there is no limit.
    func longestFade(into item: Int) -> Time? { longestFade(of: item, within: 0) }

    /// Half of the item, and not more than this segment if it has several.
    private func longestFade(of item: Int, within segment: Int) -> Time? {
        let part = items[item].segments.count > 1 ? lengths[item][segment] : nil
        return [fadeLimits[item], itemLength(item).map { $0 / 2 }, part].compactMap { $0 }.min()
    }

    func fade(after item: Int, inIteration iteration: Int) -> Time {
        if item + 1 < items.count { return fade(before: RunID(iteration: iteration, item: item + 1)) }
        return first(inIteration: iteration + 1).map(fade) ?? .zero
    }

    public func fadeLimit(ofItem item: Int) -> Time? { fadeLimits[item] }

    /// Sets the longest fade that an item can take part in.
    mutating func limitFade(ofItem item: Int, to limit: Time) { fadeLimits[item] = limit }

    mutating func forgetFadeLimits() { fadeLimits = [:] }

    // MARK: positions

    func position(at offset: Time, inIteration iteration: Int) -> Timeline.Position {
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
