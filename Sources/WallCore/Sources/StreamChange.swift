/// Whether a live source goes on with another stream, of which its demuxer makes no frames: bytes keep coming, and
/// frames do not.
public struct StreamChange: Sendable {
    private let limit: Time
    /// Since when bytes have come without a frame and without a pause; nil: no frame has come yet.
    private var since: Time?
    private var lastBytes = Time.zero
    private var bytes: Int64 = 0

    static let least = Time.seconds(2)
    static let frames: Int64 = 20
    /// A sender that was silent for so long is not judged by what it sent before.
    static let pause = Time.seconds(1)

    /// nil: it is finite, or may have frames as seldom as it likes. `frame`: how long each of them lasts.
    public init?(_ live: SourceTraits.Live?, frame: Time?) {
        guard live != nil, let frame else { return nil }
        limit = max(Self.least, frame * Self.frames)
    }

    /// A frame was decoded. The first one may be long in coming.
    public mutating func noteFrame(at now: Time) { since = now }

    /// `bytes` have been read of it in all; says whether it has changed.
    public mutating func note(bytes: Int64, at now: Time) -> Bool {
        guard var began = since else { return false }
        if bytes != self.bytes {
            if now - lastBytes >= Self.pause { began = now }
            (self.bytes, lastBytes, since) = (bytes, now, began)
        }
        return lastBytes - began >= limit
    }
}
