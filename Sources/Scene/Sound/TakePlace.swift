import Base

/// Place of a recording in its song.
public struct TakePlace: Equatable, Sendable {
    /// Song time of the recording's first sample.
    public let start: Time
    /// Rate of the song.
    public let rate: Rate
    /// Transposition of the song while it was recorded, in semitones.
    public let key: Int

    public init(start: Time, rate: Rate, key: Int = 0) { (self.start, self.rate, self.key) = (start, rate, key) }

    /// Rate at which to play the recording beside a song that plays at `rate`.
    public func rate(beside rate: Rate) -> Rate { rate / self.rate }

    /// Time in the recording at a song time; below zero before the recording begins.
    public func time(at song: Time) -> Time { (song - start).lasting(at: rate) }
}
