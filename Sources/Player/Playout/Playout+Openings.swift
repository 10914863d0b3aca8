import Base
import Decoded
import Feeds
import Layout
import Opened

/// A source that was just opened. `frame`: the frame of a still image; nil if the source is none. `stillness`: whether
/// that frame equals the one that was fetched before.
struct OpenedSource {
    let id: OpenSourceID
    let facts: OpenedFacts
    let frame: Frame?
    let stillness: Stillness

    init(id: OpenSourceID, _ facts: OpenedFacts, _ frame: Frame?, _ stillness: Stillness) {
        (self.id, self.facts, self.frame, self.stillness) = (id, facts, frame, stillness)
    }
}

// Sources that were opened for the feeds, and those that could not be opened.
extension Playout {
    enum HandOver {
        /// The slot or preview for which the source was opened does not need it any more.
        case unneeded
        /// `slot`: index of the slot that took the source; nil if none did.
        case taken(slot: Int?)
    }

    /// Hands an opened source to the slot or preview that it was opened for.
    func hand(_ opened: OpenedSource, to opening: OpenRequest) -> HandOver {
        let (feed, source, isVideo) = (opening.feed, opened.id, opened.facts.kind == .video)
        switch opening.purpose {
        case .probe, .ahead: return .unneeded
        case .reopenedStill(let id):
            if let frame = opened.frame { feeds[feed].reel.replaceStill(ofSlot: id, item: opening.item, with: frame) }
            outbox.close(source)
            return .taken(slot: nil)
        case .preview(let id):
            guard feeds[feed].preview.isFor(id) else { return .unneeded }
            if isVideo {
                feeds[feed].preview.take(source, at: now)
            } else {
                feeds[feed].supply.endPreview(with: opened.frame)
                outbox.close(source)
            }
            return .taken(slot: nil)
        case .slot(let id):
            guard feeds[feed].slots.index(ofSlot: id) != nil else { return .unneeded }
            transport.settleClock(of: feed, at: now)
            // Find the slot again: `settleClock` plans the slots anew if the source turns out to be live.
            guard let index = feeds[feed].slots.index(ofSlot: id) else { return .unneeded }
            feeds[feed].reel.take(source, slot: index, transport.context(of: feed, at: now))
            if !isVideo {
                outbox.close(source)
                feeds[feed].supply.fill(slot: index, with: opened.frame, at: now)
            }
            return .taken(slot: index)
        }
    }

    /// Reports a failed opening to the slot or preview that it was for.
    func settle(_ opening: OpenRequest, failed trouble: SourceTrouble, item: ItemPlace? = nil) {
        // A still image that could not be reopened stays on the screen as it is.
        if opening.isForMore { return }
        let (feed, location) = (opening.feed, opening.location)
        // A source that is opened ahead reports its failure when it is to be played.
        if case .ahead = opening.purpose { return }
        let item = item ?? feeds[feed].timeline.runs(of: location).first?.place ?? ItemPlace(0)
        report(trouble, of: feed, location, item: item)
        switch opening.purpose {
        case .probe: feeds[feed].reel.noteUnknown(location)
        case .reopenedStill, .ahead: break
        case .preview: feeds[feed].preview.fail(trouble)
        case .slot(let id):
            guard let index = feeds[feed].slots.index(ofSlot: id) else { break }
            if feeds[feed].supply.reconnectLive(slot: index, after: trouble, at: now) { break }
            if feeds[feed].slots[index].frames.isEmpty {
                fail(feed, slot: index, trouble)
            } else {
                feeds[feed].supply.breakOff(feeds[feed].slots[index], trouble, transport.context(of: feed, at: now))
            }
        }
    }
}
