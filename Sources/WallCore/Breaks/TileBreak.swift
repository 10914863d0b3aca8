/// A break that stands in a tile's sequence.
struct TileBreak: Equatable {
    let name: String
    /// What the tile plays without it.
    private(set) var base: [Item]
    /// With it.
    private(set) var play: [Item]
    /// Where the break stands in that.
    let items: Range<Int>
    /// The run that is on when it begins, and in whose pass it is played.
    let run: RunID
    /// nil: it comes at the end of that run's item.
    let interruption: Interruption?
    /// What the tile shows of it, and what of that is cut where other tiles have other seams.
    private let shown: [Item]
    private let isCut: Bool
    /// How many items what is left of the one that it interrupts is.
    private let restCount: Int
    /// Something of it has been on the screen.
    var isShown = false

    /// `isCut`: it comes at one instant on several tiles, whose seams may fade by unlike lengths.
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

    /// The same break in another sequence; nil: the item that it follows or interrupts is none of that.
    func moved(to base: [Item]) -> TileBreak? {
        guard let item = Timeline(items: self.base, loop: .forever).place(of: run, in: base) else { return nil }
        var (run, interruption) = (run, interruption)
        run.item = item
        interruption?.run.item = item
        var moved = TileBreak(name, shown, in: base, run, interruption, isCut)
        moved.isShown = isShown
        return moved
    }

    /// Where a run stands with the same break in another sequence; nil: it is none of that.
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

    /// Where a run stands without it; nil: it is of the break, or was cut for it and is of another iteration, to which the
    /// clock has jumped.
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

    /// Where a run stands with it, that stood in the sequence before.
    func entered(_ run: RunID) -> RunID {
        var run = run
        // Of the item that is interrupted there is no more than its head.
        if run.item == self.run.item, let interruption, !interruption.isHeld {
            run.segment = min(run.segment, interruption.run.segment)
        }
        guard run.item > self.run.item else { return run }
        run.item += items.count + restCount
        return run
    }

    /// Changes what of an item of the sequence with it is the tile's own; what is cut in two is changed as one.
    mutating func change(_ item: Int, _ body: (inout Item) -> Void) {
        func place(_ item: Int) -> Int? {
            item == run.item ? item : placed(RunID(iteration: run.iteration, item: item))?.item
        }
        guard let changed = place(item) else { return body(&play[item]) }
        for other in play.indices where place(other) == changed { body(&play[other]) }
        body(&base[changed])
    }

    /// What of its items is the tile's own is that of `items`, which are as many as in the sequence without it.
    mutating func takeLook(of items: [Item]) {
        for place in base.indices { base[place].takeLook(of: items[place]) }
        for present in play.indices {
            let place = present == run.item ? present : placed(RunID(iteration: run.iteration, item: present))?.item
            if let place { play[present].takeLook(of: items[place]) }
        }
    }

    /// What follows it is on when this run is.
    func isOver(at run: RunID) -> Bool { run.iteration != self.run.iteration || run.item >= items.upperBound }

    /// Of a run that is on: how much of it was played before the break. What is live is connected anew.
    func playedBefore(_ run: RunID) -> Time? {
        guard let interruption, interruption.kind != .live else { return nil }
        return run.iteration == self.run.iteration && run.item == items.upperBound && run.segment == 0
            ? interruption.played : nil
    }
}

/// Where an item is interrupted: in which of its runs, and how far that has come.
struct Interruption: Equatable {
    var run: RunID
    /// In media time.
    let media: Time
    /// In group time: how much of the run was played, and how much is left; nil: that is not known.
    let played: Time
    let left: Time?
    let kind: Kind
    /// It had come to its end and waited for others: its last frame is shown again.
    var isHeld = false

    /// What is live has no beginning to come back to.
    enum Kind { case film, still, live }

    /// What is played of the item before the break.
    func head(of item: Item) -> Item {
        if isHeld { return item }
        var head = item
        head.segments = Array(item.segments[...run.segment])
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

    /// How much of an image that is, which in a song goes at the song's rate.
    private func shown(_ length: Time, of item: Item) -> Time {
        let segment = item.segments[run.segment]
        return segment.songStart == nil ? length : length.played(at: item.rate * segment.rate)
    }

    /// And after it: the rest of its round, and the rounds that follow.
    func rest(of item: Item) -> [Item] {
        var rest = item
        rest.segments = Array(item.segments[run.segment...])
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
