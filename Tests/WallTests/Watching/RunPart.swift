import Foundation
import Testing

extension Tag {
    /// The wall's frames or sound must be in time.
    @Tag static var timed: Self
    /// The wall needs most of the machine.
    @Tag static var large: Self
    /// A `timed` wall that a frame of another wall can make late. It runs beside large ones only; one that is large
    /// itself runs alone.
    @Tag static var exact: Self
}

/// A part of the run of all walls. The tags of a test determine its part.
///
/// `scripts/run-every-test` runs the parts one after the other, each in a process of its own. LANE names the part that
/// a process runs. Without LANE, the process runs all of them.
enum RunPart: String {
    /// Walls of which only the state is checked.
    case state
    /// Walls that must be in time.
    case timed
    /// Walls that need most of the machine, and those that run beside them only.
    case large

    static let current = ProcessInfo.processInfo.environment["LANE"].map { name in
        guard let part = RunPart(rawValue: name) else { fatalError("LANE is \(name), not state, timed or large") }
        return part
    }

    /// Comment of the tests that are skipped since they are in another part. `scripts/run-tests` does not print them.
    static let skipped: Comment = "in another part of the run"

    init(_ test: Test) {
        if !test.tags.isDisjoint(with: [.large, .exact]) {
            self = .large
        } else {
            self = test.tags.contains(.timed) ? .timed : .state
        }
    }

    /// The walls beside which a test's wall runs.
    static func lane(of test: Test) -> Lanes.Lane {
        if test.tags.contains(.large) { return test.tags.contains(.exact) ? .alone : .large }
        return test.tags.contains(.timed) ? .timed : .light
    }
}
