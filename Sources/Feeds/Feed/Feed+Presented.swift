import Base

// Frames of a feed that are on the screen, and the item that they belong to.
extension Feed {
    /// A frame of a slot was presented. `isLate`: clearly after it was due.
    public mutating func present(_ frame: Int, ofSlot index: Int, isLate: Bool, at now: Time) -> FeedScreen.Presentation
    {
        reel.slots[index].notePresented(frame)
        let slot = slots[index]
        return screen.present(
            slot.frames[frame], of: slot, still: screen.still(of: slot, in: timeline),
            resuming: course.resumed(by: slot.run), isCutting: interrupts(slot.run), isFading: seam.isFading,
            isLate: isLate, at: now)
    }

    /// A frame of the item that a fade takes off the screen was presented.
    public mutating func presentLeaving(_ frame: Int, isLate: Bool) {
        seam.notePresented(frame)
        screen.presentLeaving(isLate: isLate)
    }

    // MARK: items

    /// The next item does not follow the one before. `entrance`: the reason with which it begins.
    public mutating func enter(because entrance: ItemBeginning) { screen.enter(because: entrance) }

    /// Sets the name by which events refer to the item that has just begun.
    public mutating func nameItem(_ source: String) { screen.nameItem(source) }

    /// The frame on the screen stays, and the item is over.
    public mutating func leaveItem() { screen.leaveItem() }

    /// The item on the screen ends here.
    public mutating func endItem(_ reason: Event.ItemEnd) -> [FeedScreen.ItemChange] { screen.endItem(reason) }

    /// The program ends, and with it the current item.
    public mutating func close() -> [FeedScreen.ItemChange] { screen.close() }

    // MARK: whether it is seen

    /// `isDrawn`: true if at least one view is drawn.
    public mutating func noteDrawn(_ isDrawn: Bool, restsSince: Time?, at now: Time) {
        screen.noteDrawn(isDrawn, restsSince: restsSince, at: now)
    }

    /// The wall rested between these wall times.
    public mutating func noteRest(since begin: Time, until end: Time) { screen.noteRest(since: begin, until: end) }
}
