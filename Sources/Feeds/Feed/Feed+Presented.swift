import Base

// Frames of a feed that were presented.
extension Feed {
    /// A frame of a slot was presented. `isLate`: clearly after it was due.
    public mutating func notePresented(_ frame: Int, ofSlot index: Int, isLate: Bool, at now: Time)
        -> FeedScreen.Presentation
    {
        reel.slots[index].notePresented(frame)
        let slot = slots[index]
        return screen.notePresented(
            slot.frames[frame], of: slot, still: screen.still(of: slot, in: timeline),
            resuming: course.resumed(by: slot.run), isCutting: interrupts(slot.run), isFading: seam.isFading,
            isLate: isLate, at: now)
    }

    /// A frame of the item that a fade takes off the screen was presented.
    public mutating func notePresentedLeaving(_ frame: Int, isLate: Bool) {
        seam.notePresented(frame)
        screen.notePresentedLeaving(isLate: isLate)
    }
}
