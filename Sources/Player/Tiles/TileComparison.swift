import Base
import Layout

/// State of a tile that compares others.
struct TileComparison {
    /// Tiles that play the compared sources; the first is the reference.
    private(set) var members: [TileID] = []
    /// True if the first two have changed sides.
    private(set) var isSwapped = false
    /// Side that the user chose in blink mode; nil while the sides alternate.
    private(set) var side: Int?
    /// Frames that are shown, all of one instant, with their members.
    private(set) var shown: [Shown] = []

    struct Shown {
        let member: TileID
        let frame: FeedScreen.Shown
    }

    /// Returns the index of the frame that blink mode shows.
    func sideShown(at now: Time) -> Int {
        if let side { return side % shown.count }
        return Int(now.ticks / Self.turn.ticks) % shown.count
    }

    /// Time for which blink mode shows each side.
    static let turn = Time.milliseconds(500)

    mutating func watch(_ members: [TileID]) { self.members = members }

    mutating func show(_ frames: [Shown]) { shown = frames }

    mutating func show(side: Int?) { self.side = side }

    mutating func alternate() { side = nil }

    mutating func swapSides() { isSwapped.toggle() }
}

extension ComparisonLayout {
    /// Mode of the comparison, with the gain if the mode uses one.
    var words: String { mode.usesGain ? "\(mode.rawValue) \u{D7}\(gain.plain)" : mode.rawValue }
}
