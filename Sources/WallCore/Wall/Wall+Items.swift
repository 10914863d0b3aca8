// Items that begin and end, as they were on the screen.
extension Wall {
    /// Something of this run is on the screen, or heard where it has no picture.
    mutating func noteItem(of feed: FeedID, _ slot: Slot, at wall: Time) {
        if let playing = feeds[feed].playing {
            if playing.run.pass == slot.run.pass, playing.run.item == slot.run.item { return }
            endItem(of: feed, slot.arrival == .follows ? .eof : .skipped, at: wall)
        }
        // Counted from here on.
        let health = feeds[feed].health
        feeds[feed].playing = PlayedItem(
            run: slot.run, source: slot.location, presented: health.presented - 1, missed: health.missed)
        for tile in feeds[feed].views {
            tell(.itemStart(tile: tiles[tile].name, run: slot.run, source: slot.location), at: wall)
        }
    }

    mutating func endItem(of feed: FeedID, _ reason: Event.ItemEnd, at wall: Time) {
        guard var item = feeds[feed].playing else { return }
        feeds[feed].playing = nil
        let health = feeds[feed].health
        item.presented = max(0, health.presented - item.presented - (reason == .eof || reason == .skipped ? 1 : 0))
        item.missed = max(0, health.missed - item.missed)
        for tile in feeds[feed].views { tell(.itemEnd(item, tile: tiles[tile].name, reason: reason), at: wall) }
    }
}
