import Base
import Layout
import Scene

// Lost connections of live sources, which are reconnected in place.
extension Feed {
    /// Called when the connection to a live source was lost or has ended. Its frames are played, and it is reconnected
    /// unless another item follows. Returns true if it is reconnected.
    public mutating func reconnectLive(
        slot index: Int, after trouble: SourceTrouble, at now: Time, _ effects: inout Effects
    ) -> Bool {
        guard index == slots.count - 1, let live = liveness.edge?.live, course.followsItself(slots[index].run) else {
            return false
        }
        // The sender is there, so no delay is needed.
        let wait =
            trouble == .streamChanged
            ? .zero : self.trouble.noteLoss(of: slots[index].location, at: now)
        let instant = now + wait
        var next = reel.makeSlot(slots[index].run, start: nil)
        next.enter()
        next.reconnect(at: instant)
        // The duration of the item goes on.
        if let length = slots[index].length, course.liveLength(of: next.run) != nil {
            next.setLength(
                slots[index].start == nil ? length : max(Timeline.shortestRun, length - slots[index].decodedTo))
        }
        if slots[index].frames.isEmpty {
            next.timing.takeOver(at: slots[index].takesOverAt)
            reel.slots.replace(index, by: next)
        } else {
            reel.slots[index].breakOff()
            next.timing.takeOver(at: slots[index].end)
            reel.slots.append(next)
        }
        reel.liveness.begin(live)
        return true
    }

    // MARK: frames on the screen

    /// A frame of the slot was presented. `live`: time of the group's live clock. Returns the wall time since when its
    /// source was away; nil if it was not.
    public mutating func noteLiveFrame(of slot: Slot, live: Time, at now: Time) -> Time? {
        let since = reel.liveness.comeBack(with: slot)
        if sources.isKnownLive(slot.location) {
            reel.liveness.present(Liveness.Frame(source: slot.location, now: now, live: live, group: group))
        }
        return since
    }

    /// The absence of a source is reported. No frame of it was presented since `since`. `lostAt`: wall time at which
    /// its connection was lost or refused; nil if frames only stopped coming.
    public mutating func noteAbsence(of source: String, since: Time, lostAt: Time? = nil) {
        reel.liveness.leave(source, since: since, lostAt: lostAt)
    }

    // MARK: frames that show one frame

    /// A frame differs from the ones before. Returns the tiles for which these were reported as frozen.
    public mutating func noteMotion(at live: Time) -> [TileID] { reel.liveness.move(at: live) }

    /// A frame is identical to the ones before.
    public mutating func noteStillness(at live: Time) { reel.liveness.stay(at: live) }

    /// Identical frames were reported for the tile.
    public mutating func noteFrozen(_ tile: TileID) { reel.liveness.noteFrozen(tile) }

    public mutating func forgetStillness() { reel.liveness.forgetStillness() }
}
