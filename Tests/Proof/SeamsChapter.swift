import TestKit

/// Four tiles on four decoders, each alternating two clips of unlike codecs: first all ending together, then of unlike
/// lengths.
enum SeamsChapter {
    static func measure(_ arguments: [String]) throws {
        let seconds = arguments.first.flatMap(Double.init) ?? 120
        for lengths in [[60, 60, 60, 60], [6, 15, 45, 1], [250, 30, 77, 240]] {
            printLine("seams: \(lengths.map(String.init).joined(separator: ", ")) frames, \(seconds) s")
            let clips = lengths.enumerated().map { tile, frames in
                (
                    Witness(2 * tile).with {
                        ($0.width, $0.height, $0.frames, $0.gop, $0.bFrames) = (1280, 720, frames, 60, 2)
                    },
                    Witness(2 * tile + 1).with { ($0.frames, $0.codec, $0.container) = (frames, .vp9, .webm) }
                )
            }
            let whole = Area(0, 0, 1280, 720)
            let screen = try Screen(
                try clips.map { ["play": [try $0.0.file(), try $0.1.file()]] }, ["grid": ["columns": 2, "rows": 2]],
                options: ["--pipelines", "4"], watched: (0..<4).map { Tile(whole.cell($0 % 2, $0 / 2, of: 2, by: 2)) },
                size: whole, seconds: seconds)
            for (tile, clips) in clips.enumerated() {
                let numbers = 0..<lengths[tile]
                let seen = Succession(
                    screen.film.runs(of: tile), playing: [(clips.0.clip, numbers), (clips.1.clip, numbers)],
                    blink: Sight.blink)
                screen.judge(seen, "tile \(tile + 1)")
            }
            screen.judgeSeams()
            Proof.expect("  decoders", Double(screen.mostDecoders), atMost: 4)
        }
    }
}
