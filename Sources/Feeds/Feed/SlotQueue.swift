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

    func shift(by change: Time) { for slot in slots { slot.timing.shift(by: change) } }

    /// Sets the length of the slots that play the same part of an item as `run`.
    func setLengths(of run: RunID, to length: Time?, where isMeant: (Slot) -> Bool) {
        for slot in slots where slot.run.place == run.place && slot.run.segment == run.segment {
            // A layer cuts off a slot that was shortened.
            if !slot.isWhole, slot.cutOffset == nil, isMeant(slot) { slot.timing.length = length }
        }
    }

    /// Makes the next slot start when its first frame is decoded.
    func leaveLate(slot index: Int) {
        slots[index].holdNext()
        if index + 1 < slots.count { slots[index + 1].timing.awaitFirstFrame() }
    }

    // MARK: slots that are opened, decoded or wait

    public func index(ofSlot id: Int) -> Int? { slots.firstIndex { $0.id == id } }

    public func index(of lease: Lease) -> Int? { lease.purpose == .play ? index(ofSlot: lease.slot) : nil }

    public func slot(of lease: Lease) -> Slot? { index(of: lease).map { slots[$0] } }

    /// True if a pipeline works for the feed.
    public var isLeased: Bool { slots.contains(where: \.isLeased) }

    /// Index of the slot that a pipeline would decode next. Runs are decoded in their order.
    public var nextToDecode: Int? {
        for (index, slot) in slots.enumerated() {
            switch slot.loading {
            case .whole, .failed, .leased: continue
            case .ready: return index
            // While a slot waits to be reconnected, the next one is decoded.
            case .planned where slot.reconnectsAt != nil: continue
            case .planned, .opening:
                if slot.isSkipped || slot.isReconnecting { continue }
                return nil
            }
        }
        return nil
    }

    /// True if the slot to decode next waits for a pipeline, and none decodes the slots before it.
    public var starves: Bool {
        guard let next = nextToDecode else { return false }
        return !slots[..<next].contains { $0.isLeased }
    }

    /// True if an earlier slot has the source of this slot, and hands it on when it is decoded.
    func inherits(_ index: Int) -> Bool {
        let location = slots[index].location
        return slots[..<index].contains { !$0.isWhole && $0.location == location }
    }

    /// True if the next slot to decode needs another source than the slot before. With the same source, the pipeline
    /// would go on with its decoder.
    public var opensAnother: Bool {
        guard let index = nextToDecode, index > 0 else { return false }
        return slots[index - 1].location != slots[index].location
    }

    /// Returns the failure of the slot before, if that tried the same source. A source is not tried twice in a row.
    public func failureBefore(slot index: Int) -> SourceTrouble? {
        guard index > 0, case .failed(let trouble) = slots[index - 1].loading, slots[index - 1].length == .zero,
            slots[index - 1].location == slots[index].location
        else { return nil }
        return trouble
    }

    /// True if the item before is on top, too, and of the same server, which did not answer.
    public func followsSilence(slot index: Int) -> Bool {
        guard index > 0, case .failed(let trouble) = slots[index - 1].loading,
            [OpenRequests.noAnswer, OpenRequests.noAnswerOnTop].contains(trouble), slots[index - 1].run.layer > 0,
            slots[index - 1].run.iteration == slots[index].run.iteration,
            let server = SourceName.server(of: slots[index].location)
        else { return false }
        return server == SourceName.server(of: slots[index - 1].location)
    }

    /// Returns the number of frames that the feed's share of the memory holds, at the size of the last decoded frame.
    /// The budget's size counts while no frame is decoded.
    func mostFrames(_ budget: FrameBudget) -> Int {
        let last = slots.lazy.compactMap { $0.frames.last?.frame.bytes }.last
        return Swift.max(
            Depth.fewestFrames, budget.memory / Swift.max(1, last ?? budget.size.width * budget.size.height * 3 / 2))
    }

    /// Number of frames that wait to be shown.
    var framesLeft: Int { slots.reduce(0) { $0 + $1.framesLeft } }
}
