import Base

/// The order of a sequence and its known lengths: finds the run that plays at an offset in an iteration.
///
/// Lengths are in group time (the items' rates applied). They are learned when a source is opened, and corrected when
/// the source is decoded. A failed segment has length zero until it plays. At a seam that fades, the later run begins
/// before the earlier run ends. The fade shortens the iteration.
public struct Timeline: Sendable {
    public private(set) var items: [Item]
    public var loop: Loop
    /// Settings for decoding all of its items and those on top.
    public var decoding = DecodeSettings()
    /// Transition at seams for which the items set none.
    public let transition: Transition
    /// Indexed by item and segment.
    private var lengths: [[Time?]]
    /// Longest possible fade, by item.
    private var fadeLimits: [Int: Time] = [:]
    /// True if any seam of its own items may fade.
    private let ownItemsFade: Bool
    /// At most one element. An array, since a `TopSequence` contains a `Timeline`, and no struct can contain itself.
    private var tops: [TopSequence] = []

    public init(items: [Item], loop: Loop, transition: Transition = .cut) {
        (self.items, self.loop, self.transition) = (items, loop, transition)
        lengths = items.map { Array(repeating: nil, count: $0.segments.count) }
        ownItemsFade = transition != .cut || items.contains { $0.transition ?? .cut != .cut }
    }

    public init(_ tile: TileLayout) {
        self.init(items: tile.play, loop: tile.loop, transition: tile.transition)
        decoding = tile.decoding
    }

    /// Makes the timeline of the sequence that replaces that of `before`, and keeps the known lengths. Items on top
    /// stay if the item that they follow or interrupt is in the new sequence.
    public init(items: [Item], _ transition: Transition, following before: Timeline) {
        self.init(items: items, loop: before.loop, transition: transition)
        decoding = before.decoding
        // Sequences may have thousands of items.
        let places = Dictionary(
            before.items.enumerated().map { ($1.playedOnce, $0) }, uniquingKeysWith: { first, _ in first })
        for item in items.indices {
            if let known = places[items[item].playedOnce] { lengths[item] = before.lengths[known] }
        }
        if let top = before.top, let item = before.place(of: top.place.leftRun, in: items) {
            tops = [top.moved(to: item)]
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
    /// round. nil for a run on top.
    public func place(of run: RunID, in others: [Item]) -> Int? {
        if run.part == .top { return nil }
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

    /// Returns an item of the sequence or on top of it, with the settings for all items; nil if it is not there.
    public func item(at place: ItemPlace) -> Item? {
        if place.isOnTop { return top?.timeline.item(at: ItemPlace(place.item))?.inTile(decoding) }
        return items.indices.contains(place.item) ? items[place.item].inTile(decoding) : nil
    }

    public func item(of run: RunID) -> Item? { item(at: run.place) }

    /// True if the sequence has the run's item and segment. A frame may outlive its run if an edit removes the run.
    public func has(_ run: RunID) -> Bool {
        if run.part == .top { return top?.timeline.has(run.ofOwnTimeline) ?? false }
        return items.indices.contains(run.item) && items[run.item].segments.indices.contains(run.segment)
    }

    /// Placeholder for a segment that the sequence does not have.
    private static let missingSegment = Item.Segment(source: "")

    public func segment(of run: RunID) -> Item.Segment {
        if run.part == .top { return top?.timeline.segment(of: run.ofOwnTimeline) ?? Self.missingSegment }
        return has(run) ? items[run.item].segments[run.segment] : Self.missingSegment
    }

    public func rate(of run: RunID) -> Rate {
        if run.part == .top { return top?.timeline.rate(of: run.ofOwnTimeline) ?? .one }
        return has(run) ? items[run.item].rate * segment(of: run).rate : .one
    }

    /// Duration of a still for which the layout sets none.
    public static let usualStill = Time.seconds(5)

    /// Duration of a still in group time; nil if none is set. A duration that is part of a song follows the song's
    /// rate.
    public func stillLength(of run: RunID) -> Time? {
        let segment = segment(of: run)
        guard has(run), let length = segment.duration ?? item(of: run)?.duration else { return nil }
        let isOfSong = segment.duration != nil && segment.songStart != nil
        return max(isOfSong ? length.lasting(at: rate(of: run)) : length, Self.shortestStill)
    }

    /// A still is shown for at least one frame of a common display. Each run costs planning, events and two lines of
    /// the trace, so shorter runs would cost much and show nothing.
    public static let shortestStill = Time.milliseconds(16)
    /// Shortest run of a film or a sound: about one frame at 240 a second.
    public static let shortestRun = Time.milliseconds(4)
    /// Largest frame duration that `length` takes into account: at a low frame rate, runs may be shorter than a frame.
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
        top.map { next(after: run, with: $0) } ?? nextOfSequence(after: run.whole)
    }

    /// The run that follows in the same iteration of the sequence, without the items on top.
    func nextOfSequence(after run: RunID) -> RunID? {
        var next = run
        next.segment += 1
        if next.segment < items[run.item].segments.count { return next }
        (next.segment, next.round) = (0, run.round + 1)
        if next.round < items[run.item].rounds { return next }
        (next.round, next.item) = (0, run.item + 1)
        return next.item < items.count ? next : nil
    }

    /// The run that ends an iteration.
    public func lastRun(inIteration iteration: Int) -> RunID {
        run(before: RunID(iteration: iteration + 1)) ?? RunID(iteration: iteration)
    }

    /// True if `b` shows the same frames as `a`.
    public func repeats(_ a: RunID, _ b: RunID) -> Bool {
        a.place == b.place && a.segment == b.segment
            || (segment(of: a) == segment(of: b) && looksAlike(item(of: a), item(of: b)))
    }

    private func looksAlike(_ a: Item?, _ b: Item?) -> Bool {
        guard let a, let b else { return false }
        return a.rate == b.rate && a.duration == b.duration && a.look.decoding == b.look.decoding
    }

    // MARK: lengths

    /// Length of a run. For the rest of an interrupted run, the length of the whole run.
    public func length(of run: RunID) -> Time? {
        if run.part == .top { return top?.timeline.length(of: run.ofOwnTimeline) }
        return has(run) ? lengths[run.item][run.segment] : nil
    }

    public mutating func learn(_ length: Time?, of run: RunID) {
        guard has(run) else { return }
        if run.part == .top {
            tops[0].timeline.learn(length, of: run.ofOwnTimeline)
        } else {
            lengths[run.item][run.segment] = length
        }
    }

    /// Forgets the lengths of failed segments, so that they are tried again.
    public mutating func forgetFailures() {
        for item in lengths.indices {
            for segment in lengths[item].indices where lengths[item][segment] == .zero { lengths[item][segment] = nil }
        }
        if !tops.isEmpty { tops[0].timeline.forgetFailures() }
    }

    public var knowsAnything: Bool { lengths.contains { $0.contains { $0 != nil } } }

    /// Length of all segments of an item; nil until known.
    public func itemLength(_ item: Int) -> Time? { lengths.indices.contains(item) ? sum(lengths[item]) : nil }

    public func itemLength(at place: ItemPlace) -> Time? {
        place.isOnTop ? top?.timeline.itemLength(place.item) : itemLength(place.item)
    }

    /// Length of the segments before a run in its item, as far as known.
    public func length(ofSegmentsBefore run: RunID) -> Time {
        if run.part == .top { return top?.timeline.length(ofSegmentsBefore: run.ofOwnTimeline) ?? .zero }
        return has(run) ? lengths[run.item][..<run.segment].reduce(.zero) { $0 + ($1 ?? .zero) } : .zero
    }

    /// Beginning of an item in an iteration without anything on top, as far as lengths are known.
    public func start(ofItem item: Int) -> Time {
        (0..<item).reduce(.zero) {
            $0 + (span(ofItem: $1) ?? .zero) - fadeInSequence(before: RunID(iteration: 0, item: $1 + 1))
        }
    }

    /// Length of all rounds of an item; nil until known.
    public func span(ofItem item: Int) -> Time? {
        itemLength(item).map { length in
            let rounds = Int64(items[item].rounds)
            return min(
                length * rounds - fadeInSequence(before: RunID(iteration: 0, item: item, round: 1)) * (rounds - 1),
                .distantFuture)
        }
    }

    public func span(at place: ItemPlace) -> Time? {
        place.isOnTop ? top?.timeline.span(ofItem: place.item) : span(ofItem: place.item)
    }

    /// Beginning of a run in its iteration; nil until known. For the rest of a run, the beginning of the whole run.
    public func offset(of run: RunID) -> Time? {
        top.map { offset(of: run, with: $0) } ?? offsetInSequence(of: run.whole)
    }

    /// Beginning of a run in an iteration without anything on top; nil until known.
    func offsetInSequence(of run: RunID) -> Time? {
        var offset = start(ofItem: run.item)
        if run.round > 0 {
            guard let length = itemLength(run.item) else { return nil }
            offset +=
                (length - fadeInSequence(before: RunID(iteration: 0, item: run.item, round: 1))) * Int64(run.round)
        }
        return sum(Array(lengths[run.item][..<run.segment])).map { offset + $0 }
    }

    /// Time from the beginning of the first iteration to the next, or to its end if none follows, without anything on
    /// top; nil until known.
    public var iterationLength: Time? { lengthInSequence(ofIteration: 0) }

    /// Length of the last iteration; nil if the sequence loops forever or the length is unknown.
    public var lastIterationLength: Time? {
        if case .iterations(let count) = loop { length(ofIteration: count - 1) } else { nil }
    }

    public func length(ofIteration iteration: Int) -> Time? {
        guard let top, top.iteration == iteration else { return lengthInSequence(ofIteration: iteration) }
        guard let own = lengthInSequence(ofIteration: iteration), let delay = delayOfNextIteration(by: top) else {
            return nil
        }
        return min(own + delay, .distantFuture)
    }

    func lengthInSequence(ofIteration iteration: Int) -> Time? {
        var total = Time.zero
        for item in items.indices {
            guard let span = span(ofItem: item) else { return nil }
            total = min(total + span - fade(after: item, inIteration: iteration), .distantFuture)
        }
        return total
    }

    // MARK: fades

    /// True if any seam may fade.
    public var fades: Bool { ownItemsFade || top?.timeline.ownItemsFade ?? false }

    /// Transition that the layout sets before a run.
    public func wantedTransition(before run: RunID) -> Transition {
        if run.part == .rest { return top?.transitionToRest(of: self) ?? .cut }
        if run.segment > 0 { return .cut }
        return run.round > 0 ? transition : item(of: run)?.transition ?? transition
    }

    /// Time for which a run and the run before it are both shown. At most half of the shorter item.
    public func fade(before run: RunID) -> Time {
        top.map { fade(before: run, with: $0) } ?? fadeInSequence(before: run.whole)
    }

    /// The same for runs of the sequence, without the items on top.
    func fadeInSequence(before run: RunID) -> Time {
        guard ownItemsFade, run.round > 0 || run.item > 0 || run.iteration > 0 else { return .zero }
        let wanted = wantedTransition(before: run).length
        if wanted == .zero { return .zero }
        let before = run.round > 0 ? run.item : run.item > 0 ? run.item - 1 : items.count - 1
        var longest = wanted
        longest = min(longest, longestFade(outOf: before) ?? wanted, longestFade(into: run.item) ?? wanted)
        return longest
    }

    /// Longest fade at the end of an item: half of the item, and not more than its last segment. nil if there is no
    /// limit.
    func longestFade(outOf item: Int) -> Time? {
        let last = items[item].segments.count > 1 ? lengths[item].last ?? nil : nil
        return [fadeLimits[item], itemLength(item).map { $0 / 2 }, last].compactMap { $0 }.min()
    }

    /// Longest fade at the beginning of an item: half of the item, and not more than its first segment. nil if there is
    /// no limit.
    func longestFade(into item: Int) -> Time? {
        let first = items[item].segments.count > 1 ? lengths[item][0] : nil
        return [fadeLimits[item], itemLength(item).map { $0 / 2 }, first].compactMap { $0 }.min()
    }

    func fade(after item: Int, inIteration iteration: Int) -> Time {
        if item + 1 < items.count { return fadeInSequence(before: RunID(iteration: iteration, item: item + 1)) }
        return takesPart(inIteration: iteration + 1) ? fadeInSequence(before: RunID(iteration: iteration + 1)) : .zero
    }

    public func fadeLimit(ofItem item: Int) -> Time? { fadeLimits[item] }

    public func fadeLimit(at place: ItemPlace) -> Time? {
        place.isOnTop ? top?.timeline.fadeLimit(ofItem: place.item) : fadeLimit(ofItem: place.item)
    }

    /// Sets the longest fade that an item can take part in.
    public mutating func limitFade(ofItem item: Int, to limit: Time) { fadeLimits[item] = limit }

    public mutating func limitFade(at place: ItemPlace, to limit: Time) {
        if !place.isOnTop {
            limitFade(ofItem: place.item, to: limit)
        } else if !tops.isEmpty {
            tops[0].timeline.limitFade(ofItem: place.item, to: limit)
        }
    }

    public mutating func forgetFadeLimits() {
        fadeLimits = [:]
        if !tops.isEmpty { tops[0].timeline.forgetFadeLimits() }
    }

    /// The run before this one, across iterations; nil for the very first.
    public func run(before run: RunID) -> RunID? {
        top.map { self.run(before: run, with: $0) } ?? runInSequence(before: run.whole)
    }

    /// The run before this one in the sequence, without the items on top.
    func runInSequence(before run: RunID) -> RunID? {
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

    public func runs(ofItemAt place: ItemPlace) -> [RunID] {
        place.isOnTop ? runsOnTop.filter { $0.item == place.item } : runs(ofItem: place.item)
    }

    /// Each segment of the sequence and of the items on top once.
    public var allRuns: [RunID] { items.indices.flatMap(runs) + runsOnTop }

    /// Each segment of this source once.
    public func runs(of source: String) -> [RunID] { allRuns.filter { segment(of: $0).source == source } }

    // MARK: items on top

    public var top: TopSequence? {
        @inline(__always) get { tops.first }
    }

    /// Puts items on top of the sequence.
    public mutating func cover(with top: TopSequence) { tops = [top] }

    /// Moves the place at which the items on top interrupt a run.
    public mutating func interrupt(at offset: Time) { if !tops.isEmpty { tops[0].interrupt(at: offset) } }

    /// Takes the items on top off the sequence.
    public mutating func uncover() { tops = [] }

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
        guard let top, top.iteration == iteration else {
            return positionInSequence(at: offset, inIteration: iteration)
        }
        return position(at: offset, with: top)
    }

    func positionInSequence(at offset: Time, inIteration iteration: Int) -> Position {
        var start = Time.zero
        for item in items.indices {
            var run = RunID(iteration: iteration, item: item)
            if let length = itemLength(item), let span = span(ofItem: item) {
                let next = start + span - fade(after: item, inIteration: iteration)
                if length == .zero || offset >= next {
                    start = next
                    continue
                }
                let turn = length - fadeInSequence(before: RunID(iteration: iteration, item: item, round: 1))
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
