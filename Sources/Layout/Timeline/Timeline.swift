import Base

/// Items of a feed in the order in which they play: a sequence, and a stack of layers on top of it (a break, an alarm over
/// a break). Finds the run that plays at an offset in an iteration.
///
/// Functions that take a run or a place answer for all layers. `sequence` answers for the sequence alone.
public struct Timeline: Sendable {
    public var sequence: Playlist
    /// The lowest layer on top of the sequence. The next one lies on top of its timeline. One layer at most: an array
    /// since a struct can't hold one of its own kind.
    private var upper: [Layer] = []
    /// Settings for decoding the items of all layers.
    public var decoding = DecodeSettings()

    public init(items: [Item], loop: Loop, transition: Transition = .cut) {
        sequence = Playlist(items: items, loop: loop, transition: transition)
    }

    public init(_ tile: TileLayout) {
        self.init(items: tile.play, loop: tile.loop, transition: tile.transition)
        decoding = tile.decoding
    }

    /// Makes the timeline of the sequence that replaces that of `before`, and keeps the known lengths. The
    /// layers stay if the item that the lowest one follows or interrupts is in the new sequence.
    public init(items: [Item], _ transition: Transition, following before: Timeline) {
        sequence = Playlist(items: items, transition, following: before.sequence)
        decoding = before.decoding
        upper = before.upper.compactMap { before.place(of: $0.place.leftRun, in: items).map($0.moved(to:)) }
    }

    public var items: [Item] { sequence.items }
    public var transition: Transition { sequence.transition }
    public var loop: Loop { sequence.loop }

    /// Index of the run's item in another sequence; nil if it is not there, or of a layer on top.
    public func place(of run: RunID, in others: [Item]) -> Int? {
        run.layer > 0 ? nil : sequence.place(of: run, in: others)
    }

    // MARK: the stack of layers

    /// The lowest layer on top of the sequence; nil if there is none.
    public var layer: Layer? { upper.first }

    /// All layers from the lowest up, with their places among the runs of this timeline.
    public var layers: [Layer] {
        guard let layer else { return [] }
        return [layer] + layer.timeline.layers.map { $0.lifted(toIteration: layer.iteration) }
    }

    /// The iteration with a layer on top; nil if there is none.
    var layered: LayeredIteration? { layer.map { LayeredIteration(timeline: self, layer: $0) } }

    /// Returns layer `number`, from 1; nil if it is not there.
    public func layer(_ number: Int) -> Layer? {
        number > 0 && !upper.isEmpty ? layers.dropFirst(number - 1).first : nil
    }

    /// Returns the number of the layer of this name, from 1; nil if it is not there.
    public func number(ofLayer name: String) -> Int? {
        upper.isEmpty ? nil : layers.firstIndex { $0.name == name }.map { $0 + 1 }
    }

    /// Puts a layer on top of all others.
    public mutating func push(_ layer: Layer) {
        if upper.isEmpty { upper = [layer] } else { upper[0].timeline.push(layer.lowered) }
    }

    /// Takes off all layers above the first `count`.
    public mutating func pop(to count: Int) {
        if count == 0 { upper = [] } else if !upper.isEmpty { upper[0].timeline.pop(to: count - 1) }
    }

    /// Moves the place at which the topmost layer interrupts a run.
    public mutating func interrupt(at offset: Time) {
        if upper.isEmpty { return }
        if upper[0].timeline.upper.isEmpty { return upper[0].interrupt(at: offset) }
        upper[0].timeline.interrupt(at: offset)
    }

    /// The items of a layer, which is nil if it is not there; 0 for the sequence.
    private func list(_ layer: Int) -> Playlist? { layer == 0 ? sequence : self.layer?.timeline.list(layer - 1) }

    private mutating func change(_ layer: Int, _ body: (inout Playlist) -> Void) {
        if layer == 0 { body(&sequence) } else if !upper.isEmpty { upper[0].timeline.change(layer - 1, body) }
    }

    private mutating func changeAll(_ body: (inout Playlist) -> Void) {
        body(&sequence)
        if !upper.isEmpty { upper[0].timeline.changeAll(body) }
    }

    // MARK: order

    public func takesPart(inIteration iteration: Int) -> Bool { sequence.takesPart(inIteration: iteration) }

    /// Returns an item of any layer, with the settings for all items; nil if it is not there.
    public func item(at place: ItemPlace) -> Item? {
        list(place.layer).flatMap {
            $0.items.indices.contains(place.item) ? $0.items[place.item].inTile(decoding) : nil
        }
    }

    public func item(of run: RunID) -> Item? { item(at: run.place) }

    /// True if the sequence has the run's item and segment. A frame may outlive its run if an edit removes the run.
    public func has(_ run: RunID) -> Bool { list(run.layer)?.has(run) ?? false }

    public func segment(of run: RunID) -> Item.Segment {
        list(run.layer)?.segment(of: run) ?? Item.Segment(source: "")
    }

    public func rate(of run: RunID) -> Rate { list(run.layer)?.rate(of: run) ?? .one }

    /// Duration of a still for which the layout sets none.
    public static let usualStill = Time.seconds(5)

    /// Duration of a still in group time; nil if none is set.
    public func stillLength(of run: RunID) -> Time? { list(run.layer)?.stillLength(of: run) }

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
        if let layered { layered.next(after: run) } else { sequence.next(after: run.whole) }
    }

    /// The run that ends an iteration.
    public func lastRun(inIteration iteration: Int) -> RunID {
        run(before: RunID(iteration: iteration + 1)) ?? RunID(iteration: iteration)
    }

    /// True if `b` shows the same frames as `a`.
    public func repeats(_ a: RunID, _ b: RunID) -> Bool {
        if a.place == b.place && a.segment == b.segment { return true }
        guard segment(of: a) == segment(of: b), let a = item(of: a), let b = item(of: b) else { return false }
        return a.rate == b.rate && a.duration == b.duration && a.look.decoding == b.look.decoding
    }

    // MARK: lengths

    /// Length of a run. For the rest of an interrupted run, the length of the whole run.
    public func length(of run: RunID) -> Time? { list(run.layer)?.length(of: run) }

    public mutating func learn(_ length: Time?, of run: RunID) { change(run.layer) { $0.learn(length, of: run) } }

    /// Forgets the lengths of failed segments, so that they are tried again.
    public mutating func forgetFailures() { changeAll { $0.forgetFailures() } }

    public func itemLength(at place: ItemPlace) -> Time? { list(place.layer)?.itemLength(place.item) }

    /// Length of the segments before a run in its item, as far as known.
    public func length(ofSegmentsBefore run: RunID) -> Time {
        list(run.layer)?.length(ofSegmentsBefore: run) ?? .zero
    }

    public func span(at place: ItemPlace) -> Time? { list(place.layer)?.span(ofItem: place.item) }

    /// Beginning of a run in its iteration; nil until known. For the rest of a run, the beginning of the whole run.
    public func offset(of run: RunID) -> Time? {
        if let layered { layered.offset(of: run) } else { sequence.offset(of: run.whole) }
    }

    /// Time from the beginning of the first iteration to the next, or to its end if none follows, without anything on
    /// top; nil until known.
    public var iterationLength: Time? { sequence.length(ofIteration: 0) }

    /// Length of the last iteration; nil if the sequence loops forever or the length is unknown.
    public var lastIterationLength: Time? {
        if case .iterations(let count) = loop { length(ofIteration: count - 1) } else { nil }
    }

    public func length(ofIteration iteration: Int) -> Time? {
        guard let layer, layer.iteration == iteration else { return sequence.length(ofIteration: iteration) }
        guard let own = sequence.length(ofIteration: iteration), let delay = layered?.delayOfNextIteration else {
            return nil
        }
        return min(own + delay, .distantFuture)
    }

    // MARK: fades

    /// True if any seam may fade.
    public var fades: Bool { sequence.fades || layer?.timeline.fades ?? false }

    /// Transition that the layout sets before a run.
    public func wantedTransition(before run: RunID) -> Transition {
        if run.layer > 0 { return layer?.timeline.wantedTransition(before: run.lowered) ?? .cut }
        return run.isRest ? layer?.transitionToRest(of: self) ?? .cut : sequence.wantedTransition(before: run)
    }

    /// Time for which a run and the run before it are both shown. At most half of the shorter item.
    public func fade(before run: RunID) -> Time { layered?.fade(before: run) ?? sequence.fade(before: run.whole) }

    public func fadeLimit(at place: ItemPlace) -> Time? { list(place.layer)?.fadeLimit(ofItem: place.item) }

    /// Sets the longest fade that an item can take part in.
    public mutating func limitFade(at place: ItemPlace, to limit: Time) {
        change(place.layer) { $0.limitFade(ofItem: place.item, to: limit) }
    }

    public mutating func forgetFadeLimits() { changeAll { $0.forgetFadeLimits() } }

    /// The run before this one, across iterations; nil for the very first.
    public func run(before run: RunID) -> RunID? {
        if let layered { layered.run(before: run) } else { sequence.run(before: run.whole) }
    }

    public func runs(ofItemAt place: ItemPlace) -> [RunID] {
        place.layer == 0 ? sequence.runs(ofItem: place.item) : allRuns.filter { $0.place == place }
    }

    /// Each segment of the sequence and of all layers once.
    public var allRuns: [RunID] {
        let own = items.indices.flatMap(sequence.runs(ofItem:))
        guard let layer else { return own }
        return own + layer.timeline.allRuns.map { $0.lifted(toIteration: layer.iteration) }
    }

    /// Each segment of this source once.
    public func runs(of source: String) -> [RunID] { allRuns.filter { segment(of: $0).source == source } }

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
        guard let layered, layered.layer.iteration == iteration else {
            return sequence.position(at: offset, inIteration: iteration)
        }
        return layered.position(at: offset)
    }
}
