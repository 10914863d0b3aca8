/// A frame that was just decoded, as its pipeline tells of it.
struct DecodedFrame {
    let pts: Time
    let length: Time
    /// Its whole upright size, not turned.
    let natural: Size
}

/// What a feed may take.
struct Room {
    /// The size that its largest view needs.
    let size: Size
    /// Its share of the layout's memory, in bytes.
    let memory: Int
    let quality: Quality
    let keeping: FrameKeeping
    /// Others are to have the cores: what is due is here.
    let hasTarget: Bool
}

// What becomes of a frame that was just decoded.
extension Feed {
    /// Asked before it is scaled.
    mutating func decide(_ frame: DecodedFrame, of lease: Lease, _ room: Room, _ moment: Moment) -> FrameDecision {
        beginLateRun(of: lease, moment)
        guard let slot = slot(of: lease) else { return .drop }
        if lease.purpose == .preview { return slot.frames.isEmpty ? .scale(room.size, .none, room.keeping) : .end }
        let turned = frame.natural.turned(timeline.items[slot.run.item].turn)
        let skips = decoding.skips(of: turned, to: room.size, room.quality)
        if isLive(slot.run), let index = index(of: lease), let decision = decideLive(frame, slot: index, moment) {
            return decision
        }
        let rate = timeline.rate(of: slot.run)
        let offset = offset(of: frame.pts, in: slot.run)
        if let cut = slot.cut, let start = slot.start, start + offset + slot.dueTolerance >= cut { return .end }
        if let refill = slot.refill {
            if moment.isRunning { return .drop }
            if offset >= refill.to { return .end }
            return room.hasTarget ? .wait(until: nil) : .scale(room.size, skips, room.keeping)
        }
        let end = offset + frame.length.lasting(at: rate)
        let isLast = slot.length.map { end >= $0 } ?? false
        noteLeap(to: offset, of: lease)
        if moment.isRunning, !isLive(slot.run), let start = slot.start, start + end <= moment.groupTime, !isLast,
            decoding.maySkip(at: moment.now), !keepsABLoop(in: room.memory)
        {
            decoding.noteSkip(at: moment.now)
            if let index = index(of: lease) { slots[index].noteSkip(to: end) }
            screen.dropUndecoded(1 + leftOut(of: slot.run, length: frame.length, at: moment.now))
            // Those of the next moment would come too late as well.
            let over = moment.groupTime + Depth.catchUp.played(at: moment.rate)
            return .skip(over: timeline.segment(of: slot.run).start + (over - start).played(at: rate))
        }
        if room.hasTarget { return .wait(until: nil) }
        if let wait = wait(lease, room, moment), !approachEdge(of: lease, moment) {
            return .wait(until: moment.isRunning ? moment.now + wait.lasting(at: moment.rate) : nil)
        }
        if moment.isRunning, !isLast, decoding.leavesOutNext() {
            if let index = index(of: lease) { slots[index].noteGap() }
            screen.dropUndecoded(1 + leftOut(of: slot.run, length: frame.length, at: moment.now))
            return .skip(over: nil)
        }
        decoding.noteScaled(at: moment.now)
        return .scale(room.size, skips, room.keeping)
    }

    /// How long to wait, in group time, until the slot takes another frame; nil: it takes it now.
    ///
    /// The front is filled up to the depth and drains by a burst before it is filled again, so frames are
    /// decoded in bursts; a back slot is warmed at once by a few frames and filled as the front drains.
    private mutating func wait(_ lease: Lease, _ room: Room, _ moment: Moment) -> Time? {
        guard let index = index(of: lease) else { return nil }
        let slot = slots[index]
        let depth = depth.played(at: moment.rate)
        let most = mostFrames(room)
        let behind = isReplayable(0) ? 0 : min(slots[0].dueIndex, Depth.keptPlaying)
        let held = slots.reduce(behind + (leaving?.waiting ?? 0)) { $0 + $1.waiting }
        let promised = index == 0 ? Depth.fewestFrames : held < most ? Depth.warmFrames : 1
        if slot.waiting < promised {
            slots[index].setFilling(true)
            return nil
        }
        // What comes out of the end of a run leaves it the memory until that is here.
        if index > 0, slot.fade > .zero, !slots[index - 1].isWhole {
            slots[index].setFilling(false)
            return Depth.burst / 2
        }
        let ahead = slot.ahead(of: moment.groupTime)
        // Near the run's end nothing is put off: the earlier it is decoded, the earlier the next run is warmed.
        let isEnding = slot.played.map { $0 - slot.decodedTo <= Depth.burst } ?? false
        let low = isEnding ? depth : depth - Depth.burst.played(at: moment.rate)
        if ahead >= depth || held >= most {
            slots[index].setFilling(false)
            let surplus = max(.milliseconds(1), ahead - low)
            return held >= most ? max(.milliseconds(10), min(surplus, ahead / 3)) : surplus
        }
        if slot.isFilling || ahead <= low {
            slots[index].setFilling(true)
            return nil
        }
        return max(.milliseconds(1), ahead - low)
    }

    /// The feed's share of the memory, in frames like its last one, or of this size.
    private func mostFrames(_ room: Room) -> Int {
        let last = slots.lazy.compactMap { $0.frames.last?.frame.bytes }.last
        return max(Depth.fewestFrames, room.memory / max(1, last ?? room.size.width * room.size.height * 3 / 2))
    }

    /// How many frames stay that its clock has left behind. Of a clock that runs they take an eighth of the feed's
    /// memory at most.
    func kept(memory: @autoclosure () -> Int, _ moment: Moment) -> Int {
        guard let bytes = slots.first?.frames.last?.frame.bytes else { return 0 }
        if keepsABLoop(in: memory()) { return .max }
        return moment.isRunning ? min(Depth.keptPlaying, memory() / 8 / max(1, bytes)) : Depth.keptBehind
    }

    /// A A-B loop that is short, or takes half of the feed's memory at most, is decoded once and replayed: all of its
    /// frames are wanted, also those that were late when they were decoded.
    func keepsABLoop(in memory: @autoclosure () -> Int) -> Bool {
        guard let abLoop else { return false }
        if abLoop.length <= Depth.usual { return true }
        guard let front = slots.first, let bytes = slots.lazy.compactMap({ $0.frames.last?.frame.bytes }).last,
            let length = sources.facts(of: front.location)?.frameLength, length > .zero
        else { return false }
        let frames = abLoop.length.played(at: timeline.rate(of: front.run)).ticks / length.ticks + 2
        return frames <= memory() / 2 / max(1, bytes)
    }

    // MARK: what decoders leave out

    /// How many frames the decoder left out between one that lasts so long in its source and the next: they were due
    /// and are never shown.
    func leftOut(of run: RunID, length: Time, at now: Time) -> Int {
        guard decoding.leavesOut(at: now), let usual = sources.facts(of: timeline.segment(of: run).source)?.frameLength
        else { return 0 }
        return max(0, Int((length + usual / 2).ticks / max(1, usual.ticks)) - 1)
    }

    /// After a skip the decoder may have gone on at a key frame: what lies between was due and is never shown.
    private mutating func noteLeap(to offset: Time, of lease: Lease) {
        guard let index = index(of: lease), let end = slots[index].takeSkip(),
            let usual = sources.facts(of: lease.location)?.frameLength, usual > .zero
        else { return }
        let length = usual.lasting(at: timeline.rate(of: slots[index].run))
        screen.dropUndecoded(max(0, Int((offset - end + length / 2).ticks / max(1, length.ticks))))
    }
}
