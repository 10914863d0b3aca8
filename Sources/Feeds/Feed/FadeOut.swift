import Base
import Layout
import Scene

/// The frames shown under the first frames of the next item while the seam between them fades.
///
/// `Timeline.fade(before:)` returns for how long a run overlaps the run before it. Start times, iteration lengths and
/// positions take this overlap into account. The feed decodes further ahead by the length of the fade
/// (`Course.fadeAhead`). A run is therefore decoded whole before it fades out, and its pipeline is free for the next
/// run. When the next run takes over, the slot that ends plays on under the front. If the sequence was replaced, its
/// last frame is held instead. If a clock jumps into a fade, the feed enters both runs (`Reel.enterFade`).
public struct FadeOut {
    private let content: Content
    /// Begin and end of the fade, in group time.
    private(set) var begin: Time
    private(set) var end: Time

    public enum Content {
        /// Last frames of a run, each shown at its time.
        case run(Slot)
        /// Last frame of a sequence that is not played any more.
        case frame(FeedShowing.Shown)
    }

    init(_ content: Content, from begin: Time, to end: Time) {
        (self.content, self.begin, self.end) = (content, begin, end)
    }

    /// Goes on with the fade of a divided feed, on a copy of the run.
    init(divided other: FadeOut) {
        self.init(other.slot.map { .run($0.copy()) } ?? other.content, from: other.begin, to: other.end)
    }

    public var slot: Slot? { if case .run(let slot) = content { slot } else { nil } }

    func isOver(at groupTime: Time) -> Bool { groupTime < begin || groupTime >= end }

    /// Returns the opacity of the next item: from 0 to `FadedFrame.whole`.
    func weight(at groupTime: Time) -> Int {
        let part = Double((groupTime - begin).ticks) / Double(max(1, (end - begin).ticks))
        return max(0, min(FadedFrame.whole, Int(part * Double(FadedFrame.whole))))
    }

    /// Frames that were due by the end of the fade and not shown.
    var unseen: MissedFrames { slot.map { MissedFrames($0.unshown(), of: $0.run) } ?? MissedFrames() }

    mutating func shift(by change: Time) {
        (begin, end) = (begin + change, end + change)
        slot?.timing.shift(by: change)
    }

    /// The frame that is due; nil if there is none.
    var frame: FeedShowing.Shown? {
        switch content {
        case .frame(let shown): return shown
        case .run(let slot):
            guard !slot.frames.isEmpty else { return nil }
            let due = slot.frames[slot.dueIndex]
            return FeedShowing.Shown(frame: due.frame, serial: due.serial, item: slot.run.place)
        }
    }

    /// Renumbers the run for another sequence. Returns false if the run is not in it.
    func resequence(_ place: (RunID) -> RunID?) -> Bool {
        guard let slot else { return true }
        guard let run = place(slot.run) else { return false }
        slot.run = run
        return true
    }
}
