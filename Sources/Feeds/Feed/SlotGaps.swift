import Base

/// Frames of a run that are left out while it is decoded, from the last delivered frame on.
struct SlotGaps {
    /// End of the last frame that was skipped because it was over; nil if none was.
    private var skippedTo: Time?
    /// Number of frames that the decoder left out within the length of the last delivered frame.
    private(set) var within = 0
    /// Number of frames that were left out after the end of the last delivered frame.
    var behind = 0
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

// Frames of a slot that were left out: where they would begin, and how many of them were due.
extension Slot {
    /// Returns the number of frames that were left out between the frame at `index` and the next one.
    private func leftOut(after index: Int) -> Int {
        if index + 1 < frames.count { return frames[index + 1].leftOut }
        return isWhole ? gaps.within + gaps.behind : gaps.within
    }

    /// Beginnings of the frame at `index` and of the frames that were left out after it: the first, their distance, and
    /// the number of those left out.
    private func beginnings(from index: Int) -> (first: Time, distance: Time, leftOut: Int) {
        let (first, leftOut) = (frames[index].offset, leftOut(after: index))
        let next = index + 1 < frames.count ? frames[index + 1].offset : decodedTo
        return (first, max(Time(ticks: 1), (next - first) / Int64(leftOut + 1)), leftOut)
    }

    /// Returns the beginning of the frame that is due at `offset`, whether it was left out or not. nil if no frame is
    /// held before it.
    func beginning(ofFrameAt offset: Time) -> Time? {
        guard let index = frames.lastIndex(where: { $0.offset <= offset }) else { return nil }
        let (first, distance, leftOut) = beginnings(from: index)
        return first + distance * min(Int64(leftOut), (offset - first).ticks / distance.ticks)
    }

    /// True if the frame that is due at `offset` was left out, and one before it is held.
    func leavesOut(frameAt offset: Time) -> Bool {
        guard gaps.isAny, let index = frames.lastIndex(where: { $0.offset <= offset }) else { return false }
        return beginning(ofFrameAt: offset) != frames[index].offset
    }

    /// Returns the beginning of the first frame after `offset`, whether it was left out or not. nil if it is not known.
    func beginning(after offset: Time) -> Time? {
        let index = frames.firstIndex { $0.offset > offset }
        guard let before = (index ?? frames.count) > 0 ? (index ?? frames.count) - 1 : nil else {
            return index.map { frames[$0].offset }
        }
        let (first, distance, leftOut) = beginnings(from: before)
        let place = (offset - first).ticks / distance.ticks + 1
        return place <= leftOut ? first + distance * place : index.map { frames[$0].offset }
    }

    /// Returns the beginning of the last frame that begins before `offset`, whether it was left out or not. nil if no
    /// frame is held before it.
    func beginning(before offset: Time) -> Time? { beginning(ofFrameAt: offset - Time(ticks: 1)) }

    /// Frames from the one that is held before `offset` up to the one that is due then, without that one, which were not
    /// shown.
    func unshown(before offset: Time) -> Missed {
        guard let index = frames.lastIndex(where: { $0.offset <= offset }) else { return Missed() }
        let (first, distance, leftOut) = beginnings(from: index)
        let place = min(leftOut, Int((offset - first).ticks / distance.ticks))
        return Missed(decoded: frames[index].isPresented || place == 0 ? 0 : 1, undecoded: max(0, place - 1))
    }

    /// Frames from the due one on that were not presented, and those that were left out after it. `groupTime`: those
    /// that begin later do not count.
    func unshown(until groupTime: Time = .distantFuture) -> Missed {
        guard !frames.isEmpty else { return Missed(undecoded: isWhole ? gaps.within + gaps.behind : 0) }
        var missed = Missed()
        for index in dueIndex..<frames.count {
            if let start, start + frames[index].offset > groupTime { return missed }
            if !frames[index].isPresented { missed.decoded += 1 }
            if index > dueIndex { missed.undecoded += frames[index].leftOut }
        }
        missed.undecoded += leftOut(after: frames.count - 1)
        return missed
    }
}
