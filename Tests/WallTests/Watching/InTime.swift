import Expectations
import TestKit
import Testing

/// The issue of a wall that was late. Stalls of the machine that explain it excuse it (`Patience`).
struct Late: Error, CustomStringConvertible {
    /// Sums up the issue, with the value and its limit.
    let description: String
    /// By how much the value is over its limit.
    let lateness: Stalls.Lateness
}

/// Unit of a value that must be in time.
enum TimingUnit {
    case seconds
    case milliseconds
    /// Frames that last this many seconds each.
    case frames(lasting: Double)

    /// Frames of most of the tests' films.
    static let frames = frames(lasting: 1.0 / 30)

    func lateness(_ excess: Double) -> Stalls.Lateness {
        switch self {
        case .seconds: .seconds(excess)
        case .milliseconds: .seconds(excess / 1000)
        case .frames(let duration): .frames(excess, lasting: duration)
        }
    }
}

/// An expectation of timing: `value` is at most `limit`.
func expectInTime(
    _ value: Double, _ unit: TimingUnit = .seconds, atMost limit: Double, _ what: @autoclosure () -> String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard !(value <= limit) else { return }
    let late = Late(
        description: "not in time: \(what()): \(value), at most \(limit)", lateness: unit.lateness(value - limit))
    Issue.record(late, sourceLocation: sourceLocation)
}

/// Expects that the camera was not blind: a blind camera proves nothing.
func expectSight(_ sight: Sight) {
    guard !sight.isGood else { return }
    let late = Late(
        description:
            """
            not in time: the camera went blind: \(sight.shots) shots in \(sight.seconds) s, blind for \
            \(sight.blindSeconds) s, once for \(sight.longestPause) s
            """,
        lateness: .secondsInAll(sight.lackingSeconds))
    Issue.record(late)
}

/// Expects the frames of a playing tile to follow each other, each for its duration, and the camera to have seen them.
///
/// `frame`: the longest duration of a frame, in seconds. `holds`: the longest hold of a frame, in frames. `seams`: the
/// least number of seams. `waiting`: frames for which the frame before a seam may stand.
func expectUnbroken(
    _ seen: Succession, _ what: String = "", frame: Double = 1.0 / 30, holds: Double = Limit.hold, seams: Int = 1,
    waiting: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
) {
    expect(seen.backward.isEmpty, "\(what) went back to \(seen.backward)", sourceLocation: sourceLocation)
    expect(seen.black, equals: 0, "\(what) was black", sourceLocation: sourceLocation)
    expect(seen.unreadable, equals: 0, "\(what) showed something else", sourceLocation: sourceLocation)
    expect(seen.seams.count, atLeast: seams, "\(what)", sourceLocation: sourceLocation)
    expectInTime(
        Double(seen.missing.count), .frames(lasting: frame), atMost: 0, "\(what) left out \(seen.missing)",
        sourceLocation: sourceLocation)
    expectInTime(
        seen.longestHold, atMost: holds * frame,
        "\(what) held \(seen.longestHeld.map { "\($0) from \(seen.longestBegan)" } ?? "nothing")",
        sourceLocation: sourceLocation)
    // The camera saw most of the due frames.
    expectInTime(
        Double(seen.unseen), .frames(lasting: frame), atMost: Double(seen.steps) / 20, "\(what): frames unseen",
        sourceLocation: sourceLocation)
    expect(
        Double(seen.steps + waiting * (seen.seams.count + 1)) * frame, above: 0.85 * seen.seconds,
        "\(what): \(seen.steps) frames in \(seen.seconds) s", sourceLocation: sourceLocation)
}

/// Limits of measurements. On two cores with other walls beside, measurements stay well below them.
enum Limit {
    /// Longest hold of a frame at a seam, in frames.
    static let hold = 1.6
    /// Longest delay of the first frame after a seam by the trace, in seconds.
    static let late = 0.01
    /// Longest silence where a file begins again, in seconds.
    static let loopHole = 0.001
    /// Longest silence when the focus moves to another tile, in seconds.
    static let focusHole = 0.002
}
