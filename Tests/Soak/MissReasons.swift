import Foundation
import TestKit

/// Tells pictures that the wall missed from those that nobody could show, since the machine stood still; and says what
/// was done to the wall before.
struct MissReasons {
    private let tile: String
    private let rate: Double
    private var traceRead = 0
    private var lastPicture: MissedPictures.Picture?
    private var untold = (missed: 0, excusable: 0)
    /// In seconds of `Clock`: when what began, when a layout was last loaded, and when the trace did.
    private var begun: [(time: Double, what: String)] = []
    private var loadedAt = 0.0
    private var zero = Double.infinity

    /// As long as any limit that a picture is held to.
    private static let pause = 0.01
    /// What was to be done before a picture may have been held up.
    private static let slack = 0.05

    /// `rate`: pictures a second of what the tile plays.
    init(tile: String, rate: Double) { (self.tile, self.rate) = (tile, rate) }

    mutating func note(_ what: String) { begun.append((Clock.now, what)) }

    mutating func noteLoaded() { loadedAt = Clock.now }

    /// How many of the pictures that the wall has counted as missed since the last time were due while the machine was held
    /// up; each other gap is said. The count and the trace do not end at the same picture: what one of them has not told is
    /// looked for the next time.
    mutating func excused(of missed: Int, in program: Program) -> Int {
        let found = heldUp(in: program)
        let (all, excusable) = (missed + untold.missed, found + untold.excusable)
        let excused = min(all, excusable)
        untold = (min(missed, all - excused), min(found, excusable - excused))
        return excused
    }

    /// How many pictures the trace lacks that were due while the machine was held up.
    private mutating func heldUp(in program: Program) -> Int {
        defer { begun = [] }
        let trace = program.trace(from: &traceRead)
        let missed = MissedPictures(trace, tile: tile, rate: rate, after: lastPicture)
        lastPicture = missed.last
        // Its loading tells the trace's time from ours. An answer may come late, never early.
        guard let reload = trace.events("reload").last else { return 0 }
        zero = min(zero, loadedAt - reload.time)
        var count = 0
        for gap in missed.gaps {
            let stall = Metronome.shared.longestStall(from: zero + gap.from - Self.slack, to: zero + gap.to)
            if stall >= Self.pause { count += gap.count } else { tell(gap) }
        }
        return count
    }

    private func tell(_ gap: MissedPictures.Gap) {
        let before = begun.filter { $0.time < zero + gap.to }.suffix(4)
        say(
            String(format: "missed %d between %.3f and %.3f s; before:", gap.count, gap.from, gap.to)
                + before.map { String(format: " %.3f ", $0.time - zero) + $0.what }.joined(separator: ";"))
    }
}
