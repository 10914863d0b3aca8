/// What of a feed's runs is over and still wanted.
struct History {
    /// One at most; apart from the feed, which stays small to copy.
    private var tails: [Slot] = []
    /// The sound of slots that are over, while it is still heard.
    private(set) var heard: [HeardRun] = []

    /// The last frames of the run before the front's, for a step back over the seam.
    var tail: Slot? { tails.first }

    mutating func keep(_ tail: Slot?) { tails = tail.map { [$0] } ?? [] }

    mutating func shift(by change: Time) {
        for index in tails.indices { tails[index].shift(by: change) }
        for index in heard.indices { heard[index].shift(by: change) }
    }

    /// `since`: what ended before that is heard no more.
    mutating func keepSound(of runs: [HeardRun], since: Time, groupTime: Time) {
        heard.removeAll { ($0.end ?? groupTime) <= since || $0.start > groupTime }
        heard += runs
    }
}
