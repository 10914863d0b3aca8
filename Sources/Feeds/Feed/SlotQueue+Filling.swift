import Base
import Layout
import Scene

/// Limits up to which a pipeline decodes ahead.
struct FillLimits {
    /// Group time that is decoded ahead.
    let depth: Time
    /// Largest number of frames that the feed may hold.
    let most: Int
    /// Number of frames that the feed holds beside its slots.
    let heldBeside: Int
    /// True if the front is kept whole, because it is replayed.
    let keepsFront: Bool
}

// How far ahead the slots of a queue are decoded.
extension SlotQueue {
    /// Returns the group time to wait until the slot takes another frame; nil if it takes the frame now.
    ///
    /// The front is filled up to the depth and drains by a burst before it is filled again, so frames are decoded in
    /// bursts. A back slot is warmed at once by a few frames and filled as the front drains.
    mutating func waitForRoom(for lease: Lease, _ limits: FillLimits, _ context: PlaybackContext) -> Time? {
        guard let index = index(of: lease) else { return nil }
        let slot = slots[index]
        let (depth, most) = (limits.depth, limits.most)
        let behind = limits.keepsFront ? 0 : Swift.min(slots[0].dueIndex, Depth.keptPlaying)
        let held = slots.reduce(behind + limits.heldBeside) { $0 + $1.waiting }
        let promised = index == 0 ? Depth.fewestFrames : held < most ? Depth.warmFrames : 1
        if slot.waiting < promised {
            self[index].setFilling(true)
            return nil
        }
        // A run that fades in leaves the memory to the run before until all of that run is decoded.
        if index > 0, slot.fade > .zero, !slots[index - 1].isWhole {
            self[index].setFilling(false)
            return Depth.burst / 2
        }
        let ahead = slot.ahead(of: context.dueTime)
        // Near the run's end decoding does not pause, so that the next run is warmed earlier.
        let isEnding = slot.played.map { $0 - slot.decodedTo <= Depth.burst } ?? false
        let low = isEnding ? depth : depth - Depth.burst.played(at: context.rate)
        if ahead >= depth || held >= most {
            self[index].setFilling(false)
            let surplus = Swift.max(.milliseconds(1), ahead - low)
            return held >= most ? Swift.max(.milliseconds(10), Swift.min(surplus, ahead / 3)) : surplus
        }
        if slot.isFilling || ahead <= low {
            self[index].setFilling(true)
            return nil
        }
        return Swift.max(.milliseconds(1), ahead - low)
    }

    /// Returns the number of frames that the feed's share of the memory holds, at the size of the last decoded frame.
    /// The budget's size counts while no frame is decoded.
    func mostFrames(_ budget: FrameBudget) -> Int {
        let last = slots.lazy.compactMap { $0.frames.last?.frame.bytes }.last
        return Swift.max(
            Depth.fewestFrames, budget.memory / Swift.max(1, last ?? budget.size.width * budget.size.height * 3 / 2))
    }

    /// Number of frames that wait to be shown.
    var waiting: Int { slots.reduce(0) { $0 + $1.waiting } }
}
