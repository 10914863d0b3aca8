/// Which tiles are on the screen, and where.
enum Stage: Equatable {
    case wall
    /// The tile comes over the others to fill the wall, and is all that is drawn when it does; they play on.
    case zoomed(tile: TileID, ZoomAnimation)
    /// The tile goes back to its place, still on top.
    case leaving(tile: TileID, ZoomAnimation)
    /// Picture in picture: the tile is all there is.
    case alone(tile: TileID)
}

enum OffStage { case resting, warming }

// The focused tile fills the wall and goes back; other tiles keep their places in time.
extension Wall {
    public var isZoomed: Bool { if case .zoomed = stage { true } else { false } }

    /// The tile that fills the wall.
    public var zoomedTile: TileID? { if case .zoomed(let tile, _) = stage { tile } else { nil } }

    public mutating func toggleZoom(at wall: Time) {
        guard let focus else { return }
        switch stage {
        case .wall:
            stage = .zoomed(tile: focus, ZoomAnimation(from: tiles[focus].frame, to: Rect(windowSize), at: wall))
        case .leaving(let tile, let animation) where tile == focus:
            stage = .zoomed(tile: tile, animation.turned(to: Rect(windowSize), at: wall))
        case .leaving:
            stage = .zoomed(tile: focus, ZoomAnimation(from: tiles[focus].frame, to: Rect(windowSize), at: wall))
        case .zoomed(let tile, let animation):
            stage = .leaving(tile: tile, animation.turned(to: tiles[tile].frame, at: wall))
        case .alone:
            return
        }
        if case .zoomed(let tile, _) = stage { sharpen(tiles[tile].feed, at: wall) }
        orders.wakesScreen = true
        conduct(at: wall)
    }

    /// Picture in picture: only the focused tile is shown, over the whole window; nil: the wall again.
    /// Those that nobody sees yield their pipelines and keep their pictures; their clocks go on.
    public mutating func show(alone tile: TileID?, at wall: Time) {
        // It may have gone since somebody looked.
        stage = tile.flatMap { tiles.contains($0) ? .alone(tile: $0) : nil } ?? .wall
        offStage = .resting
        orders.wakesScreen = true
        conduct(at: wall)
    }

    /// The wall is about to come back: the hidden tiles get their pictures first.
    public mutating func warmHidden(at wall: Time) {
        offStage = .warming
        conduct(at: wall)
    }

    /// Every tile that plays has the picture that is due.
    public func isWarm(at wall: Time) -> Bool {
        feeds.allSatisfy { !$0.hasSeat || $0.phase != .playing || $0.covers(now(of: $0, at: wall)) }
    }

    /// Whether some view of the feed is on the screen, or will be in a moment.
    func isOnStage(_ feed: FeedID) -> Bool {
        guard pictures == .all, !feeds[feed].views.isEmpty else { return false }
        guard case .alone(let tile) = stage, offStage == .resting else { return true }
        return tiles[tile].feed == feed
    }

    /// Not behind picture in picture, though it may be decoded there.
    func isSeen(_ feed: FeedID) -> Bool { if case .alone(let tile) = stage { tiles[tile].feed == feed } else { true } }

    public mutating func tell(pip state: PipState, of tile: String, reason: String?, at wall: Time) {
        tell(.pip(tile: tile, state: state, reason: reason), at: wall)
    }

    /// As it is now.
    public func layout(of tile: TileID) -> TileLayout { tiles[tile].layout }

    /// The shape of a tile's picture; of its frame where it has none yet.
    public func shape(of tile: TileID) -> Size {
        feeds[tiles[tile].feed].last?.picture.natural ?? tiles[tile].frame.size
    }

    /// While zoomed, another tile comes to the same place at the same instant.
    mutating func followFocusWithStage(at wall: Time) {
        guard let focus else { return }
        switch stage {
        case .zoomed:
            stage = .zoomed(tile: focus, ZoomAnimation(from: Rect(windowSize), to: Rect(windowSize), at: wall))
            sharpen(tiles[focus].feed, at: wall)
        case .alone: stage = .alone(tile: focus)
        case .wall, .leaving: break
        }
    }

    /// The window has another size: what was on its way is there.
    mutating func resizeStage() {
        switch stage {
        case .zoomed(let tile, _):
            stage = .zoomed(tile: tile, ZoomAnimation(from: Rect(windowSize), to: Rect(windowSize), at: .zero))
        case .leaving: stage = .wall
        case .wall, .alone: break
        }
    }

    /// A tile that goes is neither zoomed nor alone.
    mutating func leaveStage(_ tile: TileID) {
        switch stage {
        case .zoomed(tile, _), .leaving(tile, _): stage = .wall
        case .alone(tile):
            (stage, offStage) = (.wall, .resting)
            orders.window.append(.pictureInPicture)
        case .wall, .zoomed, .leaving, .alone: break
        }
    }

    /// Ends what is over; says when the picture changes by itself.
    mutating func advanceStage(at wall: Time) -> Time? {
        switch stage {
        case .leaving(_, let animation) where animation.isOver(at: wall): stage = .wall
        case .zoomed(_, let animation) where animation.isOver(at: wall): break
        case .zoomed, .leaving: return wall + refreshInterval
        case .wall, .alone: break
        }
        return nil
    }

    /// The tiles that are drawn, bottom to top, with their frames.
    func tilesOnStage(at wall: Time) -> [(tile: TileID, frame: Rect)] {
        let all = tiles.order.map { (tile: $0, frame: tiles[$0].frame) }
        switch stage {
        case .wall: return all
        case .alone(let tile): return [(tile, Rect(windowSize))]
        // Beside a picture of another shape than the window's there is background, not a neighbour.
        case .zoomed(let tile, let animation) where animation.isOver(at: wall): return [(tile, animation.to)]
        case .zoomed(let tile, let animation), .leaving(let tile, let animation):
            return all.filter { $0.tile != tile } + [(tile, animation.rect(at: wall))]
        }
    }

    /// The size that a tile's pictures are made for: not that of each step of an animation, but of its end.
    func frameToDecode(of tile: TileID) -> Rect {
        switch stage {
        case .zoomed(tile, _), .alone(tile): Rect(windowSize)
        default: tiles[tile].frame
        }
    }

    // MARK: pictures of another size

    /// Where the clock stands, the picture on screen is decoded again when a larger one is wanted.
    /// Where it runs, the next ones come in the new size by themselves.
    mutating func sharpen(_ feed: FeedID, at wall: Time) {
        guard groups[feeds[feed].group].clock.motion == .standing, case .going = groups[feeds[feed].group].phase,
            feeds[feed].phase == .playing || feeds[feed].phase == .ended,
            let shown = feeds[feed].last, shown.item >= 0, let front = feeds[feed].slots.first, !front.isStill
        else { return }
        let item = feeds[feed].timeline.items[shown.item]
        let natural = shown.picture.natural
        let upright = item.turn.isSideways ? Size(natural.height, natural.width) : natural
        let wanted = decodeSize(upright, of: feed, item: shown.item)
        guard wanted.width > shown.picture.size.width + 1 || wanted.height > shown.picture.size.height + 1 else {
            return
        }
        dropSlots(of: feed)
        feeds[feed].phase = .playing
        enter(feed, at: now(of: feeds[feed], at: wall))
    }
}
