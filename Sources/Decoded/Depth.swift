import Base

/// Time ahead of the clock up to which frames are decoded.
///
/// A pipeline decodes in bursts, and does not wait near a run's end. If the next run was slow to warm, the depth grows
/// to at most `most` (`Reel.depth`). The feeds that have a seat share the layout's `memory`. A slot gets a few frames
/// (`fewestFrames`) whatever the memory.
public enum Depth {
    public static let usual = Time.milliseconds(500)
    public static let most = Time.seconds(3)
    /// Time decoded in one go.
    public static let burst = Time.milliseconds(250)
    /// Depth until something was measured, if the next run begins inside its source. The frames between the key frame
    /// and the in-point are decoded and dropped.
    public static let beforeInPoint = Time.seconds(1)
    /// Number of frames kept before the due one while the clock is paused.
    public static let keptBefore = 30
    /// Number of frames kept before the due one while the clock runs: enough for a step back or a small drag.
    public static let keptPlaying = 5
    /// Time that is decoded before the frame, and kept, after a step back or a short drag back.
    public static let behind = Time.seconds(1)
    /// Time by which the focused feed's next frame counts as due earlier when pipelines are lent.
    public static let focusFirst = Time.milliseconds(50)
    /// Time ahead of its clock at which a feed that has fallen behind continues.
    public static let catchUp = Time.milliseconds(100)
    /// A back slot is warmed up to this many frames while the front still plays.
    public static let warmFrames = 4
    /// Smallest number of frames that a playing tile holds, whatever the memory.
    public static let fewestFrames = 3
}
