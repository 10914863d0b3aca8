import Base
import Layout
import Scene

// Live sources, and their lost connections, which are reconnected in place.
extension Feed {
    /// True if the present source is live, connected or not.
    public var isAtLiveSource: Bool {
        isLive || (location ?? timeline.items.first?.segments.first.source).map { sources.isKnownLive($0) } ?? false
    }

    /// True if all of its sources are live, as far as is known.
    public var playsOnlyLive: Bool {
        !timeline.items.isEmpty && course.locations.allSatisfy { sources.isKnownLive($0) }
    }

    /// True if the feed plays the item of a run already, from a live source that is connected and plays until it ends.
    public func playsLive(itemOf run: RunID) -> Bool {
        guard isLive, phase == .playing, let front = slots.first, front.length == nil else { return false }
        return front.run.place == run.place && slots.allSatisfy { !$0.isReconnecting }
    }

    /// Called when the connection to a live source was lost or has ended. The decoded frames are played, and the source
    /// is reconnected unless another item follows. Returns true if the source is reconnected.
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
        // The item's duration includes the time before the reconnection.
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
}
