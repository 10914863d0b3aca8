import Base

/// Frames of a run that are left out while it is decoded, from the last delivered frame on.
struct SlotGaps {
    /// End of the last frame that was skipped because it was over; nil if none was.
    private var skippedTo: Time?
    /// Number of frames that the decoder left out within the length of the last delivered frame.
    private(set) var within = 0
    /// Number of frames that were left out after the end of the last delivered frame.
    private(set) var behind = 0
    /// Number of frames that the decoder left out within the length of the frame that is delivered next.
    private var coming = 0
    /// True if any frame was left out.
    private(set) var isAny = false
    /// True if the decoder leaves out frames to which no other frame refers. Each lease begins without.
    var decoderLeavesOut = false

    /// The frame at hand is skipped, and `count` frames after it. `end`: end of the frame if it was over.
    mutating func noteSkipped(with count: Int, over end: Time? = nil) {
        behind += 1 + count
        isAny = true
        if let end { skippedTo = end }
    }

    /// After a skip, the decoder went on only `count` frames later.
    mutating func noteLate(_ count: Int) { behind += count }

    /// The frame at hand is delivered. `count`: number of frames that the decoder left out within its length.
    mutating func noteComing(_ count: Int) {
        coming = count
        if count > 0 { isAny = true }
    }

    /// A frame is delivered. Returns the number of frames that were left out directly before it.
    mutating func pass() -> Int {
        defer { (within, behind, coming) = (coming, 0, 0) }
        return within + behind
    }

    /// The frames that follow were dropped. `count`: number of frames that were left out before the first of them.
    mutating func end(before count: Int) { (within, behind, coming) = (count, 0, 0) }

    /// Returns the offset at which the decoder went on after a skip; nil if it did not skip.
    mutating func takeSkip() -> Time? {
        defer { skippedTo = nil }
        return skippedTo
    }
}
