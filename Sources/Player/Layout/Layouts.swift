import Base
import Feeds
import Layout

/// The layout that was loaded last, and the one that was applied.
struct Layouts {
    private(set) var loaded: Layout
    /// The layout as it was applied: with changes made by hand before, without those made since.
    private(set) var applied: Layout
    /// Number of layouts loaded.
    private(set) var serial = 0

    /// Starts with no layout loaded.
    init(title: String) {
        loaded = Layout(title: title, tiles: [])
        applied = loaded
    }

    mutating func load(_ new: Layout, applied: Layout) { (loaded, self.applied, serial) = (new, applied, serial + 1) }

    /// Sets the window's size, for a layout that does not state it.
    mutating func setWindowSize(_ size: Size) { (loaded.window.size, applied.window.size) = (size, size) }
}
