import Base
import Commands
import Feeds

// Drags and clicks. A drag over a tile moves its group's clock within the item under it.
extension Wall {
    mutating func scrub(_ scrub: Change.Scrub, at now: Time) {
        switch scrub {
        case .began(let point, .sideways): grab(point, at: now)
        case .began: break
        case .moved(let right, _): player.tileFeeds.transport.drag(by: right, at: now)
        case .ended: player.tileFeeds.transport.endScrub(at: now)
        }
    }

    private mutating func grab(_ point: Point, at now: Time) {
        guard let tile = player.tile(at: point) else { return }
        let bars = bars(at: now), onBar = bars.placeOnBar(at: point)?.position
        let width = onBar.map { _ in bars.places(of: tile).bar.width } ?? player.output.rectToDecode(of: tile).width
        player.tileFeeds.transport.grab(tile, of: player.tiles[tile].feed, at: onBar, width: width, now: now)
    }

    /// Jumps to the place on a tile's bar, or gives the tile the focus.
    mutating func click(_ point: Point, at now: Time) {
        guard let (tile, position) = bars(at: now).placeOnBar(at: point) else {
            _ = player.apply(.focus(.at(point)), to: nil, at: now)
            return
        }
        let group = player.feeds[player.tiles[tile].feed].group
        if player.clocks[group].hasStarted { _ = player.apply(.moveClock(to: position), toClock: group, at: now) }
    }

    /// Toggles the zoom, or jumps on the bar. The first click has moved the focus.
    mutating func doubleClick(_ point: Point, at now: Time) {
        if bars(at: now).placeOnBar(at: point) == nil {
            _ = player.apply(.zoom(.toggle), to: focus, at: now)
        } else {
            click(point, at: now)
        }
    }

    private func bars(at now: Time) -> BarReport {
        BarReport(features: features, snapshot: player.snapshot(at: now))
    }
}
