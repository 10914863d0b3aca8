/// The layout that was loaded last, and what became of it.
struct Layouts {
    private(set) var loaded: Layout
    /// As it was loaded, and changed by hand since.
    private(set) var playing: Layout
    /// Rises with every layout that is loaded.
    private(set) var serial = 0

    /// Nothing is loaded yet.
    init(title: String) {
        loaded = Layout(title: title, tiles: [])
        playing = loaded
    }

    mutating func load(_ new: Layout, playing: Layout) { (loaded, self.playing, serial) = (new, playing, serial + 1) }
}
