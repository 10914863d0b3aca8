import Base

/// Continuity of a playback stream since samples were last made for it.
public enum StreamContinuity: Sendable { case unbroken, broken }

/// Maps positions of an audio stream to wall time, from measurements of the stream's position.
///
/// The measuring thread is sometimes delayed, so a measurement can be too late but never too early. Of the last
/// `window` measurements, the earliest origin counts.
public struct StreamLine: Sendable {
    /// Number of measurements that are kept.
    static let window = 32
    /// Origins by the last measurements, oldest first.
    private var origins: [Time] = []
    /// Transfers of samples since the last measurement.
    private var unmeasured = 0
    /// Transfers from one measurement to the next, once there are enough measurements.
    private static let measuring = 10

    public init() {}

    /// Counts a transfer of samples. Returns true if the stream's position is to be measured.
    public mutating func countTransfer() -> Bool {
        unmeasured += 1
        guard unmeasured >= Self.measuring || !isSettled else { return false }
        unmeasured = 0
        return true
    }

    /// Forgets all measurements. Called when the stream paused, was moved or was emptied.
    public mutating func reset() { origins = [] }

    /// Records that the sample at `place` in the stream is heard at `now`.
    public mutating func note(_ place: Time, heardAt now: Time) {
        if origins.count == Self.window { origins.removeFirst() }
        origins.append(now - place)
    }

    /// True once there are enough measurements to take them less often.
    public var isSettled: Bool { origins.count >= Self.window / 4 }

    /// Wall time at which the sample at `place` is heard; nil until the first measurement.
    public func wallTime(of place: Time) -> Time? { origins.min().map { $0 + place } }
}
