import TestKit
import Testing

private let inTime = "in time: "

extension Issue {
    /// Recorded by `expectInTime`.
    var isOfTiming: Bool { comments.contains { $0.rawValue.hasPrefix(inTime) } }
}

/// An expectation of timing: `value` (seconds, or a count) is at most `limit`.
func expectInTime(
    _ value: Double, atMost limit: Double, _ what: @autoclosure () -> String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard !(value <= limit) else { return }
    Issue.record("\(inTime)\(what()): \(value), at most \(limit)", sourceLocation: sourceLocation)
}

/// A camera that went blind proves nothing.
func expectSight(_ sight: Sight) {
    guard !sight.isGood else { return }
    Issue.record(
        """
        \(inTime)the camera went blind: \(sight.shots) shots in \(sight.seconds) s, blind for \(sight.blindSeconds) s, \
        once for \(sight.longestPause) s
        """)
}

/// What holds for every tile that plays: its frames follow each other, each for its time, and the camera saw them.
///
/// `frame`: how long the longest lasts. `holds`: how many frames' time one may stand. `seams`: at least so many,
/// before each of which it may stand for `waiting` frames' time.
func expectUnbroken(
    _ seen: Succession, _ what: String = "", frame: Double = 1.0 / 30, holds: Double = Limit.hold, seams: Int = 1,
    waiting: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(seen.backward.isEmpty, "\(what) went back to \(seen.backward)", sourceLocation: sourceLocation)
    #expect(seen.black == 0, "\(what) was black", sourceLocation: sourceLocation)
    #expect(seen.unreadable == 0, "\(what) showed something else", sourceLocation: sourceLocation)
    #expect(seen.seams.count >= seams, "\(what)", sourceLocation: sourceLocation)
    expectInTime(
        Double(seen.missing.count), atMost: 0, "\(what) left out \(seen.missing)", sourceLocation: sourceLocation)
    expectInTime(
        seen.longestHold, atMost: holds * frame,
        "\(what) held \(seen.longestHeld.map { "\($0)" } ?? "nothing")", sourceLocation: sourceLocation)
    // Most of what was due was seen.
    expectInTime(
        Double(seen.unseen), atMost: Double(seen.steps) / 20, "\(what): frames unseen", sourceLocation: sourceLocation
    )
    #expect(
        Double(seen.steps + waiting * (seen.seams.count + 1)) * frame > 0.85 * seen.seconds,
        "\(what): \(seen.steps) frames in \(seen.seconds) s",
        sourceLocation: sourceLocation)
}

/// What is measured stays well under these on two cores with other walls beside.
enum Limit {
    /// Frames' times that one may stand at a seam.
    static let hold = 1.6
    /// How late the first frame after a seam may be, by the trace.
    static let late = 0.01
    /// Of silence where a file begins again.
    static let loopHole = 0.001
    /// Of silence where another is heard from now on.
    static let focusHole = 0.002
}
