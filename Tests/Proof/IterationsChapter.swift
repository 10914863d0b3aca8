import TestKit

/// Three clips of unlike lengths, all of them beginning each iteration in the same present.
enum IterationsChapter {
    static func measure(_ arguments: [String]) throws {
        let seconds = arguments.first.flatMap(Double.init) ?? 90
        let lengths = [60, 69, 33]
        for until in ["longest", "shortest"] {
            printLine("passes that begin together, until the \(until), \(seconds) s")
            let whole = Area(0, 0, 960, 180)
            let screen = try Screen(
                try lengths.enumerated().map { tile, frames in
                    ["play": try Witness(tile + 1).with { $0.frames = frames }.file()]
                }, ["groups": ["main": ["loop": "together", "until": until]], "grid": ["columns": 3, "rows": 1]],
                watched: (0..<3).map { Tile(whole.cell($0, 0, of: 3, by: 1)) }, size: whole, seconds: seconds)
            let ending = until == "longest" ? 69 : 33
            let seen = lengths.enumerated().map { tile, frames in
                Succession(screen.film.runs(of: tile), looping: tile + 1, min(frames, ending), blink: Sight.blink)
            }
            for (tile, seen) in seen.enumerated() {
                screen.judge(seen, "tile \(tile + 1)", waiting: Double(max(0, ending - lengths[tile])))
            }
            screen.judgeSeams()
            let counts = seen.map(\.seams.count)
            Proof.expect("  passes that not all began", Double(counts.max()! - counts.min()!), atMost: 0)
            let apart = (0..<counts.min()!).map { pass in
                let begins = seen.map { $0.seams[pass] }
                return begins.max()! - begins.min()!
            }
            // A shot taken in the middle of a present sees one tile later than the other.
            Proof.expect(
                "  passes that began apart", Double(apart.count { $0 > 0.012 }), atMost: Double(counts[0]) / 50)
        }
    }
}
