import Base
import Layout

/// A break in a tile's sequence.
struct TileBreak: Equatable {
    let name: String
    /// The sequence without the break.
    private(set) var base: [Item]
    /// The sequence with the break.
    private(set) var play: [Item]
    /// Indices of the break's items in `play`.
    let items: Range<Int>
    /// Run that is on when the break begins. The break plays in that run's iteration.
    let run: RunID
    /// nil if the break begins at the end of that run's item.
    let interruption: Interruption?
    /// Items of the break on this tile. If `isCut`, they begin and end with a cut, since fades differ between tiles.
    private let shown: [Item]
    private let isCut: Bool
    /// Number of items that the rest of the interrupted item takes.
    private let restCount: Int
    /// True once a frame of the break was on the screen.
    var isShown = false

    /// `isCut`: the break begins at one instant on several tiles, and their fades may differ in length.
    init(
        _ layout: BreakLayout, in base: [Item], _ run: RunID, _ interruption: Interruption?, isCut: Bool = false
    ) {
        self.init(layout.name, layout.play, in: base, run, interruption, isCut)
    }

    private init(
        _ name: String, _ shown: [Item], in base: [Item], _ run: RunID, _ interruption: Interruption?, _ isCut: Bool
    ) {
        (self.name, self.base, self.run, self.interruption) = (name, base, run, interruption)
        (self.shown, self.isCut) = (shown, isCut)
        let item = base[run.item]
        var (head, rest, shown) = (item, [Item](), shown)
        if let interruption { (head, rest) = (interruption.head(of: item), interruption.rest(of: item)) }
        if isCut {
            shown[0].transition = .cut
            if !rest.isEmpty { rest[0].transition = .cut }
        }
        play = base[..<run.item] + [head] + shown + rest + base[(run.item + 1)...]
        items = run.item + 1..<run.item + 1 + shown.count
        restCount = rest.count
    }

    /// Returns the same break in another sequence; nil if that lacks the item that the break follows or interrupts.
    func moved(to base: [Item]) -> TileBreak? {
        guard let item = Timeline(items: self.base, loop: .forever).place(of: run, in: base) else { return nil }
        var (run, interruption) = (run, interruption)
        run.item = item
        interruption?.run.item = item
        var moved = TileBreak(name, shown, in: base, run, interruption, isCut)
        moved.isShown = isShown
        return moved
    }

    /// Returns a run's place with the same break in another sequence; nil if the run's item is not in that.
    func placed(_ run: RunID, in other: TileBreak) -> RunID? {
        var run = run
        let end = items.upperBound + restCount
        if run.item >= self.run.item, run.item < end {
            run.item += other.run.item - self.run.item
            return run
        }
        let item = run.item < self.run.item ? run.item : run.item - items.count - restCount
        guard let place = Timeline(items: base, loop: .forever).place(of: item, in: other.base) else { return nil }
        run.item = place
        return other.entered(run)
    }

    /// Returns a run's place without the break. nil if the run is the break's own, or if the break cut it off and the
    /// clock has jumped to another iteration.
    func placed(_ run: RunID) -> RunID? {
        let isOfItsIteration = run.iteration == self.run.iteration
        if run.item < self.run.item { return run }
        if run.item == self.run.item { return isOfItsIteration || interruption?.isHeld ?? true ? run : nil }
        guard run.item >= items.upperBound else { return nil }
        var run = run
        let rest = restCount
        switch run.item - items.upperBound {
        case rest...: run.item -= items.count + rest
        case _ where !isOfItsIteration: return nil
        case 0: (run.item, run.round, run.segment) = (self.run.item, self.run.round, self.run.segment + run.segment)
        default: (run.item, run.round) = (self.run.item, self.run.round + 1 + run.round)
        }
        return run
    }

    /// Returns the place with the break of a run of the sequence without it.
    func entered(_ run: RunID) -> RunID {
        var run = run
        // Only the head of the interrupted item is before the break.
        if run.item == self.run.item, let interruption, !interruption.isHeld {
            run.segment = min(run.segment, interruption.run.segment)
        }
        guard run.item > self.run.item else { return run }
        run.item += items.count + restCount
        return run
    }

    /// Changes the tile's own settings of an item of `play`. Both parts of an interrupted item change.
    mutating func change(_ item: Int, _ body: (inout Item) -> Void) {
        func place(_ item: Int) -> Int? {
            item == run.item ? item : placed(RunID(iteration: run.iteration, item: item))?.item
        }
        guard let changed = place(item) else { return body(&play[item]) }
        for other in play.indices where place(other) == changed { body(&play[other]) }
        body(&base[changed])
    }

    /// Takes the tile's own settings from `items`, which match the sequence without the break.
    mutating func takeLook(of items: [Item]) {
        for place in base.indices { base[place].takeLook(of: items[place]) }
        for present in play.indices {
            let place = present == run.item ? present : placed(RunID(iteration: run.iteration, item: present))?.item
            if let place { play[present].takeLook(of: items[place]) }
        }
    }

    /// True if the break is over when this run is on.
    func isOver(at run: RunID) -> Bool { run.iteration != self.run.iteration || run.item >= items.upperBound }

    /// Returns how much of the run that is on was played before the break; nil for a live source, which is connected
    /// again.
    func playedBefore(_ run: RunID) -> Time? {
        guard let interruption, interruption.kind != .live else { return nil }
        return run.iteration == self.run.iteration && run.item == items.upperBound && run.segment == 0
            ? interruption.played : nil
    }
}

/// Place at which an item is interrupted: its run, and the time in it.
struct Interruption: Equatable {
    var run: RunID
    /// Media time of the interruption.
    let media: Time
    /// Group time of the run that was played, and that is left; nil if that is not known.
    let played: Time
    let left: Time?
    let kind: Kind
    /// True if the run had ended and waited for other tiles. Its last frame is shown again.
    var isHeld = false

    /// A live source can't be resumed where it was left.
    enum Kind { case film, still, live }

    /// Returns the part of the item that plays before the break.
    func head(of item: Item) -> Item {
        if isHeld { return item }
        var head = item
        head.segments.end(with: run.segment)
        head.rounds = run.round + 1
        switch kind {
        case .film: head.segments[run.segment].end = media
        case .still:
            head.duration = played
            if head.segments[run.segment].duration != nil {
                head.segments[run.segment].duration = shown(played, of: item)
            }
        case .live: break
        }
        return head
    }

    /// Returns the length of the image in the item. A song's rate applies to its images.
    private func shown(_ length: Time, of item: Item) -> Time {
        let segment = item.segments[run.segment]
        return segment.songStart == nil ? length : length.played(at: item.rate * segment.rate)
    }

    /// Returns the part after the break: the rest of the round, and the rounds that follow.
    func rest(of item: Item) -> [Item] {
        var rest = item
        rest.segments.begin(with: run.segment)
        rest.rounds = 1
        switch kind {
        case .film:
            rest.segments[0].start = media
            rest.segments[0].songStart = rest.segments[0].songStart.map {
                $0 + media - item.segments[run.segment].start
            }
        case .still:
            rest.duration = left ?? item.duration
            if let left, rest.segments[0].duration != nil { rest.segments[0].duration = shown(left, of: item) }
            rest.segments[0].songStart = rest.segments[0].songStart.map { $0 + shown(played, of: item) }
        case .live: break
        }
        var further = item
        (further.rounds, further.transition) = (item.rounds - run.round - 1, nil)
        return further.rounds > 0 ? [rest, further] : [rest]
    }
}
