import Base
import Decoded
import Layout

/// The slots of a feed: front, back, and more while their total length is below the depth.
///
/// A slot changes by its own methods. The order changes by the methods of the queue.
public struct SlotQueue: RandomAccessCollection {
    public private(set) var slots: [Slot] = []
    /// Number of slots made so far.
    private var made = 0
    /// Number of frames made so far.
    private var madeFrames = 0

    init() {}

    /// Makes slots and frames that differ from those of a divided feed.
    init(after other: SlotQueue) { (made, madeFrames) = (other.made, other.madeFrames) }

    public var startIndex: Int { 0 }
    public var endIndex: Int { slots.count }

    public subscript(index: Int) -> Slot { slots[index] }

    // MARK: slots come and go

    /// Returns the number of the next slot.
    mutating func makeID() -> Int {
        made += 1
        return made
    }

    /// Returns the serial number of the next frame.
    mutating func makeSerial() -> Int {
        madeFrames += 1
        return madeFrames
    }

    mutating func append(_ slot: Slot) { slots.append(slot) }

    /// Plays this slot alone, entered by a start, a seek or a new seat. All other slots must have been dropped.
    mutating func enter(_ slot: Slot) {
        slots = [slot]
        slots[0].enter()
    }

    /// Plays this slot before the front.
    mutating func enter(before slot: Slot) {
        slots.insert(slot, at: 0)
        slots[0].enter()
    }

    /// Plays another attempt in the place of a slot.
    mutating func replace(_ index: Int, by slot: Slot) { slots[index] = slot }

    /// Returns the removed slots.
    mutating func removeAll() -> [Slot] {
        defer { slots = [] }
        return slots
    }

    /// Removes all slots from this one on, and returns them.
    mutating func remove(from index: Int) -> [Slot] {
        defer { slots.removeSubrange(index...) }
        return Array(slots[index...])
    }

    /// Removes the slots before this one, and returns them.
    mutating func remove(before index: Int) -> [Slot] {
        defer { slots.removeFirst(index) }
        return Array(slots[..<index])
    }

    /// Removes the slots of earlier iterations, and returns them.
    mutating func remove(beforeIteration iteration: Int) -> [Slot] {
        let removed = slots.filter { $0.run.iteration < iteration }
        slots.removeAll { $0.run.iteration < iteration }
        return removed
    }

    /// Drops the later rounds of an item if the whole round of this slot has failed. They would fail again.
    mutating func dropRounds(after index: Int) {
        let (run, abIteration) = (slots[index].run, slots[index].abIteration)
        let isOfItem = { (slot: Slot) in slot.run.isOfItem(of: run) && slot.abIteration == abIteration }
        guard slots.allSatisfy({ !isOfItem($0) || $0.run.round != run.round || $0.hasFailed }) else { return }
        slots.removeAll { isOfItem($0) && $0.run.round > run.round && $0.isUnopened }
    }

    // MARK: all slots change

    mutating func shift(by change: Time) { for index in slots.indices { slots[index].timing.shift(by: change) } }

    /// Moves the slots back by iterations of the A-B loop that are over. `change`: their total length.
    mutating func setBack(by abIterations: Int, lasting change: Time) {
        for index in slots.indices { slots[index].timing.setBack(by: abIterations, lasting: change) }
    }

    /// The runs of the slots become those of another iteration.
    mutating func join(iteration: Int) {
        for index in slots.indices {
            var run = slots[index].run
            run.iteration = iteration
            slots[index].become(run)
        }
    }

    /// Moves the entry of each slot earlier by `time`, because the frames before it are needed too.
    mutating func enterEarlier(by time: Time) {
        for index in slots.indices { slots[index].moveEntry(to: Swift.max(.zero, slots[index].entry - time)) }
    }

    /// Sets the length of the slots that play the same part of an item as `run`.
    mutating func setLengths(of run: RunID, to length: Time?, where isMeant: (Slot) -> Bool) {
        for index in slots.indices where !slots[index].isWhole && isMeant(slots[index]) {
            let other = slots[index].run
            // A layer cuts this slot off.
            if slots[index].shortenedTo != nil { continue }
            if other.place == run.place, other.segment == run.segment { slots[index].timing.length = length }
        }
    }

    /// Fills the slot with a still image or a sound, which need no pipeline.
    mutating func fill(_ index: Int, with frame: Frame?, of timeline: Timeline, at now: Time) {
        let still = frame.map { Slot.TimedFrame(offset: .zero, pts: .zero, serial: makeSerial(), frame: $0) }
        slots[index].fill(with: still, timeline.length(of: slots[index].run), at: now)
    }

    /// Replaces a still image by `frame`, its new decode, in every slot that shows the same source with the same
    /// decoding settings.
    mutating func replaceStill(ofSlot id: Int, item: ItemPlace, of timeline: Timeline, with frame: Frame) {
        guard let index = self.index(ofSlot: id), let made = timeline.item(at: item) else { return }
        let location = slots[index].location
        for index in slots.indices where slots[index].isStill && slots[index].location == location {
            guard let shown = timeline.item(of: slots[index].run), shown.look.decoding == made.look.decoding else {
                continue
            }
            slots[index].replaceStill(with: frame, serial: makeSerial())
        }
    }

    /// Moves the times of a live slot. Shown frames are not shown again, and frames that are over by then do not count
    /// as dropped.
    mutating func moveEdge(by change: Time, slot index: Int, to groupTime: Time) {
        if change > .zero { slots[index].dropFrames() }
        slots[index].timing.shift(by: change)
        // The move does not change the duration.
        if let length = slots[index].length { slots[index].timing.length = length - change }
        _ = slots[index].advance(to: groupTime, keeping: 0)
    }

    /// Makes the next slot start when its first frame is decoded.
    mutating func leaveLate(slot index: Int) {
        slots[index].holdNext()
        if index + 1 < slots.count { slots[index + 1].timing.awaitFirstFrame() }
    }
}
