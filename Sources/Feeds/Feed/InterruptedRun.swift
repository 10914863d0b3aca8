import Base
import Decoded
import Layout

/// The run that waits below the items on top of a sequence, with its frames that are decoded already.
///
/// `Feed.cover` shortens the front slot (`Slot.shorten`), and its frames that are decoded beyond the cut wait here. The
/// slot of the rest begins with these frames, so that a film returns without a seam, even on one pipeline.
struct InterruptedRun {
    private var slot: Slot?

    init() {}

    /// `slot`: the slot that is interrupted. `length`: length of its run without the interruption. Its frames from
    /// `offset` on are kept.
    init(_ slot: Slot, lasting length: Time?, from offset: Time) {
        self.slot = slot.rest(from: offset, as: slot.run, id: slot.id)
        self.slot?.setLength(length)
    }

    /// Copies the run of a divided feed.
    init(divided other: InterruptedRun) { slot = other.slot?.copy() }

    /// Number of frames that wait to be shown.
    var waiting: Int { slot?.frames.count ?? 0 }

    /// Adds the next frame. `end`: start of the frame after it.
    func append(_ frame: Slot.TimedFrame, to end: Time, at now: Time) { _ = slot?.append(frame, to: end, at: now) }

    /// All frames of the run are decoded.
    func end(_ run: RunID, at length: Time) { if holds(run) { slot?.end(length) } }

    /// True if the run that waits is `run` and resumes at `entry`.
    func holds(_ run: RunID, from entry: Time) -> Bool {
        slot.map { $0.run == run.whole && $0.entry == entry } ?? false
    }

    func holds(_ run: RunID) -> Bool { slot.map { $0.run == run } ?? false }

    /// True if frames after the cut are still to be decoded and kept: while few are kept and there is time before the
    /// cut. When the run resumes, these frames are shown while the decoder seeks to the preceding key frame and catches
    /// up.
    func keepsFrames(of run: RunID, behind cut: Time, _ context: PlaybackContext) -> Bool {
        context.isRunning && holds(run) && length < Depth.usual.played(at: context.rate)
            && cut - context.dueTime > (Depth.burst / 2).played(at: context.rate)
    }

    /// Length of its frames.
    var length: Time { slot.map { $0.decodedTo - $0.entry } ?? .zero }

    /// Returns a slot for the rest of the run.
    mutating func resume(as run: RunID, id: Int) -> Slot? {
        defer { slot = nil }
        return slot.map { $0.rest(from: $0.entry, as: run, id: id) }
    }
}
