import TestKit

/// Nine tiles that take turns on four decoders.
enum TurnsChapter {
    static func measure(_ arguments: [String]) throws {
        let seconds = arguments.first.flatMap(Double.init) ?? 90
        printLine("nine tiles take turns on four pipelines, \(seconds) s")
        let whole = Area(0, 0, 960, 540)
        let screen = try Screen(
            try (0..<9).map { ["play": try Witness($0).with { $0.frames = 60 }.file()] },
            ["overflow": ["rotate": 2]], options: ["--pipelines", "4"],
            watched: (0..<9).map { Tile(whole.cell($0 % 3, $0 / 3, of: 3, by: 3)) }, size: whole, seconds: seconds)
        for tile in 0..<9 {
            let runs = screen.film.runs(of: tile)
            let shown = Double(runs.count { $0.mark != nil }) / 30
            printLine("  tile \(tile + 1) played for \(shown) s")
            Proof.expect("  wrong", Double(runs.count { $0.mark?.clip != tile }), atMost: 0)
            // Each tile plays for four ninths of the time; the focused one always plays.
            Proof.expect("  too short", seconds / 3 - shown, atMost: 0, " s")
        }
        Proof.expect("  decoders", Double(screen.mostDecoders), atMost: 4)
    }
}
