// What a feed decodes next, and how far ahead.
extension Feed {
    /// The slot that a pipeline would work on next: runs are decoded in their order.
    var nextToDecode: Int? {
        for (index, slot) in slots.enumerated() {
            switch slot.loading {
            case .whole, .failed, .leased: continue
            case .ready: return index
            // While one waits to be connected again, the next one is decoded.
            case .planned where slot.reconnectsAt != nil: continue
            case .planned, .opening:
                if slot.isSkipped || slot.isReconnecting { continue }
                return nil
            }
        }
        return nil
    }

    /// What it is to decode next waits for a pipeline, and none works for what comes before.
    var starves: Bool {
        guard let next = nextToDecode else { return false }
        return !slots[..<next].contains { $0.isLeased }
    }

    /// An earlier slot has the source that this one wants, and leaves it when it is decoded.
    func inherits(_ index: Int) -> Bool {
        let location = slots[index].location
        return slots[..<index].contains { !$0.isWhole && $0.location == location }
    }

    /// How far it is decoded ahead, in wall time: half a second as a rule, more where the next run is slow to begin.
    var depth: Time {
        let isEnteredInside = slots.dropFirst().contains {
            $0.entry > .zero || timeline.segment(of: $0.run).start > .zero
        }
        let needed =
            decoding.warmUp == .zero && isEnteredInside ? Depth.beforeInPoint : decoding.warmUp * 2 + .milliseconds(100)
        return max(readAhead, min(max(Depth.usual, needed), Depth.most)) + fadeAhead
    }

    /// Before a seam fades the run that ends is decoded so much earlier: its pipeline is for the next one then.
    private var fadeAhead: Time {
        guard timeline.fades else { return .zero }
        return slots.lazy.map { slot in following(slot.run).map(timeline.fade(before:)) ?? .zero }.max() ?? .zero
    }

    /// What the layout wants of a source that may stall.
    private var readAhead: Time {
        guard let run = slots.first?.run, SourceName.path(of: timeline.segment(of: run).source) == nil else {
            return .zero
        }
        return timeline.items[run.item].ahead
    }

    /// The slot to be decoded next needs another decoder than the one before: the same source would just go on.
    var opensAnother: Bool {
        guard let index = nextToDecode, index > 0 else { return false }
        return slots[index - 1].location != slots[index].location
    }

    /// How long it can play on without any pipeline, in group time.
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
