import Foundation
import TestKit

/// Tells pictures that the wall missed from those that nobody could show, since the machine stood still; and says what
/// was done to the wall before.
struct MissReasons {
    private let tile: String
    private let rate: Double
    private var traceRead = 0
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

    /// How many pictures were missed while the machine was held up, since the last time; each other gap is said.
    mutating func excused(in program: Program) -> Int {
        defer { begun = [] }
        let trace = program.trace(from: &traceRead)
        // Its loading tells the trace's time from ours. An answer may come late, never early.
        guard let reload = trace.events("reload").last else { return 0 }
        zero = min(zero, loadedAt - reload.time)
        var excused = 0
        for gap in MissedPictures(trace, tile: tile, rate: rate).gaps {
            let stall = Metronome.shared.longestStall(from: zero + gap.from - Self.slack, to: zero + gap.to)
            if stall >= Self.pause { excused += gap.count } else { tell(gap) }
        }
        return excused
    }

    private func tell(_ gap: MissedPictures.Gap) {
        let before = begun.filter { $0.time < zero + gap.to }.suffix(4)
        say(
            String(format: "missed %d between %.3f and %.3f s; before:", gap.count, gap.from, gap.to)
                + before.map { String(format: " %.3f ", $0.time - zero) + $0.what }.joined(separator: ";"))
    }
}
