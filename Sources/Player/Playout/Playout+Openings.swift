import Base
import Decoded
import Feeds
import Layout
import Opened

/// A source that was just opened. `frame`: the frame of a still image; nil if the source is none. `stillness`: whether
/// that frame equals the one that was fetched before; unknown unless the wall asks for that.
public struct OpenedSource {
    let id: OpenSourceID
    let facts: OpenedFacts
    let frame: Frame?
    let stillness: Stillness

    public init(_ id: OpenSourceID, _ facts: OpenedFacts, frame: Frame?, stillness: Stillness = .unknown) {
        (self.id, self.facts, self.frame, self.stillness) = (id, facts, frame, stillness)
    }
}

// Sources that were opened for the feeds, and those that could not be opened.
extension Playout {
    /// Hands an opened source to the slot or preview that it was opened for. Returns the index of the slot that took it;
    /// nil if none did.
    func hand(_ opened: OpenedSource, to opening: OpenRequest) -> Int? {
        let (feed, source, isVideo) = (feeds[opening.feed], opened.id, opened.facts.kind == .video)
        switch opening.purpose {
        case _ where opening.hangs: break
        case .probe, .ahead: break
        case .reopenedStill(let id):
            if let frame = opened.frame { feed.reel.replaceStill(ofSlot: id, item: opening.item, with: frame) }
            outbox.close(source)
            return nil
        case .preview(let id):
            guard feed.preview.isFor(id) else { break }
            if isVideo {
                feed.preview.take(source, at: now)
            } else {
                feed.supply.endPreview(with: opened.frame)
                outbox.close(source)
            }
            return nil
        case .slot(let id):
            guard feed.slots.index(ofSlot: id) != nil else { break }
            transport.settleClock(of: feed, at: now)
            // Find the slot again: `settleClock` plans the slots anew if the source turns out to be live.
            guard let index = feed.slots.index(ofSlot: id) else { break }
            feed.reel.take(source, slot: index, context(of: feed))
            if !isVideo {
                outbox.close(source)
                feed.supply.fill(slot: index, with: opened.frame, at: now)
            }
            return index
        }
        // The source is not needed any more. A video is kept open for another run. A still image is closed: its frame
        // would be decoded again.
        if isVideo { feed.reel.sources.park(source, of: nil, at: opening.location) } else { outbox.close(source) }
        return nil
    }

    /// Reports a failed opening to the slot or preview that it was for.
    func settle(_ opening: OpenRequest, failed trouble: SourceTrouble, item: ItemPlace? = nil) {
        // A still image that could not be reopened stays on the screen as it is.
        if opening.isForMore { return }
        // A source that is opened ahead reports its failure when it is to be played.
        if case .ahead = opening.purpose { return }
        let feed = feeds[opening.feed], location = opening.location
        report(trouble, of: feed, location, item: item ?? feed.timeline.firstPlace(of: location))
        switch opening.purpose {
        case .probe: feed.reel.noteUnknown(location)
        case .reopenedStill, .ahead: break
        case .preview: feed.preview.fail(trouble)
        case .slot(let id):
            guard let index = feed.slots.index(ofSlot: id) else { break }
            if feed.supply.reconnectLive(slot: index, after: trouble, at: now) { break }
            if feed.slots[index].frames.isEmpty {
                fail(feed, slot: index, trouble)
            } else {
                feed.supply.breakOff(feed.slots[index], trouble, context(of: feed))
            }
        }
    }
}

extension Timeline {
    /// Place of the first item that plays this source; the first place if none does.
    func firstPlace(of location: String) -> ItemPlace { runs(of: location).first?.place ?? ItemPlace(0) }
}
