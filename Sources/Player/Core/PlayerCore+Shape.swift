import Base
import Feeds
import Layout
import Scene

// Size of a window that takes its shape from the films.
extension PlayerCore {
    /// Sets the size of the window that suits the frames known by now, and returns it. nil if no frame is known.
    public mutating func shapeWindow() -> Size? {
        let frames = tiles.order.compactMap { tile in
            let feed = playbacks.feeds[tiles[tile].feed]
            return feed.firstSource.flatMap { feed.sources.facts(of: $0)?.natural }
        }
        guard let size = layout.grid.windowSize(for: frames) else { return nil }
        layouts.setWindowSize(size)
        return size
    }
}

extension Feed {
    var firstSource: String? { timeline.items.first?.segments.first.source }
}
