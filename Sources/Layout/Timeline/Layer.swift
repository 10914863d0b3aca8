import Base

/// Items on top of a sequence: a break, an alarm. They play once, in one iteration of the sequence, which waits
/// meanwhile and is never changed by them.
///
/// The items are a timeline of their own, which may have a layer on top in its turn. `RunID.layer` tells the runs of the
/// layers apart, and `RunID.isRest` the rest of an interrupted run.
///
/// A new layout or an edit by hand changes only the sequence. The layer stays if the item that it follows or interrupts
/// stays (`Timeline.init(items:_:following:)`).
public struct Layer: Sendable {
    /// The items, and what lies on top of them.
    public internal(set) var timeline: Timeline
    public private(set) var place: Place
    /// Name by which its owner knows it, as that of a break. No two layers of a timeline have one name.
    public let name: String
    /// True if the sequence resumes with a cut, not with a fade.
    private let endsWithCut: Bool

    /// Place at which a sequence is left, and at which it goes on.
    public struct Place: Hashable, Sendable {
        /// The run after which, or within which, the sequence is left.
        public var leftRun: RunID
        /// Offset in `leftRun` at which it is interrupted; nil if its item is played to the end.
        public var cutOffset: Time?
        /// Offset at which `leftRun` resumes; nil if the next item plays instead.
        public var resumesAt: Time?

        public init(_ run: RunID, cutOffset: Time? = nil, resumesAt: Time? = nil) {
            (self.leftRun, self.cutOffset, self.resumesAt) = (run, cutOffset, resumesAt)
        }
    }

    /// `isCut`: true if the items begin and end with a cut. `transition`: the transition of the sequence.
    public init(_ items: [Item], named name: String = "", at place: Place, isCut: Bool, _ transition: Transition) {
        var items = items
        if isCut { items[0].transition = .cut }
        (self.name, self.place, endsWithCut) = (name, place, isCut)
        timeline = Timeline(items: items, loop: .iterations(1), transition: transition)
    }

    public var items: [Item] { timeline.items }
    /// Iteration of the sequence in which the items play.
    public var iteration: Int { place.leftRun.iteration }
    public var first: RunID { RunID(iteration: iteration, layer: place.leftRun.layer + 1) }
    var last: RunID { timeline.lastRun(inIteration: 0).lifted(toIteration: iteration) }

    /// The run that follows the items: the rest of an interrupted run, the last frame of one that had ended, or a live
    /// source; nil if none.
    public var rest: RunID? {
        place.resumesAt.map { _ in
            var rest = place.leftRun
            rest.isRest = true
            return rest
        }
    }

    /// The same layer above another run.
    private func leaving(_ run: RunID) -> Layer {
        var layer = self
        layer.place.leftRun = run
        return layer
    }

    func moved(to item: Int) -> Layer {
        var run = place.leftRun
        run.item = item
        return leaving(run)
    }

    /// The same layer with its runs counted as in the timeline of the lowest layer (`RunID.lowered`).
    var lowered: Layer { leaving(place.leftRun.lowered) }

    /// The same layer with its runs counted as in the timeline below (`RunID.lifted`).
    func lifted(toIteration iteration: Int) -> Layer { leaving(place.leftRun.lifted(toIteration: iteration)) }

    /// Moves the place at which a run is interrupted. The run goes on there.
    mutating func interrupt(at offset: Time) { (place.cutOffset, place.resumesAt) = (offset, offset) }

    func transitionToRest(of sequence: Timeline) -> Transition {
        endsWithCut ? .cut : sequence.item(of: place.leftRun)?.transition ?? sequence.transition
    }

    /// True if a run of the sequence comes after the items.
    func isBefore(_ run: RunID) -> Bool {
        let left = place.leftRun
        if run.iteration != left.iteration { return run.iteration > left.iteration }
        if run.layer > 0 || run.isRest { return run.layer == 0 }
        if place.cutOffset == nil { return run.item > left.item }
        return (run.item, run.round, run.segment) > (left.item, left.round, left.segment)
    }

    // MARK: its place in the sequence

    /// The first run after the layer, in the same iteration; nil if none follows.
    func firstAfter(in sequence: Playlist) -> RunID? { rest ?? sequence.next(after: lastBefore(in: sequence)) }

    /// The last run before the layer.
    func lastBefore(in sequence: Playlist) -> RunID {
        var run = place.leftRun
        guard place.cutOffset == nil, let item = sequence.item(of: run) else { return run }
        (run.round, run.segment) = (item.rounds - 1, item.segments.count - 1)
        return run
    }

    /// True if a run is the first after the layer, even if it is in the next iteration.
    func isFollowed(by run: RunID, in sequence: Playlist) -> Bool {
        run == firstAfter(in: sequence) ?? RunID(iteration: iteration + 1)
    }

    /// The run that follows the rest of the interrupted round; nil if no run is interrupted, or none follows.
    func runAfterRest(in sequence: Playlist) -> RunID? {
        guard let rest, let item = sequence.item(of: rest) else { return nil }
        if rest.round + 1 < item.rounds {
            return RunID(iteration: rest.iteration, item: rest.item, round: rest.round + 1)
        }
        if rest.item + 1 < sequence.items.count { return RunID(iteration: rest.iteration, item: rest.item + 1) }
        return sequence.first(inIteration: rest.iteration + 1)
    }

    /// Length of the rest of the interrupted round; nil until known.
    func lengthOfRest(in sequence: Playlist) -> Time? {
        guard let rest, let entry = place.resumesAt else { return nil }
        return sequence.itemLength(rest.item).map {
            max(.zero, $0 - sequence.length(ofSegmentsBefore: rest.whole) - entry)
        }
    }

    /// Offset in the iteration at which the sequence is left.
    func offsetOfLeaving(_ sequence: Playlist) -> Time? {
        let left = place.leftRun
        guard sequence.has(left) else { return nil }
        if let cut = place.cutOffset { return sequence.offset(of: left).map { $0 + cut } }
        return sequence.span(ofItem: left.item).map { sequence.start(ofItem: left.item) + $0 }
    }
}

extension RunID {
    // Each layer has a timeline of its own, in which its sequence is number 0 and has one iteration. A run is counted from
    // the timeline that is asked. An alarm on a break on a film, for example: a run of the alarm has layer 2 in the film's
    // timeline, 1 in the break's and 0 in the alarm's. `lowered` and `lifted` are one such step.

    /// The same run, counted from the timeline of the lowest layer.
    var lowered: RunID {
        RunID(iteration: 0, item: item, round: round, segment: segment, layer: layer - 1, isRest: isRest)
    }

    /// A run of a layer's own timeline, counted from the timeline below. `iteration`: the iteration there.
    func lifted(toIteration iteration: Int) -> RunID {
        RunID(iteration: iteration, item: item, round: round, segment: segment, layer: layer + 1, isRest: isRest)
    }
}
