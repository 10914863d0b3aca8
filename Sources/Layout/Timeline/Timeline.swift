import Base

/// Items of a feed in the order in which they play: a sequence, and at most one sequence of items on top of it (a break). Finds the run
/// that plays at an offset in an iteration.
///
/// Functions that take a run or a place answer for runs of both. `sequence` answers for the sequence alone.
public struct Timeline: Sendable {
    public private(set) var sequence: Playlist
    /// The items on top of the sequence; nil while there are none.
    public private(set) var top: TopSequence?
    /// Settings for decoding all of its items and those on top.
    public var decoding = DecodeSettings()

    public init(items: [Item], loop: Loop, transition: Transition = .cut) {
        sequence = Playlist(items: items, loop: loop, transition: transition)
    }

    public init(_ tile: TileLayout) {
        self.init(items: tile.play, loop: tile.loop, transition: tile.transition)
        decoding = tile.decoding
    }

    /// Makes the timeline of the sequence that replaces that of `before`, and keeps the known lengths. Items on top
    /// stay if the item that they follow or interrupt is in the new sequence.
    public init(items: [Item], _ transition: Transition, following before: Timeline) {
        sequence = Playlist(items: items, transition, following: before.sequence)
        decoding = before.decoding
        top = before.top.flatMap { top in before.place(of: top.place.leftRun, in: items).map(top.moved(to:)) }
    }

    public var items: [Item] { sequence.items }
    public var transition: Transition { sequence.transition }
    public var loop: Loop {
        get { sequence.loop }
        set { sequence.loop = newValue }
    }

    /// Copies the settings for fetching sources from the tile's current version of this sequence.
    public mutating func takeFetching(of others: [Item]) { sequence.takeFetching(of: others) }

    /// Index of the run's item in another sequence; nil if it is not there, or on top.
    public func place(of run: RunID, in others: [Item]) -> Int? {
        run.part == .top ? nil : sequence.place(of: run, in: others)
    }

    /// Returns the list that has a run, and the run in that list.
    private func list(of run: RunID) -> (Playlist, RunID)? {
        run.part == .top ? top.map { ($0.list, run.ofOwnTimeline) } : (sequence, run)
    }

    private func list(of place: ItemPlace) -> Playlist? { place.isOnTop ? top?.list : sequence }

    /// Changes the list that has a run or an item.
    private mutating func change(onTop isOnTop: Bool, _ body: (inout Playlist) -> Void) {
        if !isOnTop { body(&sequence) } else if top != nil { body(&top!.list) }
    }

    // MARK: order

    public func takesPart(inIteration iteration: Int) -> Bool { sequence.takesPart(inIteration: iteration) }

    /// Returns an item of the sequence or on top of it, with the settings for all items; nil if it is not there.
    public func item(at place: ItemPlace) -> Item? {
        list(of: place).flatMap { $0.items.indices.contains(place.item) ? $0.items[place.item].inTile(decoding) : nil }
    }

    public func item(of run: RunID) -> Item? { item(at: run.place) }

    /// True if the sequence has the run's item and segment. A frame may outlive its run if an edit removes the run.
    public func has(_ run: RunID) -> Bool { list(of: run).map { $0.has($1) } ?? false }

    public func segment(of run: RunID) -> Item.Segment {
        list(of: run).map { $0.segment(of: $1) } ?? Item.Segment(source: "")
    }

    public func rate(of run: RunID) -> Rate { list(of: run).map { $0.rate(of: $1) } ?? .one }

    /// Duration of a still for which the layout sets none.
    public static let usualStill = Time.seconds(5)

    /// Duration of a still in group time; nil if none is set.
    public func stillLength(of run: RunID) -> Time? { list(of: run).flatMap { $0.stillLength(of: $1) } }

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
        top.map { next(after: run, with: $0) } ?? sequence.next(after: run.whole)
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
    public func length(of run: RunID) -> Time? { list(of: run).flatMap { $0.length(of: $1) } }

    public mutating func learn(_ length: Time?, of run: RunID) {
        let own = run.part == .top ? run.ofOwnTimeline : run
        change(onTop: run.part == .top) { $0.learn(length, of: own) }
    }

    /// Forgets the lengths of failed segments, so that they are tried again.
    public mutating func forgetFailures() {
        for isOnTop in [false, true] { change(onTop: isOnTop) { $0.forgetFailures() } }
    }

    public var knowsAnything: Bool { sequence.knowsAnything }

    public func itemLength(at place: ItemPlace) -> Time? { list(of: place).flatMap { $0.itemLength(place.item) } }

    /// Length of the segments before a run in its item, as far as known.
    public func length(ofSegmentsBefore run: RunID) -> Time {
        list(of: run).map { $0.length(ofSegmentsBefore: $1) } ?? .zero
    }

    public func span(at place: ItemPlace) -> Time? { list(of: place).flatMap { $0.span(ofItem: place.item) } }

    /// Beginning of a run in its iteration; nil until known. For the rest of a run, the beginning of the whole run.
    public func offset(of run: RunID) -> Time? {
        top.map { offset(of: run, with: $0) } ?? sequence.offset(of: run.whole)
    }

    /// Time from the beginning of the first iteration to the next, or to its end if none follows, without anything on
    /// top; nil until known.
    public var iterationLength: Time? { sequence.length(ofIteration: 0) }

    /// Length of the last iteration; nil if the sequence loops forever or the length is unknown.
    public var lastIterationLength: Time? {
        if case .iterations(let count) = loop { length(ofIteration: count - 1) } else { nil }
    }

    public func length(ofIteration iteration: Int) -> Time? {
        guard let top, top.iteration == iteration else { return sequence.length(ofIteration: iteration) }
        guard let own = sequence.length(ofIteration: iteration), let delay = delayOfNextIteration(by: top) else {
            return nil
        }
        return min(own + delay, .distantFuture)
    }

    // MARK: fades

    /// True if any seam may fade.
    public var fades: Bool { sequence.fades || top?.list.fades ?? false }

    /// Transition that the layout sets before a run.
    public func wantedTransition(before run: RunID) -> Transition {
        if run.part == .rest { return top?.transitionToRest(of: self) ?? .cut }
        if run.segment > 0 { return .cut }
        return run.round > 0 ? transition : item(of: run)?.transition ?? transition
    }

    /// Time for which a run and the run before it are both shown. At most half of the shorter item.
    public func fade(before run: RunID) -> Time {
        top.map { fade(before: run, with: $0) } ?? sequence.fade(before: run.whole)
    }

    public func fadeLimit(at place: ItemPlace) -> Time? { list(of: place)?.fadeLimit(ofItem: place.item) }

    /// Sets the longest fade that an item can take part in.
    public mutating func limitFade(at place: ItemPlace, to limit: Time) {
        change(onTop: place.isOnTop) { $0.limitFade(ofItem: place.item, to: limit) }
    }

    public mutating func forgetFadeLimits() {
        for isOnTop in [false, true] { change(onTop: isOnTop) { $0.forgetFadeLimits() } }
    }

    /// The run before this one, across iterations; nil for the very first.
    public func run(before run: RunID) -> RunID? {
        top.map { self.run(before: run, with: $0) } ?? sequence.run(before: run.whole)
    }

    public func runs(ofItemAt place: ItemPlace) -> [RunID] {
        place.isOnTop ? runsOnTop.filter { $0.item == place.item } : sequence.runs(ofItem: place.item)
    }

    /// Each segment of the sequence and of the items on top once.
    public var allRuns: [RunID] { items.indices.flatMap(sequence.runs(ofItem:)) + runsOnTop }

    /// Each segment of this source once.
    public func runs(of source: String) -> [RunID] { allRuns.filter { segment(of: $0).source == source } }

    // MARK: items on top

    /// Puts items on top of the sequence; nil takes them off.
    public mutating func cover(with top: TopSequence?) { self.top = top }

    /// Moves the place at which the items on top interrupt a run.
    public mutating func interrupt(at offset: Time) { top?.interrupt(at: offset) }

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
        guard let top, top.iteration == iteration else { return sequence.position(at: offset, inIteration: iteration) }
        return position(at: offset, with: top)
    }

}
