import Base
import Commands
import Layout
import Scene

// Magnification: a part of the frames is shown larger, in all tiles of a group alike, over loops, seeks and items.
extension Wall {
    /// Returns the magnified part of a tile's frame, in fractions of the part that its layout shows.
    func shownPart(of tile: TileID) -> Fractions {
        magnified.isEmpty ? .all : magnified[tiles[tile].layout.group]?.part ?? .all
    }

    /// Magnifies a tile around a point of the window, or around the middle of its frame if `point` is nil.
    mutating func magnify(_ change: Command.Magnify, of tile: TileID, at point: Point?, now: Time) -> Bool {
        guard let target = target(of: tile), let natural = naturalFactor(of: tile) else { return false }
        let group = tiles[tile].layout.group
        var zoom = magnified[group] ?? FrameZoom()
        let place = point.map { self.place(of: $0, in: target) } ?? (0.5, 0.5)
        switch change {
        case .all: zoom = FrameZoom()
        case .steps(let steps): zoom.change(by: steps, at: place, natural: natural)
        case .scale(let share): zoom.scale(by: share, at: place, natural: natural)
        case .move(let x, let y):
            zoom.move(by: Double(x) / Double(target.width), Double(y) / Double(target.height))
        }
        magnified[group] = zoom.isWhole ? nil : zoom
        for feed in feeds.ids where feeds[feed].viewers.contains(where: { tiles[$0].layout.group == group }) {
            sharpen(feed, at: now)
        }
        if case .move = change {} else { showMagnificationNotice(tile, at: now) }
        effects.wakeScreen()
        return true
    }

    private mutating func showMagnificationNotice(_ tile: TileID, at now: Time) {
        guard let zoom = magnified[tiles[tile].layout.group], let natural = naturalFactor(of: tile) else {
            return showNotice("all of the frame", at: now)
        }
        let percent = Int((zoom.factor / natural * 100).rounded())
        showNotice(percent == 100 ? "1:1" : "\(percent) %", at: now)
    }

    /// Returns the rect of a tile's frame in the window. nil if the tile shows none.
    private func target(of tile: TileID) -> Rect? {
        let view = viewToCome(of: tile)
        switch view.content {
        case .frame(_, _, _, let target), .comparison(_, let target): return target.isEmpty ? nil : target
        case .fade(let fade): return fade.to.target.isEmpty ? nil : fade.to.target
        case .card: return nil
        }
    }

    /// Returns the magnification at which pixels of the frame are pixels of the window.
    private func naturalFactor(of tile: TileID) -> Double? {
        guard let target = target(of: tile), let shown = feeds[tiles[player(of: tile)].feed].screen.last else {
            return nil
        }
        let crop = tiles[player(of: tile)].look(ofItem: shown.item).crop
        let natural = shown.frame.natural
        return max(
            crop.width * Double(natural.width) / Double(target.width),
            crop.height * Double(natural.height) / Double(target.height))
    }

    private func place(of point: Point, in target: Rect) -> (x: Double, y: Double) {
        func share(_ value: Int, _ start: Int, _ length: Int) -> Double {
            min(max((Double(value - start) + 0.5) / Double(length), 0), 1)
        }
        return (share(point.x, target.x, target.width), share(point.y, target.y, target.height))
    }

    /// Returns the view of a tile as it is drawn, or will be when it has grown.
    func viewToCome(of tile: TileID) -> View {
        let rect = output.rectToDecode(of: tile)
        if tiles[tile].comparison != nil { return comparingView(of: tile, in: rect, at: .zero) }
        let feed = feeds[tiles[tile].feed]
        return view(of: tile, in: rect, showing: feed.playsOnlySound ? nil : feed.screen.last)
    }
}
