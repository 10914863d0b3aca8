import Base
import Layout
import Scene

// Size of a window that takes its shape from the films.
extension Wall {
    /// True while a film that plays first, and is a local file, is still being opened.
    public var awaitsShapes: Bool {
        feeds.contains { feed in
            guard feed.hasSeat, feed.trouble.latest == nil, let source = feed.firstSource else { return false }
            return feed.sources.facts(of: source) == nil && SourceName.path(of: source) != nil
        }
    }

    /// Sets the size of the window that suits the frames known by now, and returns it. nil if no frame is known.
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
