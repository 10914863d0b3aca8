import Base
import Feeds
import Layout

/// The layout that was given to the player last, and the one that was applied.
struct Layouts {
    /// The layout as it was given: loaded by the user, or scheduled. `LayoutPolicy.loaded` is always the layout that
    /// the user loaded.
    private(set) var given: Layout
    /// The layout as it was applied. Changes by hand that were made before are in it; later ones are not.
    private(set) var applied: Layout
    /// Number of layouts given: 1 for the layout that the wall was started with.
    private(set) var serial = 0

    /// Starts before the first layout.
    init(title: String) {
        given = Layout(title: title, tiles: [])
        applied = given
    }

    mutating func take(_ new: Layout, applied: Layout) { (given, self.applied, serial) = (new, applied, serial + 1) }

    /// Sets the window's size, for a layout that does not state it.
    mutating func setWindowSize(_ size: Size) { (given.window.size, applied.window.size) = (size, size) }
}
