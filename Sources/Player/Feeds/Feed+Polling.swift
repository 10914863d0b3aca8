import Base
import Scene

// Still images of servers. Each showing has an image of its own, fetched when it is due. The image before stays on the
// screen until the new one is decoded.
extension Feed {
    /// Assumed time to fetch an image, until one was fetched.
    private static var usualFetch: Time { .milliseconds(700) }
    private static var fetchMargin: Time { .milliseconds(150) }

    /// True if the slot shows a still image of a server.
    func isPolled(_ slot: Slot) -> Bool {
        guard SourceName.path(of: slot.location) == nil else { return false }
        return sources.facts(of: slot.location).map { $0.kind == .still } ?? SourceName.isImage(slot.location)
    }

    /// Returns true if the slot's image is due to be fetched, so that it is there when the slot begins. Other sources
    /// are opened at once.
    func isToBeFetched(slot index: Int, _ context: PlaybackContext) -> Bool {
        guard index > 0, isPolled(slots[index]), !delaysNext(slots[index - 1]) else { return true }
        // The slot begins when the attempt before it is given up.
        guard let due = fetchTime(ofSlot: index, context) else { return slots[index - 1].isSkipped }
        return due <= context.dueTime
    }

    /// Returns the group time at which a slot's image is to be fetched; nil if the slot has no start.
    func fetchTime(ofSlot index: Int, _ context: PlaybackContext) -> Time? {
        let fetch = sources.fetchTime(of: slots[index].location) ?? Self.usualFetch
        let lead = min(fetch * 3 / 2 + Self.fetchMargin, Self.prepareAhead)
        return slots[index].start.map { $0 - lead.played(at: context.rate) }
    }
}
