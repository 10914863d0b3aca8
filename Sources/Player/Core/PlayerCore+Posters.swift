import Base
import Layout
import Scene

// Posters: images that the layout names for its tiles.
extension PlayerCore {
    mutating func loadPoster(of tile: TileID) {
        tiles[tile].poster = tiles[tile].layout.poster.map { .loading($0) } ?? .none
        if let location = tiles[tile].layout.poster { posterLoads.ask(for: .init(tile: tile, location: location)) }
    }

    /// Orders as many posters at once as are allowed. A poster that has not come in time has failed.
    /// Returns the wall time at which a poster has failed, or another one may be loaded.
    mutating func orderPosters(at now: Time) -> Time? {
        var next = Earliest()
        let (late, due) = posterLoads.giveUp(at: now)
        for poster in late { fail(poster, OpenRequests.noAnswer, at: now) }
        next.add(due)
        while let (ticket, poster) = posterLoads.next(at: now) {
            guard isAwaited(poster) else {
                _ = posterLoads.end(ticket)
                continue
            }
            playbacks.effects.load(
                PosterOrder(
                    ticket: ticket, tile: poster.tile, location: poster.location, limit: layout.frameLimit))
            next.add(now + OpenRequests.slowAfter)
        }
        return next.instant
    }

    public mutating func take(_ frame: Frame, for order: PosterOrder, at now: Time) {
        let poster = PosterLoads.Poster(tile: order.tile, location: order.location)
        if posterLoads.end(order.ticket), isAwaited(poster) {
            tiles[poster.tile].poster = .image(frame)
        }
        update(at: now)
    }

    public mutating func failed(_ order: PosterOrder, _ trouble: SourceTrouble, at now: Time) {
        if posterLoads.end(order.ticket) {
            fail(PosterLoads.Poster(tile: order.tile, location: order.location), trouble, at: now)
        }
        update(at: now)
    }

    private mutating func fail(_ poster: PosterLoads.Poster, _ trouble: SourceTrouble, at now: Time) {
        guard isAwaited(poster) else { return }
        tiles[poster.tile].poster = .failed
        let tile = tiles[poster.tile].name
        emit(.trouble(tile: tile, source: poster.location, item: .item(0), pts: nil, trouble: trouble), at: now)
    }

    private func isAwaited(_ poster: PosterLoads.Poster) -> Bool {
        guard tiles.contains(poster.tile), case .loading(let location) = tiles[poster.tile].poster else { return false }
        return location == poster.location
    }
}
