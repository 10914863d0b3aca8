import Base

/// Frames and sound of a feed's past runs that are still needed.
///
/// A slot keeps five frames before the due one while the clock runs, and 30 while it is paused. `tail` keeps the last
/// frames before a seam. After a step or a small drag back to kept frames, the second before these frames is decoded
/// (`Reel.refill`). For `audio.delay` the sound of past slots is kept (`heard`).
struct History {
    /// At most one slot. An array keeps `Feed` small to copy.
    private var tails: [Slot] = []
    /// Sound of past slots that is still heard.
    private(set) var heard: [HeardRun] = []

    /// The last frames of the run before the front's, for a step back over the seam.
    var tail: Slot? { tails.first }

    mutating func keep(_ tail: Slot?) { tails = tail.map { [$0] } ?? [] }

    mutating func shift(by change: Time) {
        for index in tails.indices { tails[index].timing.shift(by: change) }
        for index in heard.indices { heard[index].shift(by: change) }
    }

    /// `since`: sound that ended before this is no longer heard.
    mutating func keepSound(of runs: [HeardRun], since: Time, groupTime: Time) {
        heard.removeAll { ($0.end ?? groupTime) <= since || $0.start > groupTime }
        heard += runs
    }
}
