import Base
import Decoded
import Layout

// Slots of a queue that are opened, decoded or wait.
extension SlotQueue {
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
    var waiting: Int { slots.reduce(0) { $0 + $1.waiting } }
}
