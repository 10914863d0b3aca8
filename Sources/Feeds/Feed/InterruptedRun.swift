import Base
import Layout
import Scene

/// The run that waits below the items on top of a sequence, with its frames that are decoded already.
///
/// `Feed.cover` shortens the front slot (`Slot.shorten`), and its frames that are decoded beyond the cut wait here. The
/// slot of the rest begins with these frames, so that a film returns without a seam, even on one pipeline.
struct InterruptedRun {
    /// At most one slot. An array keeps `Feed` small to copy.
    private var slots: [Slot] = []

    init() {}

    /// `slot`: the slot that is interrupted. Its frames from `offset` on are kept.
    init(_ slot: Slot, from offset: Time) { slots = [slot.rest(from: offset, as: slot.run, id: slot.id)] }

    /// Number of frames that wait to be shown.
    var waiting: Int { slots.first?.frames.count ?? 0 }

    /// Adds the next frame. `end`: start of the frame after it.
    mutating func append(_ frame: Slot.TimedFrame, to end: Time, at now: Time) {
        if !slots.isEmpty { _ = slots[0].append(frame, to: end, at: now) }
    }

    /// All frames of the run are decoded.
    mutating func end(_ run: RunID, at length: Time) { if holds(run) { slots[0].end(length) } }

    /// True if the run that waits is `run` and resumes at `entry`.
    func holds(_ run: RunID, from entry: Time) -> Bool {
        slots.first.map { $0.run == run.whole && $0.entry == entry } ?? false
    }

    func holds(_ run: RunID) -> Bool { slots.first.map { $0.run == run } ?? false }

    /// True if frames after the cut are still to be decoded and kept: while few are kept and there is time before the
    /// cut. When the run resumes, these frames are shown while the decoder seeks to the preceding key frame and catches
    /// up.
    func keepsFrames(of run: RunID, behind cut: Time, _ context: PlaybackContext) -> Bool {
        context.isRunning && holds(run) && length < Depth.usual.played(at: context.rate)
            && cut - context.dueTime > (Depth.burst / 2).played(at: context.rate)
    }

    /// Length of its frames.
    var length: Time { slots.first.map { $0.decodedTo - $0.entry } ?? .zero }

    /// Returns a slot for the rest of the run.
    mutating func resume(as run: RunID, id: Int) -> Slot? {
        defer { slots = [] }
        return slots.first.map { $0.rest(from: $0.entry, as: run, id: id) }
    }
}
