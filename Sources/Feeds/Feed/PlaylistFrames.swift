import Base

/// Separates the new frames of a live playlist from frames that an earlier connection has brought.
///
/// A connection to a playlist begins with its last segments, also if the sender has died and no more follow. Frames
/// that are not newer than the newest one so far are left out. A dead source therefore shows nothing again, and counts
/// as lost until a new frame comes.
///
/// A sender that was started again may count from zero. Its frames are new if they lie far before the newest frame, or
/// if the reader had to wait for one of them: the old segments are all there at once.
struct PlaylistFrames {
    /// Start of the newest frame in the playlist's own time, in units of `Time`; nil until the first.
    private var newest: Int128?
    /// Slot of the connection that brought the last frame; nil until the first.
    private var slot: Int?
    /// True if the connection has brought a new frame.
    private var isNew = false
    /// Wall time at which the connection brought its last frame.
    private var cameAt = Time.zero

    /// Timestamps are rounded from the start of each connection, so the same frame may differ by a tick.
    static let tolerance = Time.milliseconds(5)
    /// Longest time that the last segments of a playlist are expected to last.
    static let mostRepeated = Time.seconds(60)
    /// A frame that comes this much later than the frame before was waited for.
    static let wait = Time.seconds(1)

    /// Returns true if a decoded frame is new. `time`: its start in the playlist's own time.
    mutating func admit(_ time: Int128, of slot: Int, at now: Time) -> Bool {
        let wasAwaited = slot == self.slot && now - cameAt >= Self.wait
        if slot != self.slot { (self.slot, isNew) = (slot, false) }
        cameAt = now
        isNew = isNew || wasAwaited || isBeyond(time)
        if isNew { newest = time }
        return isNew
    }

    private func isBeyond(_ time: Int128) -> Bool {
        newest.map { time > $0 + Int128(Self.tolerance.ticks) || time < $0 - Int128(Self.mostRepeated.ticks) } ?? true
    }
}
