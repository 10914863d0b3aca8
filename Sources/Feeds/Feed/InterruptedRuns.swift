import Base
import Decoded
import Layout

/// The interrupted runs of a feed, one for each layer that waits, from the lowest up.
///
/// Their frames beyond the cut wait below the layer on top, so that a film returns without a seam, even on one pipeline.
struct InterruptedRuns {
    private(set) var slots: [Slot] = []

    /// Returns the slot with the frames of an interrupted run beyond its cut; nil if the run does not wait.
    func slot(of run: RunID) -> Slot? { slots.last { $0.run == run } }

    /// Number of frames.
    var frames: Int { slots.reduce(0) { $0 + $1.frames.count } }

    mutating func add(_ slot: Slot) {
        slots.append(slot)
        slots.sort { $0.run.layer < $1.run.layer }
    }

    /// Forgets the runs of this layer and of those above it.
    mutating func forget(from layer: Int) { slots.removeAll { $0.run.layer >= layer } }

    /// Returns a slot for the rest of a run, with its frames; nil if the run does not wait.
    mutating func resume(_ run: RunID, from entry: Time, id: Int) -> Slot? {
        guard let index = slots.lastIndex(where: { $0.run == run.whole && $0.entry == entry }) else { return nil }
        return slots.remove(at: index).rest(from: entry, as: run, id: id)
    }

    /// True if frames of the run that is due are still to be decoded and kept after its cut: while few are kept and
    /// there is time before the cut. When the run resumes, these frames are shown while the decoder seeks to the
    /// preceding key frame and catches up.
    func keepsFrames(of run: RunID, behind cut: Time, _ context: PlaybackContext) -> Bool {
        guard context.isRunning, let slot = slot(of: run) else { return false }
        return slot.decodedTo - slot.entry < Depth.usual.played(at: context.rate)
            && cut - context.dueTime > (Depth.burst / 2).played(at: context.rate)
    }
}
