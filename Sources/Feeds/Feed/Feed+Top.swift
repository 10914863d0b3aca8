import Base
import Layout
import Scene

// Items on top of a feed's sequence. The sequence below keeps its place, and the frames that are decoded already.
extension Feed {
    /// True if a run interrupts the item of the sequence that is on the screen.
    func interrupts(_ run: RunID) -> Bool {
        run.part == .top && timeline.top?.place.cutAt != nil && screen.items.current.map { !$0.isOnTop } ?? false
    }

    /// Puts items on top of the sequence. `begin`: the group time at which they begin at the earliest.
    public mutating func cover(
        with top: TopSequence, from begin: Time?, _ context: PlaybackContext, _ effects: inout Effects
    ) {
        let isOver = phase == .ended
        reel.sources.forgetProbes()
        seam.dropTail()
        dropPreview(&effects)
        reel.course.cover(with: top, from: begin)
        reel.relearnLengths()
        reel.drop(from: slots.prefix { !top.isBefore($0.run) }.count, &effects)
        reel.course.keep(slots.first)
        if isOver {
            phase = .playing
            resume(context)
        }
        if let cut = top.place.cutAt { reel.shortenFront(to: cut, &effects) }
    }

    /// First slot on top, while the interrupted run plays on because that slot's live source has no frame yet; nil
    /// otherwise.
    public var awaitedTop: Slot? {
        guard let top = timeline.top, top.place.cutAt != nil, slots.count > 1, slots[0].run == top.place.leftRun,
            slots[1].run == top.first, sources.isKnownLive(slots[1].location), !frontIsLive, !reel.isDecodedToCut
        else { return nil }
        return slots[1]
    }

    /// Interrupts the run on the screen after `lead`, in wall time, if its interruption was planned for later.
    public mutating func interruptEarlier(
        after lead: Time, _ context: PlaybackContext, _ effects: inout Effects
    ) {
        guard let front = slots.first, let start = front.start, let cut = timeline.top?.place.cutAt else { return }
        let fade = (timeline.top.map { timeline.fade(before: $0.first) } ?? .zero).played(at: context.rate)
        let earliest = max(context.position + lead.played(at: context.rate), front.fadeEnd ?? start) + fade
        let offset = front.frames.first { start + $0.offset >= earliest }?.offset ?? earliest - start
        guard offset < cut, offset >= Self.shortestRun else { return }
        reel.course.interrupt(at: offset)
        // The rest of the run is planned again if the source was slow.
        if slots.count > 2 { reel.drop(from: 2, &effects) }
        reel.shortenFront(to: offset, &effects)
        reel.course.keep(slots.first)
        reel.chain(context.group)
    }

    /// Removes the items on top. If the run after them is on the screen already, that run plays on. Otherwise the last
    /// frame stays. Returns the items that end.
    public mutating func uncover(_ effects: inout Effects) -> [ShownItems.Change] {
        guard let top = timeline.top else { return [] }
        screen.uncover { [course, sources, trouble] in course.expected(of: $0, sources, trouble) }
        dropPreview(&effects)
        seam.uncover()
        let isLeft = slots.first?.run.part == .top
        let kept = isLeft ? 0 : slots.prefix { $0.run.part != .top }.count
        reel.drop(from: kept, &effects)
        reel.course.uncover()
        reel.sources.forgetProbes()
        reel.sources.keep(where: Set(timeline.allRuns.map { timeline.segment(of: $0).source }).contains, &effects)
        reel.slots.uncover()
        if slots.first?.run == top.place.leftRun, slots[0].shortenedTo != nil { reel.lengthenFront(&effects) }
        guard isLeft else {
            reel.interrupted = InterruptedRun()
            reel.course.keep(slots.first)
            return []
        }
        screen.items.enter(because: .break)
        screen.beginDue()
        return screen.items.end(.stop)
    }

    /// Goes on after `top` was removed from the screen: with the interrupted run as soon as its next frame is decoded,
    /// or with the next item.
    public mutating func continueAfter(_ top: TopSequence, at groupTime: Time, _ effects: inout Effects) {
        if let entry = top.place.resumesAt { return resumeRun(of: top.place, from: entry, at: groupTime, &effects) }
        let next = RunID(iteration: top.iteration, item: top.place.leftRun.item + 1)
        let run = next.item < timeline.items.count ? next : RunID(iteration: top.iteration + 1)
        if timeline.takesPart(inIteration: run.iteration) {
            go(to: run, at: groupTime, &effects)
        } else {
            comeBackToEnd(ofIteration: top.iteration, at: groupTime, &effects)
        }
    }

    private mutating func resumeRun(
        of place: TopSequence.Place, from entry: Time, at groupTime: Time, _ effects: inout Effects
    ) {
        let run = place.leftRun
        dropSlots(&effects)
        phase = .playing
        screen.items.enter(because: .command)
        screen.items.resumeNext(place.cutAt == nil ? .lastFrame : .rest)
        reel.course.begin(run.iteration, at: groupTime - (timeline.offset(of: run) ?? .zero) - entry)
        reel.course.awaitFirstFrame()
        reel.slots.enter(reel.resume(run, from: entry) ?? reel.makeSlot(run, start: nil, entry: entry))
    }

    /// Goes back to the last frame of an iteration that no other iteration follows.
    public mutating func comeBackToEnd(ofIteration iteration: Int, at groupTime: Time, _ effects: inout Effects) {
        dropSlots(&effects)
        phase = .playing
        reel.course.end(iteration, at: groupTime)
    }
}
