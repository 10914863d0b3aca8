import Base
import Layout

// Layers on top of a feed's sequence. What lies below a layer keeps its place, and the frames that are decoded already.
extension Feed {
    /// Puts a layer on top of all others. `begin`: the group time at which it begins at the earliest.
    ///
    /// The slots after the new layer are dropped first, since their runs come later now. Only rests of interrupted runs
    /// keep their frames. Then the front is cut, and the rest of it gets its frames beyond the cut.
    public func push(_ layer: Layer, from begin: Time?, _ context: PlaybackContext) {
        let isOver = phase == .ended
        reel.sources.probed = []
        seam.tail = nil
        dropPreview()
        reel.course.push(layer, from: begin)
        reel.relearnLengths()
        let number = timeline.layers.count
        reel.setAside(from: slots.prefix { !timeline.isAfter($0.run, layer: number) }.count)
        reel.course.keep(slots.first)
        if isOver {
            phase = .playing
            resume(context)
        }
        if let cut = layer.place.cutOffset { reel.shortenFront(to: cut) }
    }

    /// Takes off all layers above the first `count`. If they have not begun, or what follows them is on the screen
    /// already, the front plays on. If they are on the screen, the feed goes on at `groupTime`: with the interrupted run
    /// as soon as its next frame is decoded, or with the next item. Returns the items that end.
    public func pop(to count: Int, at groupTime: Time) -> [ShownItems.Change] {
        guard let layer = timeline.layer(count + 1) else { return [] }
        let isLeft = slots.first.map { $0.run.layer > count } ?? false
        let next = course.following(afterLayer: count + 1)
        let place = { (run: RunID) -> RunID? in run.layer > count ? nil : run.layer == count ? run.whole : run }
        screen.items.noteExpected { course.expected(of: $0, sources, trouble) }
        dropPreview()
        reel.setAside(from: isLeft ? 0 : slots.prefix { $0.run.layer <= count }.count)
        reel.course.pop(to: count)
        reel.sources.probed = []
        reel.sources.keep(where: course.locations.contains)
        seam.resequence(isLeft: isLeft, place)
        screen.resequence(showing: nil, place)
        for slot in slots { slot.run = place(slot.run) ?? slot.run }
        // The layers have not begun: they do not interrupt the front.
        if slots.first?.run == layer.place.leftRun, slots[0].cutOffset != nil { reel.lengthenFront() }
        guard isLeft else {
            reel.interrupted.forget(from: count)
            reel.course.keep(slots.first)
            return []
        }
        screen.items.enter(because: .break)
        screen.beginDue()
        let changes = screen.items.end(.stop) + screen.items.leaveInterrupted(from: count + 1)
        goOn(with: next, after: layer, at: groupTime)
        reel.interrupted.forget(from: count)
        return changes
    }

    /// Goes on after layers that were on the screen. `next`: the run that follows them; nil if none does. `layer`: the
    /// lowest of them.
    private func goOn(with next: RunID?, after layer: Layer, at groupTime: Time) {
        guard let next else {
            dropSlots()
            phase = .playing
            return reel.course.end(layer.iteration, at: groupTime)
        }
        guard next.isRest else { return go(to: next, at: groupTime) }
        // The layer that `next` resumes after may lie on top still. If it does not, the run is whole again, and no longer
        // tells that it resumes.
        let place = timeline.layer(next.layer + 1)?.place ?? layer.place, entry = place.resumesAt ?? .zero
        let run = next.layer == layer.place.leftRun.layer ? next.whole : next
        dropSlots()
        phase = .playing
        screen.items.enter(because: .command)
        screen.items.resumedNext = place.cutOffset == nil ? .lastFrame : .rest
        reel.course.anchor.set(run.iteration, at: groupTime - (timeline.offset(of: run) ?? .zero) - entry)
        reel.course.awaitFirstFrame()
        let rest = reel.interrupted.resume(run, from: entry, id: reel.slots.makeID())
        reel.slots.enter(rest ?? reel.makeSlot(run, start: nil, entry: entry))
    }

    // MARK: interruptions

    /// True if a run interrupts the item on the screen, which is of the layer below.
    func interrupts(_ run: RunID) -> Bool {
        run.layer > 0 && screen.items.current?.run.layer == run.layer - 1
            && timeline.layer(run.layer)?.place.cutOffset != nil
    }

    /// First slot of the topmost layer, while the interrupted run plays on because that slot's live source has no frame
    /// yet; nil otherwise.
    public var awaitedTop: Slot? {
        guard slots.count > 1, let top = timeline.layers.last, top.place.cutOffset != nil,
            slots[0].run == top.place.leftRun, slots[1].run == top.first,
            sources.isKnownLive(slots[1].location), !frontIsLive, !reel.isDecodedToCut
        else { return nil }
        return slots[1]
    }

    /// Interrupts the run on the screen after `lead`, in wall time, if its interruption was planned for later. Returns
    /// true if it was.
    public func interruptEarlier(after lead: Time, _ context: PlaybackContext) -> Bool {
        guard let front = slots.first, let start = front.start, let top = timeline.layers.last,
            let cut = top.place.cutOffset
        else { return false }
        let fade = timeline.fade(before: top.first).played(at: context.rate)
        let earliest = max(context.position + lead.played(at: context.rate), front.fadeEnd ?? start) + fade
        let offset = front.frames.first { start + $0.offset >= earliest }?.offset ?? earliest - start
        guard offset < cut, offset >= Timeline.shortestRun else { return false }
        reel.course.timeline.interrupt(at: offset)
        // The rest of the run is planned again if the source was slow.
        if slots.count > 2 { reel.setAside(from: 2) }
        reel.shortenFront(to: offset)
        reel.course.keep(slots.first)
        reel.chain(context.group)
        return true
    }
}

extension Layer.Place {
    /// The place of an interruption of a feed's front at this group time. A live source can't be resumed where it was
    /// left.
    public init(interrupting feed: Feed, at instant: Time) {
        let front = feed.slots[0], played = instant - (front.start ?? instant)
        self.init(front.run.whole, cutOffset: played, resumesAt: feed.reel.isLive(front.run) ? .zero : played)
    }
}
