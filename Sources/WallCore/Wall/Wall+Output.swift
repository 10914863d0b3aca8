// Which tiles are on the screen, where, and how large their frames are made for it.
extension Wall {
    public mutating func setRefreshInterval(_ interval: Time) { output.setRefreshInterval(interval) }

    /// The window has another size: frames follow at once, frames when the next ones are decoded.
    public mutating func resize(to size: Size, at now: Time) {
        guard size != output.size, !size.isEmpty else { return }
        change(at: now) { changed in
            changed.placeTiles(in: size)
            for feed in changed.feeds.ids { changed.sharpen(feed, at: now) }
        }
    }

    mutating func placeTiles(in size: Size) {
        output.place(tiles.order, in: TileGeometry.rects(of: layout, in: size), of: size)
    }

    /// The tile that fills the wall.
    public var zoomedTile: TileID? { output.zoomed }

    /// The focused tile fills the wall, or goes back; other tiles keep their places in time.
    mutating func toggleZoom(at now: Time) {
        guard let focus else { return }
        output.toggleZoom(of: focus, at: now)
        if let tile = output.zoomed { sharpen(tiles[tile].feed, at: now) }
    }

    /// Picture in picture: only this tile is shown, over the whole window; nil: the wall again.
    /// Those that nobody sees yield their pipelines and keep their frames; their clocks go on.
    public mutating func show(only tile: TileID?, at now: Time) {
        // It may have gone since somebody looked.
        let present = tile.flatMap { tiles.contains($0) ? $0 : nil }
        change(at: now) { changed in
            changed.endOverlay()
            changed.output.show(only: present)
        }
    }

    /// The wall is about to come back: the hidden tiles get their frames first.
    public mutating func warmHidden(at now: Time) {
        change(at: now) { $0.output.warmHidden() }
    }

    /// Every tile that plays has the frame that is due.
    public func isWarm(at now: Time) -> Bool {
        feeds.allSatisfy {
            !$0.hasSeat || $0.phase != .playing || $0.isLive || $0.covers(context(of: $0.id, at: now).groupTime)
        }
    }

    /// Some tile of the feed is on the screen, or will be in a moment.
    func isOnStage(_ feed: FeedID) -> Bool { output.needsFrames(of: feeds[feed].viewers) }

    /// The topmost tile at a place in the window.
    public func tile(at point: Point) -> TileID? { output.tile(at: point, of: tiles.order) }

    public mutating func emit(pip state: PipState, of tile: String, reason: String?, at now: Time) {
        emit(.pip(tile: tile, state: state, reason: reason), at: now)
    }

    /// As it is now.
    public func layout(of tile: TileID) -> TileLayout { tiles[tile].layout }

    /// The shape of a tile's frame; of its frame where it has none yet.
    public func shape(of tile: TileID) -> Size {
        feeds[tiles[tile].feed].screen.last?.frame.natural ?? output.rect(of: tile).size
    }

    // MARK: frames of another size

    /// Where the clock stands, the frame on screen is decoded again when a larger one is wanted, or its frame.
    /// Where it runs, the next ones come in the new size by themselves.
    mutating func sharpen(_ feed: FeedID, at now: Time) {
        let context = context(of: feed, at: now)
        guard !context.isRunning, case .going = context.group.phase,
            feeds[feed].phase == .playing || feeds[feed].phase == .ended,
            let shown = feeds[feed].screen.last, let place = shown.item, let front = feeds[feed].slots.first,
            !front.isStill
        else { return }
        let natural = shown.frame.natural
        let isSideways = feeds[feed].timeline.items[place].turn.isSideways
        let upright = isSideways ? Size(natural.height, natural.width) : natural
        let wanted = decodeSize(upright, of: feed, item: place)
        let isLarger = wanted.width > shown.frame.size.width + 1 || wanted.height > shown.frame.size.height + 1
        guard isLarger || !shown.frame.keeps(keeping(feed)) else { return }
        feeds[feed].decodeAgain(context, &effects)
    }
}
