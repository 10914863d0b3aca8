/// Where the samples of a stream lie in wall time, from measurements of how far it has come.
///
/// Whoever measures is held up now and then, so a measurement says "later than it is" and never "earlier": of those of
/// late, the one that puts the stream earliest is believed.
public struct StreamLine: Sendable {
    /// In measurements.
    static let window = 32
    private var origins: [Time] = []
    private var oldest = 0

    public init() {}

    /// The stream stood, was moved or was emptied: what was measured before says nothing any more.
    public mutating func lose() { (origins, oldest) = ([], 0) }

    /// Measured: what lies at this place of the stream is heard at `now`.
    public mutating func note(_ place: Time, heardAt now: Time) {
        if origins.count < Self.window {
            origins.append(now - place)
        } else {
            origins[oldest] = now - place
            oldest = (oldest + 1) % Self.window
        }
    }

    /// Enough is measured to ask less often.
    public var isSure: Bool { origins.count >= Self.window / 4 }

    /// When what lies at this place of the stream is heard; nil: nothing is measured yet.
    public func wallTime(of place: Time) -> Time? { origins.min().map { $0 + place } }
}
