/// Time ahead of the clock up to which frames are decoded.
enum Depth {
    static let usual = Time.milliseconds(500)
    static let most = Time.seconds(3)
    /// Time decoded in one go.
    static let burst = Time.milliseconds(250)
    /// Depth until something was measured, if the next run begins inside its source. That much may have to be decoded
    /// and dropped.
    static let beforeInPoint = Time.seconds(1)
    /// Number of frames kept behind a clock that stands.
    static let keptBehind = 30
    /// Number of frames kept behind a running clock: enough for a step back or a small drag.
    static let keptPlaying = 5
    /// Time that is decoded before the frame, and kept, after a step back or a short drag back.
    static let behind = Time.seconds(1)
    /// Time by which the focused feed's next frame counts as due earlier when pipelines are lent.
    static let focusFirst = Time.milliseconds(50)
    /// Time ahead of its clock at which a feed that has fallen behind continues.
    static let catchUp = Time.milliseconds(100)
    /// A back slot is warmed up to this many frames while the front still plays.
    static let warmFrames = 4
    /// A playing tile never has fewer than this, whatever the memory.
    static let fewestFrames = 3
}
