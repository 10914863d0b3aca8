import Base
import Commands

/// Magnification: a part of the frames is shown larger, in all tiles of a group alike, over loops, seeks and items.
struct Magnification: Feature {
    mutating func carryOut(_ command: Change, of tile: TileID?, _ snapshot: Snapshot) -> FeatureAnswer? {
        guard case .magnify(let change, let point) = command else { return nil }
        guard let tile = point.map({ snapshot.tile(at: $0) }) ?? snapshot.tiles.overlaid ?? tile,
            let target = target(of: tile, snapshot), let natural = naturalFactor(of: tile, snapshot)
        else { return .refused() }
        let group = snapshot.tiles[tile].layout.group
        var zoom = snapshot.output.magnified[group] ?? FrameZoom()
        // Around the point of the window, or around the middle of the frame.
        let place = point.map { self.place(of: $0, in: target) } ?? (0.5, 0.5)
        switch change {
        case .all: zoom = FrameZoom()
        case .steps(let steps): zoom.change(by: steps, at: place, natural: natural)
        case .to(let scale): zoom.show(at: scale, natural: natural)
        case .scale(let share): zoom.scale(by: share, at: place, natural: natural)
        case .move(let x, let y): zoom.move(by: Double(x) / Double(target.width), Double(y) / Double(target.height))
        }
        let magnified = Change.magnifyGroup(group, zoom.isWhole ? nil : zoom)
        if case .move = change { return .done(magnified) }
        let scale = "\(Self.scale(of: zoom, natural).plain):1"
        return .done(magnified, .notice(zoom.isWhole ? "whole frame, \(scale)" : scale))
    }

    static let tileProperties: [TileProperty] = [
        Property(
            "magnify", .tile, takes: .number(0...FrameZoom.mostPixels, "pixels of the window for one of the frame,"),
            "pixels of the window for one of its frame; 0: the whole frame", inObjects: .absent,
            get: { reader in
                let zoom = reader.snapshot.output.magnified[reader.tile.layout.group] ?? FrameZoom()
                let natural = Magnification().naturalFactor(of: reader.owner, reader.snapshot)
                return natural.map { .number(scale(of: zoom, $0)) }
            },
            set: { $0.change(\.asNumber) { .magnify($0 > 0 ? .to($0) : .all, at: nil) } })
    ]

    /// Pixels of the window for one of the frame, in hundredths.
    private static func scale(of zoom: FrameZoom, _ natural: Double) -> Double {
        (zoom.factor / natural * 100).rounded() / 100
    }

    /// Returns the rect of a tile's frame in the window. nil if the tile shows none.
    private func target(of tile: TileID, _ snapshot: Snapshot) -> Rect? {
        let content = ViewMaker(snapshot: snapshot).viewToCome(of: tile).content
        let target: Rect? = if case .fade(let fade) = content { fade.to.target } else { content.target }
        return target.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the magnification at which pixels of the frame are pixels of the window.
    private func naturalFactor(of tile: TileID, _ snapshot: Snapshot) -> Double? {
        let playing = snapshot.tiles.playingTile(for: tile)
        guard let target = target(of: tile, snapshot),
            let shown = snapshot.feed(of: playing).screen.last
        else { return nil }
        let crop = snapshot.tiles[playing].look(ofItem: shown.item).finalCrop(of: shown.frame)
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
}
