import Base
import Decoded

/// The decoded frames of a slot, and how far it is decoded.
struct SlotFrames {
    /// By offset. While the run is kept for replay, `dueIndex` moves over them. Otherwise old ones are removed from the
    /// front.
    private(set) var frames: [Slot.TimedFrame] = []
    /// Index of the due frame; before the slot is shown, index of the first frame to show.
    private(set) var dueIndex = 0
    /// Offset at which the next decoded frame begins.
    var to: Time
    /// True while the pipeline fills the slot up to its depth, false while the slot drains by a burst.
    var isFilling = true
    /// Frames that were left out.
    var gaps = SlotGaps()
    /// Frames being decoded that will be inserted in front of `frames`. They are added when all are decoded; nil while
    /// there is no refill.
    var refill: Refill?

    struct Refill {
        /// Offsets. `to` is the start of the slot's first frame.
        let from: Time
        let to: Time
        /// True if no frame of the run remains to be decoded after the slot's frames.
        var wasWhole: Bool
        fileprivate(set) var frames: [Slot.TimedFrame] = []
        fileprivate(set) var decodedTo = Time.zero
    }

    init(to entry: Time) { to = entry }

    /// The frames are shown again, from the first one on.
    mutating func restart() {
        (dueIndex, isFilling, refill) = (0, true, nil)
        for index in frames.indices { frames[index].isPresented = false }
        _ = gaps.takeSkip()
    }

    mutating func replace(by others: [Slot.TimedFrame]) { (frames, dueIndex) = (others, 0) }

    mutating func showStill(_ frame: Frame, serial: Int) {
        frames = frames.map { Slot.TimedFrame(offset: $0.offset, pts: $0.pts, serial: serial, frame: frame) }
    }

    mutating func append(_ frame: Slot.TimedFrame, to end: Time) {
        var frame = frame
        frame.leftOut = gaps.pass()
        frames.append(frame)
        to = end
    }

    mutating func notePresented(_ index: Int) { frames[index].isPresented = true }

    /// Moves `dueIndex` to the frame that is due at `offset`. Returns the frames that were passed unseen. `behind`:
    /// number of frames kept before the due one.
    mutating func advance(to offset: Time, keeping behind: Int) -> Missed {
        var missed = Missed()
        while dueIndex + 1 < frames.count, frames[dueIndex + 1].offset <= offset {
            if !frames[dueIndex].isPresented { missed.decoded += 1 }
            dueIndex += 1
            missed.undecoded += frames[dueIndex].leftOut
        }
        while dueIndex > 0, frames[dueIndex].offset > offset { dueIndex -= 1 }
        if dueIndex > behind {
            frames.removeFirst(dueIndex - behind)
            dueIndex = behind
        }
        return missed
    }

    // MARK: another beginning or end

    mutating func removeFrames(before offset: Time) {
        frames.removeAll { $0.offset < offset }
        if frames.isEmpty { gaps = SlotGaps() }
    }

    mutating func dropFrames(from offset: Time) {
        guard let first = frames.first(where: { $0.offset >= offset }) else { return }
        frames.removeAll { $0.offset >= offset }
        gaps.end(before: first.leftOut)
    }

    /// Drops everything from this offset on, which is the end of the run now.
    mutating func shorten(to offset: Time) {
        if to >= offset { refill?.wasWhole = true }
        dropFrames(from: offset)
        dueIndex = min(dueIndex, max(0, frames.count - 1))
        to = min(to, offset)
    }

    // MARK: refills

    /// The refill's lease begins, possibly again.
    mutating func restartRefill() {
        refill = refill.map { Refill(from: $0.from, to: $0.to, wasWhole: $0.wasWhole) }
    }

    /// Adds a frame to the refill, of which the last `most` are kept.
    mutating func appendRefill(_ frame: Slot.TimedFrame, to end: Time, keeping most: Int) {
        refill?.frames.append(frame)
        refill?.decodedTo = end
        let surplus = (refill?.frames.count ?? 0) - most
        if surplus > 0 { refill?.frames.removeFirst(surplus) }
    }

    /// Inserts the frames of the refill if all are decoded. The run may have been shortened meanwhile: frames after its
    /// new end are dropped.
    mutating func endRefill(cutOffset cut: Time?) {
        guard let refill else { return }
        self.refill = nil
        guard refill.decodedTo >= refill.to else { return }
        var missing = refill.frames.filter { frame in cut.map { frame.offset < $0 } ?? true }
        for index in missing.indices { missing[index].isPresented = true }
        frames.insert(contentsOf: missing, at: 0)
        dueIndex = min(dueIndex + missing.count, max(0, frames.count - 1))
    }
}

extension Slot {
    public struct TimedFrame {
        /// Group time from the run's beginning to the frame's.
        public let offset: Time
        /// Group time; nil if the frame lasts until another frame follows.
        var length: Time?
        /// Media time, for the trace.
        public let pts: Time
        public let serial: Int
        public let frame: Frame
        /// Number of frames of the run that were left out directly before it.
        public fileprivate(set) var leftOut = 0
        public fileprivate(set) var isPresented = false
    }
}
