/// Whether a live source goes on with another stream, of which its demuxer makes no pictures: bytes keep coming, and
/// pictures do not.
public struct StreamChange: Sendable {
    private let limit: Time
    /// Since when bytes have come without a picture and without a pause; nil: no picture has come yet.
    private var since: Time?
    private var lastBytes = Time.zero
    private var bytes: Int64 = 0

    static let least = Time.seconds(2)
    static let pictures: Int64 = 20
    /// A sender that was silent for so long is not judged by what it sent before.
    static let pause = Time.seconds(1)

    /// nil: it is finite, or may have pictures as seldom as it likes. `picture`: how long each of them lasts.
    public init?(_ live: SourceTraits.Live?, picture: Time?) {
        guard live != nil, let picture else { return nil }
        limit = max(Self.least, picture * Self.pictures)
    }

    /// A picture was decoded. The first one may be long in coming.
    public mutating func notePicture(at now: Time) { since = now }

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
