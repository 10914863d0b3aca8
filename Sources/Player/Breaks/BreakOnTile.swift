/// A break on top of a tile's sequence.
struct BreakOnTile: Equatable {
    let name: String
    /// True once a frame of it was on the screen.
    var isShown = false

    init(_ name: String) { self.name = name }
}
