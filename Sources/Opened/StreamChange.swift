import Base

/// Detects a live source that has switched to a stream of which its demuxer makes no frames: bytes keep coming, and
/// frames stop, or all of them are broken.
public struct StreamChange: Sendable {
    private let usual: Time
    /// Time since which bytes have come without a frame and without a pause; nil until the first frame.
    private var since: Time?
    private var lastBytes = Time.zero
    private var bytes: Int64 = 0
    /// Time of the last frame, and of the last frame that was decoded whole.
    private var lastFrame: Time?
    private var lastWhole = Time.zero
    /// Longest recent time between two frames. A high value decays slowly.
    private var longestInterval = Time.zero

    static let least = Time.seconds(2)
    static let frames: Int64 = 20
    /// After a silence of this length, earlier bytes do not count.
    static let pause = Time.seconds(1)
    /// A stream of broken frames alone is another stream after this time. A decoder makes such frames of the packets of
    /// another codec.
    static let broken = Time.seconds(5)
    /// Number of measured intervals without a frame that are waited for.
    private static let intervals: Int64 = 4

    /// Condition of a decoded frame. A decoder conceals the missing parts of a broken one.
    public enum Condition: Sendable { case whole, broken }

    /// nil if the source is finite or has no regular frame duration. `frame`: duration of a frame.
    public init?(_ live: SourceTraits.Live?, frame: Time?) {
        guard live != nil, let frame else { return nil }
        usual = max(Self.least, frame * Self.frames)
    }

    /// The stated duration of frames may be a guess.
    private var limit: Time { max(usual, longestInterval * Self.intervals) }

    /// Records a decoded frame. There is no limit on the time until the first one.
    public mutating func noteFrame(_ condition: Condition = .whole, at now: Time) {
        if condition == .whole || lastFrame == nil { lastWhole = now }
        guard now - lastWhole < Self.broken else { return }
        if let lastFrame { longestInterval = max(now - lastFrame, longestInterval * 7 / 8) }
        (since, lastFrame) = (now, now)
    }

    /// Records that `bytes` have been read in total. Returns true if the stream has changed.
    public mutating func note(bytes: Int64, at now: Time) -> Bool {
        guard var began = since else { return false }
        if bytes != self.bytes {
            if now - lastBytes >= Self.pause { began = now }
            (self.bytes, lastBytes, since) = (bytes, now, began)
        }
        return lastBytes - began >= limit
    }
}
