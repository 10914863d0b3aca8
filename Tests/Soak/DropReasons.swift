import Foundation
import TestKit

/// Separates frames that the wall dropped from those that were late because the machine was held up. Prints the
/// disturbances before each gap.
struct DropReasons {
    private let tile: String
    private let rate: Double
    private var traceRead = Program.TraceMark()
    private var lastFrame: DroppedFrames.Frame?
    private var unreported = (dropped: 0, excusable: 0)
    /// In seconds of `RealTime`: each disturbance with its start, and the start of the trace.
    private var begun: [(time: Double, what: String)] = []
    private var zero = 0.0

    /// Shortest pause of the machine that excuses a frame, in seconds: as long as the strictest limit for a frame.
    private static let pause = 0.01
    /// Shortest sum of pauses of one core that excuses a frame, in seconds.
    private static let pauses = 0.02
    /// Time before a frame in which a pause may have delayed it, in seconds.
    private static let slack = 0.05

    /// `rate`: frame rate of the tile's film.
    init(tile: String, rate: Double) { (self.tile, self.rate) = (tile, rate) }

    mutating func note(_ what: String) { begun.append((RealTime.now, what)) }

    /// Relates the trace's time to `RealTime` by the first layout that was loaded. Its answer may come late, never
    /// early. Later loads can't be distinguished from those of the schedule.
    mutating func begin(loadedAt time: Double, in program: Program) throws {
        var reload: Trace.Event?
        RealTime.wait(atMost: 5) {
            reload = program.trace.events("reload").first
            return reload != nil
        }
        guard let reload else { throw SoakStage.Failure(what: "the trace does not tell of the first layout") }
        zero = time - reload.time
    }

    /// Number of dropped frames since the last call that were due while the machine was held up. Prints each other gap.
    /// The count and the trace do not end at the same frame, so a difference is kept for the next call.
    mutating func excused(of dropped: Int, in program: Program) -> Int {
        let found = heldUp(in: program)
        let (all, excusable) = (dropped + unreported.dropped, found + unreported.excusable)
        let excused = min(all, excusable)
        unreported = (min(dropped, all - excused), min(found, excusable - excused))
        return excused
    }

    /// Number of frames missing in the trace that were due while the machine was held up.
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
