import Foundation
import TestKit

/// Tells frames that the wall dropped from those that nobody could show, since the machine stood still; and says what
/// was done to the wall before.
struct DropReasons {
    private let tile: String
    private let rate: Double
    private var traceRead = Program.TraceMark()
    private var lastFrame: DroppedFrames.Frame?
    private var unreported = (dropped: 0, excusable: 0)
    /// In seconds of `Clock`: when what began, and when the trace did.
    private var begun: [(time: Double, what: String)] = []
    private var zero = 0.0

    /// As long as any limit that a frame is held to.
    private static let pause = 0.01
    /// Of one core, one after the other.
    private static let pauses = 0.02
    /// What was to be done before a frame may have been held up.
    private static let slack = 0.05

    /// `rate`: frames a second of what the tile plays.
    init(tile: String, rate: Double) { (self.tile, self.rate) = (tile, rate) }

    mutating func note(_ what: String) { begun.append((Clock.now, what)) }

    /// A layout was loaded, the first that was: by that the trace's time is told from ours. An answer may come late, never
    /// early. Later ones can't be told from those that the schedule loads.
    mutating func begin(loadedAt time: Double, in program: Program) throws {
        var reload: Trace.Event?
        Clock.wait(atMost: 5) {
            reload = program.trace.events("reload").first
            return reload != nil
        }
        guard let reload else { throw SoakStage.Failure(what: "the trace does not tell of the first layout") }
        zero = time - reload.time
    }

    /// How many of the frames that the wall has counted as dropped since the last time were due while the machine was held
    /// up; each other gap is said. The count and the trace do not end at the same frame: what one of them has not told is
    /// looked for the next time.
    mutating func excused(of dropped: Int, in program: Program) -> Int {
        let found = heldUp(in: program)
        let (all, excusable) = (dropped + unreported.dropped, found + unreported.excusable)
        let excused = min(all, excusable)
        unreported = (min(dropped, all - excused), min(found, excusable - excused))
        return excused
    }

    /// How many frames the trace lacks that were due while the machine was held up.
    private mutating func heldUp(in program: Program) -> Int {
        defer { begun = [] }
        let trace = program.trace(from: &traceRead)
        let dropped = DroppedFrames(trace, tile: tile, rate: rate, after: lastFrame)
        lastFrame = dropped.last
        var count = 0
        for gap in dropped.gaps {
            let (from, to) = (zero + gap.from - Self.slack, zero + gap.to)
            let isHeldUp =
                Metronome.shared.longestStall(from: from, to: to) >= Self.pause
                || Metronome.shared.mostHeldUp(from: from, to: to) >= Self.pauses
            if isHeldUp { count += gap.count } else { report(gap) }
        }
        return count
    }

    private func report(_ gap: DroppedFrames.Gap) {
        let before = begun.filter { $0.time < zero + gap.to }.suffix(4)
        printLine(
            String(format: "missed %d between %.3f and %.3f s; before:", gap.count, gap.from, gap.to)
                + before.map { String(format: " %.3f ", $0.time - zero) + $0.what }.joined(separator: ";"))
    }
}
