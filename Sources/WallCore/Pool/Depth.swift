/// How far ahead of the clock frames are decoded.
enum Depth {
    static let usual = Time.milliseconds(500)
    static let most = Time.seconds(3)
    /// What is decoded at a stretch.
    static let burst = Time.milliseconds(250)
    /// Before anything was measured, where the next run begins inside its source: that much may have to be
    /// decoded and thrown away.
    static let beforeInPoint = Time.seconds(1)
    /// So many frames behind a clock that stands are kept.
    static let keptBehind = 30
    /// And behind one that runs: as many as a step back, or a small drag, goes back.
    static let keptPlaying = 5
    /// After a step back, or a short drag back, this much before the frame is decoded to be kept.
    static let behind = Time.seconds(1)
    /// By so much the focused feed comes before the others.
    static let focusFirst = Time.milliseconds(50)
    /// A feed that has fallen behind aims at so far ahead of its clock.
    static let catchUp = Time.milliseconds(100)
    /// A back slot is warmed up to this many frames while the front still plays.
    static let warmFrames = 4
    /// A playing tile never has fewer than this, whatever the memory.
    static let fewestFrames = 3
}
