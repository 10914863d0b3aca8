import Base
import Commands
import Feeds
import Scene

// Drags and clicks. A drag over a tile moves its group's clock within the item under it.
extension Wall {
    mutating func scrub(_ scrub: Change.Scrub, at now: Time) {
        switch scrub {
        case .began(let point, .sideways): grab(point, at: now)
        case .began: break
        case .moved(let right, _): player.transport.drag(by: right, at: now)
        case .ended: player.transport.endScrub(at: now)
        }
    }

    private mutating func grab(_ point: Point, at now: Time) {
        guard let tile = player.tile(at: point) else { return }
        let onBar = placeOnBar(at: point, now)?.position
        let width = onBar == nil ? player.output.rectToDecode(of: tile).width : places(of: tile, at: now).bar.width
        player.transport.grab(tile, of: player.tileFeeds.feed(of: tile), at: onBar, width: width, now: now)
    }

    /// Jumps to the place on a tile's bar, or gives the tile the focus.
    mutating func click(_ point: Point, at now: Time) {
        guard let (tile, position) = placeOnBar(at: point, now) else {
            _ = player.apply(.focus(.at(point)), to: nil, at: now)
            return
        }
        let group = player.tileFeeds.feed(of: tile).group
        if player.clocks[group].hasStarted { _ = player.apply(.moveClock(to: position), toClock: group, at: now) }
    }

    /// Toggles the zoom, or jumps on the bar. The first click has moved the focus.
    mutating func doubleClick(_ point: Point, at now: Time) {
        if placeOnBar(at: point, now) == nil {
            _ = player.apply(.zoom(.toggle), to: focus, at: now)
        } else {
            click(point, at: now)
        }
    }

    // MARK: the progress bars of tiles

    /// Returns the group time that the bar under a point of the window shows there. nil if there is no bar.
    private func placeOnBar(at point: Point, _ now: Time) -> (tile: TileID, position: Time)? {
        let snapshot = player.snapshot(at: now)
        guard let tile = snapshot.tile(at: point), case let feed = snapshot.feed(of: tile), feed.liveSource == nil,
            let item = feed.itemOnScreen,
            case let hasPlot = features.all.contains(where: { $0.hasPlot(tile, snapshot) }),
            let share = places(of: tile, at: now).shareOfBar(at: point, hasPlot: hasPlot)
        else { return nil }
        let place = item.lowerBound + (item.upperBound - item.lowerBound).part(share)
        return (tile, min(place, item.upperBound - snapshot.clocks[feed.group].dueTolerance - Time(ticks: 1)))
    }

    /// Returns the places of marks on a tile as it is drawn, or as it will be drawn after the zoom animation.
    private func places(of tile: TileID, at now: Time) -> MarksPlaces {
        MarksPlaces(in: ViewMaker(snapshot: player.snapshot(at: now)).viewToCome(of: tile).marksRect)
    }
}
