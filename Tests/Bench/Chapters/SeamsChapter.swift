import Foundation
import TestKit

extension Chapter {
    static let seams = Chapter(name: "seams", title: "Seams") { hall in
        let h264 = try hall.library.files(4) { ($0.frames, $0.look) = (60, .marked) }
        let vp9 = try (0..<4).map { number in
            try hall.library.file(
                Library.Clip().with { ($0.frames, $0.look, $0.codec, $0.number) = (60, .marked, .vp9, number + 4) })
        }
        let seconds = 10.0
        var contest = Contest<Seams>()
        contest.enter("quadrille") { try Seams.quadrille(hall, Array(zip(h264, vp9)), seconds) }
        if hall.peers.mpv { contest.enter("mpv") { try Seams.mpv(hall, h264[0], seconds) } }
        try contest.hold(rounds: hall.rounds) {
            "\($0.count) seams, held \(($0.longestHold * 1000).text(0)) ms, \($0.missing) missing"
        }
        var table = Table(["\(seconds.text(0)) s", "seams", "longest hold, ms", "frames missing", "latest seam, ms"])
        for (name, title) in [
            ("quadrille", "four tiles that change from H.264 to VP9 and back at one instant, each 2 s"),
            ("mpv", "mpv --loop-file, one of these H.264 clips alone"),
        ] where contest.entrants.contains(where: { $0.name == name }) {
            let latest = contest.sample(name) { $0.latest }
            table.rows.append([
                title, contest.sample(name) { Double($0.count) }.median.text(0),
                contest.sample(name) { $0.longestHold * 1000 }.text(0),
                contest.sample(name) { Double($0.missing) }.text(0), latest.median.isFinite ? latest.text(1) : "",
            ])
        }
        table.notes = [
            "Seen by a camera that takes 200 frames of the screen a second, its share of the machine included; a frame "
                + "lasts 33 ms. The latest seam is quadrille's own word, from its trace."
        ]
        return [table]
    }
}

/// Changes from clip to clip, as a camera saw them.
struct Seams {
    var count = 0
    var longestHold = 0.0
    var missing = 0
    /// In milliseconds, from the trace.
    var latest = Double.nan

    private static let frames = 60
    private static let blink = 0.02

    /// Area of the strip: it begins at the frame's middle and has two rows.
    static func strip(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Tile {
        Tile(Area(x, y + height / 2, width, height / 6), part: [0, 0, 1, 1.0 / 6])
    }

    static func quadrille(_ hall: Hall, _ pairs: [(String, String)], _ seconds: Double) throws -> Seams {
        let tiles = pairs.map { ["play": [$0.0, $0.1]] }
        let data = try JSONSerialization.data(withJSONObject: ["tiles": tiles], options: [.withoutEscapingSlashes])
        let layout = try Scratch.file("seams.json", String(decoding: data, as: UTF8.self))
        let trace = Scratch.path("seams.jsonl")
        defer { unlink(layout); unlink(trace) }
        let film = try film(
            hall, Grid([layout]).quadrille(["--trace", trace, "--trace-events", "seam,end"]),
            [(0, 0), (640, 0), (0, 360), (640, 360)].map { strip($0.0, $0.1, 640, 360) }, seconds)
        var seams = Seams()
        for tile in pairs.indices {
            let seen = Succession(
                film.runs(of: tile), playing: [(tile, 0..<frames), (tile + 4, 0..<frames)], blink: blink)
            seams.longestHold = max(seams.longestHold, seen.longestHold)
            seams.missing += seen.missing.count
        }
        let events = Trace(text: String(decoding: FileManager.default.contents(atPath: trace) ?? Data(), as: UTF8.self))
        let late = events.events("seam").compactMap { $0.number("late-ms") }
        (seams.count, seams.latest) = (late.count, late.max() ?? .nan)
        return seams
    }

    static func mpv(_ hall: Hall, _ file: String, _ seconds: Double) throws -> Seams {
        let film = try film(
            hall, Grid([file]).mpvAlone(["--loop-file=inf"]), [strip(0, 0, 1280, 720)], seconds)
        let seen = Succession(film.runs(of: 0), looping: 0, frames, blink: blink)
        return Seams(count: seen.seams.count, longestHold: seen.longestHold, missing: seen.missing.count)
    }

    /// Films the tiles for `seconds` once all strips can be read, then ends the program.
    private static func film(_ hall: Hall, _ command: [String], _ tiles: [Tile], _ seconds: Double) throws -> Film {
        let program = try Child(command, environment: hall.display.environment)
        defer { program.end() }
        let camera = try Camera(hall.display, tiles)
        defer { camera.stop() }
        guard camera.waitUntilReadable(atMost: 5) else {
            throw CommandFailed(command: command, status: program.exitStatus, errors: program.errors)
        }
        RealTime.pass(seconds)
        return camera.stop().show
    }
}
