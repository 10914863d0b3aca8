import Base
import Layout

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
        anchor.forgetDelay()
    }

    /// Takes the loop, the settings for decoding, the error rule and the offset from the layout. Returns the change of
    /// the offset.
    public mutating func follow(_ layout: TileLayout) -> Time {
        (timeline.loop, timeline.decoding, onError) = (layout.loop, layout.decoding, layout.onError)
        return anchor.nudge(to: layout.offset)
    }

    /// Takes the layout's settings for fetching the sources of `items`.
    public mutating func takeFetching(of items: [Item]) { timeline.takeFetching(of: items) }

    /// Puts a layer on top of all others. `begin`: group time at which it begins at the earliest.
    mutating func push(_ layer: Layer, from begin: Time?) {
        timeline.push(layer)
        anchor.forgetDelay()
        if let begin { anchor.delay(layer.first, to: begin) }
    }

    /// Takes off all layers above the first `count`.
    mutating func pop(to count: Int) {
        timeline.pop(to: count)
        anchor.forgetDelay()
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
        anchor.endAwaiting()
        anchor.set(iteration, at: groupTime - (timeline.length(ofIteration: iteration) ?? .zero))
    }

    /// Moves to the iteration that plays at `groupTime`.
    mutating func move(to groupTime: Time, _ group: Group) {
        anchor = anchor(at: groupTime, group.iterations, isTogether: group.isTogether)
    }

    /// Returns to the first iteration, at the group's beginning.
    public mutating func beginAnew() { anchor.reset() }

    /// Starts the sequence when its first frame is decoded, however late.
    public mutating func awaitFirstFrame() { anchor.awaitFirstFrame() }
}
