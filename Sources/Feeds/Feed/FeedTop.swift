import Base
import Layout

extension Feed {
    public var top: FeedTop { FeedTop(feed: self) }
}

/// Items on top of a feed's sequence. The sequence below keeps its place, and the frames that are decoded already.
public struct FeedTop {
    let feed: Feed

    /// True if a run interrupts the item of the sequence that is on the screen.
    func interrupts(_ run: RunID) -> Bool {
        run.part == .top && feed.timeline.top?.place.cutAt != nil
            && feed.screen.items.current.map { !$0.isOnTop } ?? false
    }

    /// Puts items on top of the sequence. `begin`: the group time at which they begin at the earliest.
    public func cover(with top: TopSequence, from begin: Time?, _ context: PlaybackContext) {
        let isOver = feed.phase == .ended
        feed.reel.sources.forgetProbes()
        feed.seam.dropTail()
        feed.dropPreview()
        feed.reel.course.cover(with: top, from: begin)
        feed.reel.relearnLengths()
        feed.reel.drop(from: feed.slots.prefix { !top.isBefore($0.run) }.count)
        feed.reel.course.keep(feed.slots.first)
        if isOver {
            feed.phase = .playing
            feed.resume(context)
        }
        if let cut = top.place.cutAt { feed.reel.shortenFront(to: cut) }
    }

    /// First slot on top, while the interrupted run plays on because that slot's live source has no frame yet; nil
    /// otherwise.
    public var awaitedTop: Slot? {
        guard let top = feed.timeline.top, top.place.cutAt != nil, feed.slots.count > 1,
            feed.slots[0].run == top.place.leftRun, feed.slots[1].run == top.first,
            feed.sources.isKnownLive(feed.slots[1].location), !feed.frontIsLive, !feed.reel.isDecodedToCut
        else { return nil }
        return feed.slots[1]
    }

    /// Interrupts the run on the screen after `lead`, in wall time, if its interruption was planned for later.
    public func interruptEarlier(after lead: Time, _ context: PlaybackContext) {
        guard let front = feed.slots.first, let start = front.start, let cut = feed.timeline.top?.place.cutAt else {
            return
        }
        let fade = (feed.timeline.top.map { feed.timeline.fade(before: $0.first) } ?? .zero).played(at: context.rate)
        let earliest = max(context.position + lead.played(at: context.rate), front.fadeEnd ?? start) + fade
        let offset = front.frames.first { start + $0.offset >= earliest }?.offset ?? earliest - start
        guard offset < cut, offset >= Feed.shortestRun else { return }
        feed.reel.course.timeline.interrupt(at: offset)
        // The rest of the run is planned again if the source was slow.
        if feed.slots.count > 2 { feed.reel.drop(from: 2) }
        feed.reel.shortenFront(to: offset)
        feed.reel.course.keep(feed.slots.first)
        feed.reel.chain(context.group)
    }

    /// Removes the items on top. If the run after them is on the screen already, that run plays on. Otherwise the last
    /// frame stays. Returns the items that end.
    public func uncover() -> [ShownItems.Change] {
        guard let top = feed.timeline.top else { return [] }
        feed.screen.uncover { feed.course.expected(of: $0, feed.sources, feed.trouble) }
        feed.dropPreview()
        feed.seam.dropTail()
        if feed.seam.fadeOut?.slot?.run.part == .top { feed.seam.endFade() }
        let isLeft = feed.slots.first?.run.part == .top
        let kept = isLeft ? 0 : feed.slots.prefix { $0.run.part != .top }.count
        feed.reel.drop(from: kept)
        feed.reel.course.cover(with: nil)
        feed.reel.sources.forgetProbes()
        feed.reel.sources.keep(where: Set(feed.timeline.allRuns.map { feed.timeline.segment(of: $0).source }).contains)
        for slot in feed.slots { slot.become(slot.run.whole) }
        if feed.slots.first?.run == top.place.leftRun, feed.slots[0].shortenedTo != nil { feed.reel.lengthenFront() }
        guard isLeft else {
            feed.reel.interrupted = InterruptedRun()
            feed.reel.course.keep(feed.slots.first)
            return []
        }
        feed.screen.items.enter(because: .break)
        feed.screen.beginDue()
        return feed.screen.items.end(.stop)
    }

    /// Goes on after `top` was removed from the screen: with the interrupted run as soon as its next frame is decoded,
    /// or with the next item.
    public func continueAfter(_ top: TopSequence, at groupTime: Time) {
        if let entry = top.place.resumesAt { return resumeRun(of: top.place, from: entry, at: groupTime) }
        let next = RunID(iteration: top.iteration, item: top.place.leftRun.item + 1)
        let run = next.item < feed.timeline.items.count ? next : RunID(iteration: top.iteration + 1)
        if feed.timeline.takesPart(inIteration: run.iteration) {
            feed.go(to: run, at: groupTime)
        } else {
            comeBackToEnd(ofIteration: top.iteration, at: groupTime)
        }
    }

    private func resumeRun(of place: TopSequence.Place, from entry: Time, at groupTime: Time) {
        let run = place.leftRun
        feed.dropSlots()
        feed.phase = .playing
        feed.screen.items.enter(because: .command)
        feed.screen.items.resumeNext(place.cutAt == nil ? .lastFrame : .rest)
        feed.reel.course.begin(run.iteration, at: groupTime - (feed.timeline.offset(of: run) ?? .zero) - entry)
        feed.reel.course.awaitFirstFrame()
        feed.reel.slots.enter(feed.reel.resume(run, from: entry) ?? feed.reel.makeSlot(run, start: nil, entry: entry))
    }

    /// Goes back to the last frame of an iteration that no other iteration follows.
    public func comeBackToEnd(ofIteration iteration: Int, at groupTime: Time) {
        feed.dropSlots()
        feed.phase = .playing
        feed.reel.course.end(iteration, at: groupTime)
    }
}
