import Layout

/// Numbers of frames that were due and not shown.
public struct Missed: Hashable, Sendable {
    /// Frames that were decoded.
    var decoded = 0
    /// Frames that were left out before they were decoded.
    var undecoded = 0

    var all: Int { decoded + undecoded }

    static func += (sum: inout Missed, other: Missed) {
        sum.decoded += other.decoded
        sum.undecoded += other.undecoded
    }
}

/// Frames that were due and not shown, with the runs that they belong to.
struct MissedFrames {
    private(set) var runs: [(run: RunID, frames: Missed)] = []

    init() {}

    init(_ frames: Missed, of run: RunID) { add(frames, of: run) }

    mutating func add(_ frames: Missed, of run: RunID) { if frames.all > 0 { runs.append((run, frames)) } }

    /// `undecoded`: a number of frames that were left out before they were decoded.
    mutating func add(undecoded: Int, of run: RunID) { add(Missed(undecoded: undecoded), of: run) }

    mutating func add(_ other: MissedFrames, times count: Int = 1) {
        for (run, frames) in other.runs {
            add(Missed(decoded: frames.decoded * count, undecoded: frames.undecoded * count), of: run)
        }
    }

    var all: Int { runs.reduce(0) { $0 + $1.frames.all } }
}
