/// What follows from what a slot holds: when it plays, how far it is decoded, and whether it can be shown.
extension Slot {
    var end: Time? {
        guard let start, let length else { return cut }
        return cut.map { min($0, start + length) } ?? (start + length)
    }

    /// How long it is on the screen from its run's beginning; nil while unknown.
    var played: Time? { start.flatMap { start in end.map { $0 - start } } ?? length }

    /// By how much it begins later than it was due.
    var delay: Time { dueAt.flatMap { due in start.map { max(.zero, $0 - due) } } ?? .zero }

    func isOver(at groupTime: Time) -> Bool { end.map { $0 <= groupTime } ?? false }

    var isWhole: Bool {
        switch loading {
        case .whole, .failed: true
        default: false
        }
    }

    /// Its source is not open, and the run has no frame.
    var isUnopened: Bool {
        switch loading {
        case .planned, .opening: frames.isEmpty
        case .ready, .leased, .whole, .failed: false
        }
    }

    /// The slots after it go on without its source.
    var isSkipped: Bool { if case .skipped = absence { true } else { false } }

    /// The connection to its source was lost, and is not there again.
    var isReconnecting: Bool { if case .lost = absence { true } else { false } }

    /// Wall time until which a source whose connection was lost is left alone; nil: it is not.
    var reconnectsAt: Time? { if case .lost(let instant) = absence { instant } else { nil } }

    /// The slot after it can be decoded.
    var letsNextPlay: Bool { isWhole || isSkipped }

    /// The next slot is planned as if this one were absent, because its source does not answer, or did not answer last time.
    var isBeside: Bool { isSkipped || isUnopened && length == .zero }

    var wasOpened: Bool {
        switch loading {
        case .planned, .opening, .failed: false
        case .ready, .leased, .whole: true
        }
    }

    var hasFailed: Bool {
        if case .failed = loading { true } else { false }
    }

    var isLeased: Bool { pipeline != nil }

    var pipeline: Int? {
        if case .leased(let pipeline) = loading { pipeline } else { nil }
    }

    /// How many frames wait to be shown, the one that is due included.
    var waiting: Int { frames.count - dueIndex }

    /// How much was decoded beyond `groupTime`, in group time; from the run's own beginning where that is not known.
    func ahead(of groupTime: Time) -> Time {
        guard let start else { return decodedTo - entry }
        return start + decodedTo - max(groupTime, start + entry)
    }

    /// The frame for `groupTime` is being decoded to stand before those that are here.
    func isRefilled(at groupTime: Time) -> Bool {
        guard let refill, let start, let first = frames.first else { return false }
        return start + refill.from <= groupTime && groupTime < start + first.offset
    }

    /// Until when its frames are here, in group time; nil: it has none.
    var knownTo: Time? {
        frames.isEmpty ? nil : start.map { $0 + decodedTo }
    }

    /// When the first of its frames that are here begins, in group time.
    var firstFrame: Time? { frames.first.flatMap { first in start.map { $0 + first.offset } } }

    /// When it is to take over from the slot before it.
    var instant: Time? { takesOverAt ?? start.map { $0 + entry } }

    /// Whether it can take over from the slot before it.
    func canTakeOver(at groupTime: Time) -> Bool {
        guard let instant, instant <= groupTime else { return false }
        return isWhole || !frames.isEmpty
    }

    /// Until when the run before it is shown with it, in group time; nil: it is not, or that is not known.
    var fadeEnd: Time? { fade > .zero ? start.map { $0 + fade } : nil }

    /// All that another slot of the same frames is to show is here.
    func holdsAll(of other: Slot) -> Bool {
        guard case .whole = loading, refill == nil, let played = other.played else { return false }
        return isStill || decodedTo >= played && frames.first.map { $0.offset <= other.entry } ?? false
    }

    /// It will be when it is decoded.
    func willHoldAll(of other: Slot) -> Bool {
        guard !isWhole, !hasGaps, let played, let needed = other.played else { return false }
        return entry <= other.entry && needed <= played
    }
}
