/// Silence of a live source that is to be heard. Not thread-safe.
///
/// A source that sent no samples for a while has stalled, and is opened anew, each time after a longer wait.
struct SoundStall {
    /// Time since which nothing has come, on the monotonic clock; nil while samples come.
    private var since: Int64?
    private var wait = SoundStall.first

    /// In nanoseconds.
    private static let first: Int64 = 5_000_000_000
    private static let longest: Int64 = 60_000_000_000

    mutating func noteSamples() { self = SoundStall() }

    /// The source is not to be heard.
    mutating func rest() { since = nil }

    /// Nothing has come. Returns true if the source has stalled and must be opened anew.
    mutating func noteDry(at now: Int64) -> Bool {
        guard let since else {
            self.since = now
            return false
        }
        guard now - since >= wait else { return false }
        (self.since, wait) = (now, min(wait * 2, Self.longest))
        return true
    }
}
