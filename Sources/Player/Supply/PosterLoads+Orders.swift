import Base
import Decoded
import Feeds
import Layout

// Posters: images that the layout names for its tiles.
extension PosterLoads {
    mutating func load(of tile: TileID, _ tiles: inout Tiles) {
        let location = tiles[tile].layout.poster
        tiles[tile].poster = location.map { .loading($0) } ?? .none
        if let location { ask(for: location, of: tile) }
    }

    /// Orders as many posters at once as are allowed. A poster that has not come in time has failed.
    /// Returns the wall time at which a poster has failed, or another one may be loaded.
    mutating func order(_ tiles: inout Tiles, _ outbox: Outbox, limit: FrameLimit, at now: Time) -> Time? {
        var upcoming = Earliest()
        let (late, due) = giveUp(at: now)
        for order in late { fail(order, OpenRequests.noAnswer, &tiles, outbox, at: now) }
        upcoming.add(due)
        while let order = next(limit: limit, at: now) {
            guard isAwaited(order, tiles) else {
                _ = end(order.ticket)
                continue
            }
            outbox.load(order)
            upcoming.add(now + OpenRequests.slowAfter)
        }
        return upcoming.instant
    }

    mutating func take(
        _ answer: Result<Frame, SourceTrouble>, for order: PosterOrder, _ tiles: inout Tiles, _ outbox: Outbox,
        at now: Time
    ) {
        guard end(order.ticket) else { return }
        switch answer {
        case .success(let frame):
            if isAwaited(order, tiles) { tiles[order.tile].poster = .image(frame, serial: order.ticket) }
        case .failure(let trouble): fail(order, trouble, &tiles, outbox, at: now)
        }
    }

    private func fail(
        _ order: PosterOrder, _ trouble: SourceTrouble, _ tiles: inout Tiles, _ outbox: Outbox, at now: Time
    ) {
        guard isAwaited(order, tiles) else { return }
        tiles[order.tile].poster = .failed
        let tile = tiles[order.tile].name
        outbox.emit(
            .trouble(tile: tile, source: order.location, item: .item(0), pts: nil, trouble: trouble), at: now,
            focus: tiles.focusName)
    }

    private func isAwaited(_ order: PosterOrder, _ tiles: Tiles) -> Bool {
        guard tiles.contains(order.tile), case .loading(let location) = tiles[order.tile].poster else { return false }
        return location == order.location
    }
}
