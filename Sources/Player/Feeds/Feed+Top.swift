import Base
import Layout
import Scene

// What plays on top of a feed's sequence. The sequence below keeps its place, and the frames that are decoded already.
extension Feed {
    /// True if a run interrupts the item of the sequence that is on the screen.
    func interrupts(_ run: RunID) -> Bool {
        run.part == .top && timeline.top?.place.cutAt != nil && screen.item.map { !$0.isOnTop } ?? false
    }

    /// Returns the part of an interrupted item that a run is; nil if it is none, or a live source, which is connected
    /// again.
    func resumed(by run: RunID) -> FeedScreen.Resumed? {
        guard run.part == .rest, let place = timeline.top?.place, place.resumesAt ?? .zero > .zero else { return nil }
        return place.cutAt == nil ? .lastFrame : .rest
    }

    /// Puts items on top of the sequence. `begin`: the group time at which they begin at the earliest.
    mutating func cover(
        with top: TopSequence, from begin: Time?, _ context: PlaybackContext, _ effects: inout Effects
    ) {
        let isOver = phase == .ended
        sources.forgetProbes()
        seam.history.keep(nil)
        dropPreview(&effects)
        timeline.cover(with: top)
        relearnLengths()
        dropSlots(from: slots.prefix { !top.isBefore($0.run) }.count, &effects)
        setAnchorByFront()
        if isOver {
            phase = .playing
            goOn(context)
        }
        if let begin { anchor.delay(top.first, to: begin) } else { anchor.forgetDelay() }
        if let cut = top.place.cutAt { shortenFront(to: cut, &effects) }
    }

    /// Cuts the front at `offset`, where an item on top follows. The frames decoded after `offset` are kept for its
    /// rest.
    private mutating func shortenFront(to offset: Time, _ effects: inout Effects) {
        guard let front = slots.first, front.shortenedTo == nil else { return }
        if !isLive(front.run) { standing = StandingRun(front, from: offset) }
        let isDecoded = front.decodedTo >= offset
        slots[0].shorten(to: offset)
        guard isDecoded, !front.isLeased, !front.isWhole, front.refill == nil else { return }
        retire(front, &effects)
        slots[0].end(offset)
    }

    /// Takes off what is on top. What follows it plays on if it is on the screen already. Otherwise the last frame
    /// stays. Returns the items that end.
    mutating func uncover(_ effects: inout Effects) -> [FeedScreen.ItemChange] {
        guard let top = timeline.top else { return [] }
        screen.uncover(due)
        dropPreview(&effects)
        seam.history.keep(nil)
        anchor.forgetDelay()
        if seam.fadeOut?.slot?.run.part == .top { seam.fadeOut = nil }
        let isLeft = slots.first?.run.part == .top
        let kept = isLeft ? 0 : slots.prefix { $0.run.part != .top }.count
        dropSlots(from: kept, &effects)
        timeline.uncover()
        sources.forgetProbes()
        sources.keep(where: Set(timeline.allRuns.map { timeline.segment(of: $0).source }).contains, &effects)
        for index in slots.indices { slots[index].become(slots[index].run.whole) }
        if slots.first?.run == top.place.run, slots[0].shortenedTo != nil { lengthenFront(&effects) }
        guard isLeft else {
            standing = StandingRun()
            setAnchorByFront()
            return []
        }
        screen.enter(because: .break)
        screen.beginDue()
        return screen.endItem(.stop)
    }

    /// The front is not interrupted any more.
    private mutating func lengthenFront(_ effects: inout Effects) {
        // The pipeline may have skipped frames that were not wanted.
        if slots[0].isLeased { retire(slots[0], &effects) }
        slots[0].lengthen(to: timeline.length(of: slots[0].run), id: newSlotID())
    }

    /// Goes on with what follows `top`, which was on the screen and is taken off: with the interrupted run as soon as its
    /// next frame is decoded, or with the next item.
    mutating func goOn(behind top: TopSequence, at groupTime: Time, _ effects: inout Effects) {
        if let entry = top.place.resumesAt { return goOn(with: top.place, from: entry, at: groupTime, &effects) }
        let next = RunID(iteration: top.iteration, item: top.place.run.item + 1)
        let run = next.item < timeline.items.count ? next : RunID(iteration: top.iteration + 1)
        if timeline.takesPart(inIteration: run.iteration) {
            go(to: run, at: groupTime, &effects)
        } else {
            comeBackToEnd(ofIteration: top.iteration, at: groupTime, &effects)
        }
    }

    private mutating func goOn(
        with place: TopSequence.Place, from entry: Time, at groupTime: Time, _ effects: inout Effects
    ) {
        let run = place.run
        dropSlots(&effects)
        phase = .playing
        screen.enter(because: .command)
        screen.resumeNextItem(place.cutAt == nil ? .lastFrame : .rest)
        anchor.set(run.iteration, at: groupTime - (timeline.offset(of: run) ?? .zero) - entry)
        anchor.awaitFirstFrame()
        slots = [resume(run, from: entry) ?? makeSlot(run, start: nil, entry: entry)]
        slots[0].enter()
    }

    /// Returns a slot for the rest of the run that stands below, with its frames; nil if it is another run.
    mutating func resume(_ run: RunID, from entry: Time) -> Slot? {
        standing.holds(run, from: entry) ? standing.resume(as: run, id: newSlotID()) : nil
    }

    /// Goes back to the last frame of an iteration, which nothing follows.
    mutating func comeBackToEnd(ofIteration iteration: Int, at groupTime: Time, _ effects: inout Effects) {
        dropSlots(&effects)
        phase = .playing
        anchor.endAwaiting()
        anchor.set(iteration, at: groupTime - (timeline.length(ofIteration: iteration) ?? .zero))
    }

    /// The front keeps its place, and the rest of its iteration moves.
    private mutating func setAnchorByFront() {
        guard let front = slots.first, let start = front.start, let passed = timeline.offset(of: front.run) else {
            return
        }
        anchor.set(front.run.iteration, at: start - passed)
    }
}
