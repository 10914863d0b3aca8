import WallCore

/// Where a reader left its source and its decoder: a reader of the same source that wants a frame further on may
/// go on from there, with no seek.
struct ResumePoint {
    private weak var source: Source?
    private let moves: Int
    /// In order: the one that was handed out last, and those that were decoded and not handed out.
    let frames: [Timed]
    let timestamps: TimestampRepair
    let reach: Reach

    /// What comes after its frames.
    enum Reach { case decodesOn, drained(end: Time) }

    init(in source: Source, frames: [Timed], timestamps: TimestampRepair, reach: Reach) {
        (self.source, moves) = (source, source.moves)
        (self.frames, self.timestamps, self.reach) = (frames, timestamps, reach)
    }

    /// Nobody has moved this source since, and it is the same.
    func holds(in source: Source) -> Bool { self.source === source && source.moves == moves }
}
