/// What a tile compares, and what it shows of that.
struct TileComparison {
    /// The tiles that play what is compared; the first is the reference.
    var members: [TileID] = []
    /// The first two have changed sides.
    var isSwapped = false
    /// In blink: the side that was chosen by hand; nil: they take turns.
    var side: Int?
    /// The frames of one instant that are shown, by their members.
    var shown: [Shown] = []

    struct Shown {
        let member: TileID
        let frame: FeedScreen.Shown
    }

    /// One after the other in blink.
    static let turn = Time.milliseconds(500)
}
