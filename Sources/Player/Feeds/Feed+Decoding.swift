import Base
import Layout
import Scene

// The order in which a feed is decoded, and how far ahead.
extension Feed {
    /// Index of the slot that a pipeline would decode next. Runs are decoded in their order.
    var nextToDecode: Int? {
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
    var starves: Bool {
        guard let next = nextToDecode else { return false }
        return !slots[..<next].contains { $0.isLeased }
    }

    /// True if an earlier slot has the source of this slot, and hands it on when it is decoded.
    func inherits(_ index: Int) -> Bool {
        let location = slots[index].location
        return slots[..<index].contains { !$0.isWhole && $0.location == location }
    }

    /// Wall time that is decoded ahead: usually half a second, more if the next run is slow to begin.
    var depth: Time {
        let isEnteredInside = slots.dropFirst().contains {
            $0.entry > .zero || timeline.segment(of: $0.run).start > .zero
        }
        let needed =
            decoding.warmUp == .zero && isEnteredInside ? Depth.beforeInPoint : decoding.warmUp * 2 + .milliseconds(100)
        return max(readAhead, min(max(Depth.usual, needed), Depth.most)) + fadeAhead
    }

    /// Time by which a run is decoded earlier before a fade. Its pipeline then decodes the next run.
    private var fadeAhead: Time {
        guard timeline.fades else { return .zero }
        return slots.lazy.map { slot in following(slot.run).map(timeline.fade(before:)) ?? .zero }.max() ?? .zero
    }

    /// Time that the layout specifies for a source that may stall.
    private var readAhead: Time {
        guard let run = slots.first?.run, SourceName.path(of: timeline.segment(of: run).source) == nil else {
            return .zero
        }
        return timeline.item(of: run)?.ahead ?? .zero
    }

    /// True if the next slot to decode needs another source than the slot before. The same source would go on with its
    /// decoder.
    var opensAnother: Bool {
        guard let index = nextToDecode, index > 0 else { return false }
        return slots[index - 1].location != slots[index].location
    }

    /// Returns how long the feed can play without any pipeline, in group time.
    func buffered(after groupTime: Time) -> Time {
        var until = groupTime
        for slot in slots {
            guard let start = slot.start else { break }
            until = max(until, slot.isWhole ? slot.end ?? until : start + slot.decodedTo)
            if !slot.letsNextPlay { break }
        }
        return until - groupTime
    }
}
