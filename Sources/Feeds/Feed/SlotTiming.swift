import Base

/// The place of a slot on its group's clock.
///
/// A slot has these group times, each nil while unknown. Some are kept here; `Slot` computes the others from these
/// (Slot+State.swift). A run that is entered at 2 s, fades in for 1 s and is cut off:
///
///     start ──── entry ────▶ takesOverFrom ─── fade ──▶ fadeEnd ────────▶ cutTime = end        start + length
///     0 s                    2 s                        3 s                7 s                  9 s
///
///     dueAt          the start that was due, if the run starts later; else nil
///     start          offset zero of the run, even if the run is entered later
///     begin          the seam to the slot begins, and its fade: at the start, whatever a seek has entered later; the rest
///                    of an interrupted run at its entry
///     fadeEnd        the fade from the run before is over; nil if nothing fades
///     takesOverAt    replaces `start` + entry as the time to take over; nil if nothing does
///     takesOverFrom  the slot takes over from the slot before as soon as it can: `takesOverAt`, else `start` + entry
///     cutTime        a layer, the end of an A-B loop or the next iteration cut the run off; nil if nothing does
///     end            the run is over: by its length, or at `cutTime` if that comes first
struct SlotTiming {
    /// Group time of the run's offset zero; nil while the end of a run before it is unknown. A slot that enters its run
    /// later, such as the rest of an interrupted one, begins at `start` plus its entry.
    var start: Time?
    /// Offset at which the run is entered. Frames that end before are skipped.
    var entry: Time
    /// Length in group time, up to the cut if a layer cuts the run off; nil while unknown.
    var length: Time?
    /// Group time at which the slot was due, if it starts later, when its first frame is decoded; nil otherwise.
    private(set) var dueAt: Time?
    /// Group time at which the slot comes on the screen, if not at its start plus its entry; nil otherwise. Set for an
    /// iteration of a group that loops together or of an A-B loop, for a live source that comes on or back, and for the
    /// first frame of a tile that has not begun.
    var takesOverAt: Time?
    /// Group time at which the run is cut off, by a layer, by the end of an A-B loop, or by the next iteration of
    /// its group; nil if it plays to its end.
    var cutTime: Time?
    /// Offset at which a layer cuts the slot off; nil if none does.
    var cutOffset: Time?
    /// Time from the beginning of the run during which a fade shows the run before it.
    var fade = Time.zero
    /// Time by which a frame may be shown early, in group time; zero until the length of frames is known.
    var dueTolerance = Time.zero
    /// Iteration of the group's A-B loop: 0 is the current one, 1 the next.
    var abIteration = 0

    /// Moves all group times.
    mutating func shift(by change: Time) {
        start = start.map { $0 + change }
        dueAt = dueAt.map { $0 + change }
        takesOverAt = takesOverAt.map { $0 == -.distantFuture ? $0 : $0 + change }
        cutTime = cutTime.map { $0 + change }
    }

    /// Makes the slot start when its first frame is decoded, later than it was due.
    mutating func awaitFirstFrame() { (start, dueAt) = (nil, dueAt ?? start) }

    /// The slot has no place yet.
    mutating func clear() { (start, dueAt, takesOverAt, cutTime, fade) = (nil, nil, nil, nil, .zero) }

    /// Returns the same place for the frames of another slot, which are shown again.
    func replayed(for other: SlotTiming) -> SlotTiming {
        var replayed = self
        (replayed.dueAt, replayed.fade, replayed.dueTolerance) = (nil, .zero, other.dueTolerance)
        replayed.cutOffset = other.cutOffset
        return replayed
    }
}
