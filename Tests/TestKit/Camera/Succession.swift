/// How one tile's frames followed each other.
public struct Succession: Sendable {
    /// Frames that were skipped.
    public private(set) var missing: [Mark] = []
    /// Frames that may have been shown while the camera itself did not come to look.
    public private(set) var unseen = 0
    /// Steps back that are no beginning of a new pass.
    public private(set) var backward: [Mark] = []
    /// Beginnings of a new pass, by the instant of the first frame.
    public private(set) var seams: [Double] = []
    /// Runs that were neither a frame nor the one before again.
    public private(set) var unreadable = 0
    public private(set) var black = 0
    /// How long the longest frame stood; the first and the last run do not count.
    public private(set) var longestHold = 0.0
    public private(set) var longestHeld: Mark?
    /// From the first run to the end of the last.
    public let seconds: Double
    /// How many different frames followed each other.
    public private(set) var steps = 0

    /// `items`: the clips in the order of play with the numbers that are due of each. The last is followed by the first.
    /// `blink`: after a pause between shots longer than this, skipped frames count as unseen, not as missing.
    public init(_ runs: [Run], playing items: [(clip: Int, numbers: Range<Int>)], blink: Double = .infinity) {
        seconds = (runs.last?.end ?? 0) - (runs.first?.first ?? 0)
        let due = items.flatMap { item in item.numbers.map { Mark(clip: item.clip, number: $0) } }
        var places: [Mark: [Int]] = [:]
        for (place, mark) in due.enumerated() { places[mark, default: []].append(place) }
        var at: Int?
        for (index, run) in runs.enumerated() {
            switch run.reading {
            case .black: black += 1
            case .unreadable, .fade: unreadable += 1
            case .frame(let mark):
                guard let here = places[mark] else { unreadable += 1; continue }
                if index > 0, index < runs.count - 1, run.duration > longestHold {
                    (longestHold, longestHeld) = (run.duration, mark)
                }
                guard let before = at else { at = here[0]; continue }
                if due[before] == mark { continue }
                let place = here.min { Self.ahead($0, of: before, due.count) < Self.ahead($1, of: before, due.count) }!
                let ahead = Self.ahead(place, of: before, due.count)
                if ahead > due.count / 2, due.count > 2 {
                    backward.append(mark)
                } else if index > 0, run.first - runs[index - 1].last > blink {
                    unseen += max(ahead, 1) - 1
                } else {
                    missing += (1..<max(ahead, 1)).map { due[(before + $0) % due.count] }
                }
                if place < before, ahead <= due.count / 2 || due.count <= 2 { seams.append(run.first) }
                steps += 1
                at = place
            }
        }
    }

    /// One clip, looped.
    public init(_ runs: [Run], looping clip: Int, _ frames: Int, blink: Double = .infinity) {
        self.init(runs, playing: [(clip, 0..<frames)], blink: blink)
    }

    private static func ahead(_ place: Int, of before: Int, _ count: Int) -> Int {
        ((place - before) % count + count) % count
    }
}
