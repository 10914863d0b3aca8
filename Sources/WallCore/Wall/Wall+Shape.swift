// The shape of the window, where only films say it.
extension Wall {
    /// Some film that plays first, and lies on this machine, is still being opened.
    public var awaitsShapes: Bool {
        feeds.contains { feed in
            guard feed.hasSeat, feed.trouble.latest == nil, let source = feed.firstSource else { return false }
            return feed.sources.facts(of: source) == nil && SourceName.path(of: source) != nil
        }
    }

    /// The window is as large as suits the frames that are known by now; nil: none is.
    public mutating func shapeWindow() -> Size? {
        let frames = tiles.order.compactMap { tile in
            let feed = feeds[tiles[tile].feed]
            return feed.firstSource.flatMap { feed.sources.facts(of: $0)?.natural }
        }
        guard let size = layout.grid.windowSize(for: frames) else { return nil }
        layouts.setWindowSize(size)
        return size
    }
}

extension Feed {
    fileprivate var firstSource: String? { timeline.items.first?.segments.first?.source }
}
