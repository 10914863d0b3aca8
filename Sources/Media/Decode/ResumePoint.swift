import Base

/// Position at which a reader left its source and its decoder. A reader of the same source that wants a later frame may
/// go on from there without a seek.
struct ResumePoint {
    private weak var source: Source?
    private let moves: Int
    /// In order: the frame handed out last, and those decoded but not handed out.
    let frames: [Timed]
    let timestamps: TimestampRepair
    let reach: Reach

    /// State after the last of `frames`.
    enum Reach { case decodesOn, drained(end: Time) }

    init(in source: Source, frames: [Timed], timestamps: TimestampRepair, reach: Reach) {
        (self.source, moves) = (source, source.moves)
        (self.frames, self.timestamps, self.reach) = (frames, timestamps, reach)
    }

    /// Returns true if `source` is the same and was not moved since.
    func holds(in source: Source) -> Bool { self.source === source && source.moves == moves }
}
