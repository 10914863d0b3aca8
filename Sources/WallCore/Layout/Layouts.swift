/// The layout that was loaded last, and what became of it.
struct Layouts {
    private(set) var loaded: Layout
    /// As it was when it was applied: with what had been changed by hand before, and not what was since.
    private(set) var applied: Layout
    /// Rises with every layout that is loaded.
    private(set) var serial = 0

    /// Nothing is loaded yet.
    init(title: String) {
        loaded = Layout(title: title, tiles: [])
        applied = loaded
    }

    mutating func load(_ new: Layout, applied: Layout) { (loaded, self.applied, serial) = (new, applied, serial + 1) }

    /// Of a layout that does not say it.
    mutating func setWindowSize(_ size: Size) { (loaded.window.size, applied.window.size) = (size, size) }
}
