import Base
import Decoded
import Layout
import Opened

/// The first frame of a feed's first item, for a feed that has no seat yet.
public struct Preview {
    public private(set) var slot: Slot?
    public private(set) var frame: FeedShowing.Shown?
    /// True if the frame is black.
    public private(set) var isBlack = false

    public var loading: Slot.Loading? { slot?.loading }
    public func isFor(_ id: Int) -> Bool { slot?.id == id }

    mutating func plan(_ slot: Slot) {
        self.slot = slot
        slot.timing.length = nil
    }

    /// Ends the preview. Returns the slot planned for it.
    mutating func drop() -> Slot? {
        defer { slot = nil }
        return slot
    }

    mutating func forgetFrame() { (frame, isBlack) = (nil, false) }

    /// Takes the open source.
    public func take(_ source: OpenSourceID, at now: Time) { slot?.take(source, at: now) }

    /// The source could not be opened, or broke.
    public func fail(_ trouble: SourceTrouble) { slot?.fail(trouble, lasting: nil) }

    /// Takes the decoded frame, and shows it.
    mutating func note(_ frame: Frame, pts: Time, serial: Int) {
        _ = slot?.append(Slot.TimedFrame(offset: .zero, pts: pts, serial: 0, frame: frame), to: .zero, at: .zero)
        show(frame, serial: serial)
    }

    mutating func show(_ frame: Frame, serial: Int) {
        self.frame = FeedShowing.Shown(frame: frame, serial: serial, item: ItemPlace(0))
        isBlack = frame.isBlack
    }
}
