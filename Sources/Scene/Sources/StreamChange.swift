import Base

/// Detects a live source that has switched to a stream of which its demuxer makes no frames: bytes keep coming, and
/// frames stop.
public struct StreamChange: Sendable {
    private let limit: Time
    /// Time since which bytes have come without a frame and without a pause; nil until the first frame.
    private var since: Time?
    private var lastBytes = Time.zero
    private var bytes: Int64 = 0

    static let least = Time.seconds(2)
    static let frames: Int64 = 20
    /// After a silence of this length, earlier bytes do not count.
    static let pause = Time.seconds(1)

    /// nil if the source is finite or has no regular frame duration. `frame`: duration of a frame.
    public init?(_ live: SourceTraits.Live?, frame: Time?) {
        guard live != nil, let frame else { return nil }
        limit = max(Self.least, frame * Self.frames)
    }

    /// Records a decoded frame. There is no limit on the time until the first one.
    public mutating func noteFrame(at now: Time) { since = now }

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
