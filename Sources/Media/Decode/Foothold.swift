import WallCore

/// Where a reel left its source and its decoder: a reel of the same source that wants a picture further on may
/// go on from there, with no seek.
struct Foothold {
    private weak var source: Source?
    private let moves: Int
    /// In order: the one that was handed out last, and those that were decoded and not handed out.
    let pictures: [Timed]
    let stamper: Stamper
    let reach: Reach

    /// What comes after its pictures.
    enum Reach { case decodesOn, drained(end: Time) }

    init(in source: Source, pictures: [Timed], stamper: Stamper, reach: Reach) {
        (self.source, moves) = (source, source.moves)
        (self.pictures, self.stamper, self.reach) = (pictures, stamper, reach)
    }

    /// Nobody has moved this source since, and it is the same.
    func holds(in source: Source) -> Bool { self.source === source && source.moves == moves }
}
