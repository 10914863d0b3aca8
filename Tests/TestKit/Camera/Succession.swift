/// The order of one tile's frames, compared with the order of play.
public struct Succession: Sendable {
    /// Frames that were skipped.
    public private(set) var missing: [Mark] = []
    /// Number of skipped frames that may have been shown while the camera was blind.
    public private(set) var unseen = 0
    /// Steps back that do not begin a new iteration.
    public private(set) var backward: [Mark] = []
    /// Times of the first frame of each new iteration.
    public private(set) var seams: [Double] = []
    /// Number of runs that were neither black nor a frame of the items.
    public private(set) var unreadable = 0
    public private(set) var black = 0
    /// Longest time that a frame was shown, in seconds; the first and the last run do not count.
    public private(set) var longestHold = 0.0
    public private(set) var longestHeld: Mark?
    /// The instant of `RealTime` at which that frame appeared.
    public private(set) var longestBegan = 0.0
    /// Time from the first run to the end of the last.
    public let seconds: Double
    /// Number of changes from one frame to another.
    public private(set) var steps = 0

    /// `items`: the clips in the order of play, each with its due numbers. The first follows the last. `blink`: after a
    /// pause between shots longer than this, skipped frames count as unseen, not as missing.
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
                    (longestHold, longestHeld, longestBegan) = (run.duration, mark, run.first)
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

    /// Compares with one looped clip.
    public init(_ runs: [Run], looping clip: Int, _ frames: Int, blink: Double = .infinity) {
        self.init(runs, playing: [(clip, 0..<frames)], blink: blink)
    }

    private static func ahead(_ place: Int, of before: Int, _ count: Int) -> Int {
        ((place - before) % count + count) % count
    }
}
