import Base
import Layout

/// Derived state of a slot: when it plays, how far it is decoded, and whether it can be shown.
extension Slot {
    public var start: Time? { timing.start }
    public var length: Time? { timing.length }
    public var entry: Time { timing.entry }
    public var takesOverAt: Time? { timing.takesOverAt }
    var cutTime: Time? { timing.cutTime }
    var cutOffset: Time? { timing.cutOffset }
    public var fade: Time { timing.fade }
    var dueTolerance: Time { timing.dueTolerance }
    var abIteration: Int { timing.abIteration }

    public var end: Time? {
        guard let start, let length else { return cutTime }
        return cutTime.map { min($0, start + length) } ?? (start + length)
    }

    /// Duration from the start of the run to the end of its display; nil while unknown.
    var played: Time? { start.flatMap { start in end.map { $0 - start } } ?? length }

    /// Difference between the actual start and the time at which it was due.
    public var delay: Time { timing.dueAt.flatMap { due in start.map { max(.zero, $0 - due) } } ?? .zero }

    public func isOver(at groupTime: Time) -> Bool { end.map { $0 <= groupTime } ?? false }

    /// True for a still image or a sound, for which nothing is decoded again.
    public var isStill: Bool { content != .frames }

    /// True for a sound that has no frame to show.
    var isSound: Bool { content == .sound && frames.isEmpty }

    /// Size and samples in which the still image was requested again; nil if it was not.
    var askedStill: StillPlan? { if case .still(let asked) = content { asked } else { nil } }

    /// True if nothing more of it is decoded: all of it is, or it has failed.
    public var isWhole: Bool { if case .whole = loading { true } else { hasFailed } }

    /// True if the source is not open and no frame is decoded.
    public var isUnopened: Bool { !wasOpened && !hasFailed && frames.isEmpty }

    /// True if the slots after it play without waiting for its source.
    var isSkipped: Bool { if case .skipped = response { true } else { false } }

    /// True if the source is open, but its server has not answered yet for this run.
    var awaitsServer: Bool { times.firstDecoded == nil && !isWhole && SourceName.path(of: location) == nil }

    /// True if the connection to the source was lost and is not yet restored.
    var isReconnecting: Bool { if case .lost = response { true } else { false } }

    /// Wall time of the next attempt to reconnect; nil if the connection was not lost.
    public var reconnectsAt: Time? { if case .lost(let instant) = response { instant } else { nil } }

    /// True if the slot after it may be decoded.
    var letsNextPlay: Bool { isWhole || isSkipped }

    /// True if the next slot is planned as if this one were absent, because its source does not answer, or did not
    /// answer last time.
    var isBeside: Bool { isSkipped || isUnopened && length == .zero }

    /// True if the source is open, or was until its frames were decoded.
    public var wasOpened: Bool {
        switch loading {
        case .planned, .opening, .failed: false
        case .ready, .leased, .whole: true
        }
    }

    public var hasFailed: Bool { if case .failed = loading { true } else { false } }

    /// True if nothing of it can be played, and it takes no time.
    var isVoid: Bool { hasFailed && length == .zero }

    public var isLeased: Bool { pipeline != nil }

    public var pipeline: Int? { if case .leased(let pipeline) = loading { pipeline } else { nil } }

    /// Number of decoded frames from the due one on, which are not over.
    public var framesLeft: Int { frames.count - dueIndex }

    /// Group time decoded beyond `groupTime`, or beyond `entry` while the start is unknown.
    func ahead(of groupTime: Time) -> Time {
        guard let start else { return decodedTo - entry }
        return start + decodedTo - max(groupTime, start + entry)
    }

    /// True if the frame for `groupTime` is being decoded by a refill.
    func isRefilled(at groupTime: Time) -> Bool {
        guard let refill, let start, let first = frames.first else { return false }
        return start + refill.from <= groupTime && groupTime < start + first.offset
    }

    /// Group time up to which frames are decoded; nil if there are none.
    var knownTo: Time? { frames.isEmpty ? nil : start.map { $0 + decodedTo } }

    /// Group time at which the first decoded frame begins.
    var firstFrame: Time? { frames.first.flatMap { first in start.map { $0 + first.offset } } }

    /// Group time from which the slot takes over from the slot before, as soon as it can (`canTakeOver`).
    public var takesOverFrom: Time? { takesOverAt ?? start.map { $0 + entry } }

    /// True if the slot can take over from the slot before.
    func canTakeOver(at groupTime: Time) -> Bool {
        guard let takesOverFrom, takesOverFrom <= groupTime else { return false }
        return isWhole || !frames.isEmpty
    }

    /// Group time at which the seam to the slot begins, and its fade. Unlike `takesOverFrom` it ignores a later entry by a
    /// seek. nil until known.
    public var begin: Time? { start.map { run.isRest ? $0 + entry : $0 } }

    /// Group time until which a fade shows the run before; nil if nothing fades, or while the start is unknown.
    public var fadeEnd: Time? { fade > .zero ? begin.map { $0 + fade } : nil }

    /// True if all frames that `other`, a slot of the same source, will show are decoded.
    func holdsAll(of other: Slot) -> Bool {
        guard case .whole = loading, refill == nil, let played = other.played else { return false }
        return isStill || decodedTo >= played && frames.first.map { $0.offset <= other.entry } ?? false
    }

    /// True if `holdsAll` will be true when this slot is decoded.
    func willHoldAll(of other: Slot) -> Bool {
        guard !isWhole, !gaps.isAny, let played, let needed = other.played else { return false }
        return entry <= other.entry && needed <= played
    }
}
