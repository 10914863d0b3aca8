import Base
import Decoded
import Feeds
import Layout

// Posters: images that the layout names for its tiles.
extension PosterLoads {
    mutating func load(of tile: TileID, _ tiles: inout Tiles) {
        let location = tiles[tile].layout.poster
        tiles[tile].poster = location.map { .loading($0) } ?? .none
        if let location { ask(for: Poster(tile: tile, location: location)) }
    }

    /// Orders as many posters at once as are allowed. A poster that has not come in time has failed.
    /// Returns the wall time at which a poster has failed, or another one may be loaded.
    mutating func order(_ tiles: inout Tiles, _ outbox: Outbox, limit: FrameLimit, at now: Time) -> Time? {
        var upcoming = Earliest()
        let (late, due) = giveUp(at: now)
        for poster in late { fail(poster, OpenRequests.noAnswer, &tiles, outbox, at: now) }
        upcoming.add(due)
        while let (ticket, poster) = next(at: now) {
            guard isAwaited(poster, tiles) else {
                _ = end(ticket)
                continue
            }
            outbox.load(PosterOrder(ticket: ticket, tile: poster.tile, location: poster.location, limit: limit))
            upcoming.add(now + OpenRequests.slowAfter)
        }
        return upcoming.instant
    }

    mutating func take(
        _ answer: Result<Frame, SourceTrouble>, for order: PosterOrder, _ tiles: inout Tiles, _ outbox: Outbox,
        at now: Time
    ) {
        let poster = Poster(tile: order.tile, location: order.location)
        guard end(order.ticket) else { return }
        switch answer {
        case .success(let frame):
            if isAwaited(poster, tiles) { tiles[poster.tile].poster = .image(frame, serial: order.ticket) }
        case .failure(let trouble): fail(poster, trouble, &tiles, outbox, at: now)
        }
    }

    private func fail(_ poster: Poster, _ trouble: SourceTrouble, _ tiles: inout Tiles, _ outbox: Outbox, at now: Time)
    {
        guard isAwaited(poster, tiles) else { return }
        tiles[poster.tile].poster = .failed
        let tile = tiles[poster.tile].name
        outbox.emit(
            .trouble(tile: tile, source: poster.location, item: .item(0), pts: nil, trouble: trouble), at: now,
            focus: tiles.focusName)
    }

    private func isAwaited(_ poster: Poster, _ tiles: Tiles) -> Bool {
        guard tiles.contains(poster.tile), case .loading(let location) = tiles[poster.tile].poster else { return false }
        return location == poster.location
    }
}
