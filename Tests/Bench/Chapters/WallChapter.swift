import Foundation
import TestKit

extension Chapter {
    static let wall = Chapter(name: "wall", title: "A wall of four 1280x720 films at 30 frames a second") { hall in
        let grid = Grid(try hall.library.files(4))
        return [try WallContest(hall, grid, seconds: 10, canvases: .both).table]
    }

    static let largeWalls = Chapter(name: "large", title: "Larger films") { hall in
        let full = Grid(
            try hall.library.files(4) { ($0.width, $0.height, $0.rate, $0.frames) = (1920, 1080, 60, 360) }, rate: 60)
        let one = Grid(try hall.library.files(1) { ($0.width, $0.height, $0.frames) = (3840, 2160, 150) })
        var tables = [try WallContest(hall, full, seconds: 6).table, try WallContest(hall, one, seconds: 5).table]
        tables[0].lead = "Four 1920x1080 films at 60 frames a second, 6 s:"
        tables[1].lead = "One 3840x2160 film at 30 frames a second, 5 s:"
        return tables
    }
}

/// All players play the same files once, to their end, in a window of 1280x720.
struct WallContest {
    let table: Table
    private static let floor = "decoded to nothing, one thread each"
    private static let paced = "the same, at the films' pace (-re)"
    private static let exact = "quadrille --quality exact"
    private static let auto = "quadrille --quality auto"
    private static let gpu = "the same, --canvas gpu"
    private static let peers = ["mpv, xstack", "mpv, xstack, fastest", "GStreamer, compositor"]

    enum Canvases { case usual, both }

    init(_ hall: Hall, _ grid: Grid, seconds: Double, canvases: Canvases = .usual) throws {
        var contest = Contest<Cost>()
        func enter(_ name: String, _ commands: [[String]], on display: Display? = hall.display) {
            contest.enter(name) { try Cost.of(commands, on: display) }
        }
        let playing = ["--no-loop", "--for", (seconds + 0.7).text(1)]
        enter(Self.floor, grid.floor, on: nil)
        enter(Self.paced, grid.pacedFloor, on: nil)
        var ours = [(Self.exact, ["--quality", "exact"]), (Self.auto, ["--quality", "auto"])]
        if canvases == .both { ours.append((Self.gpu, ["--quality", "auto", "--canvas", "gpu"])) }
        for (name, manner) in ours {
            contest.enter(name) {
                let trace = Scratch.path("wall.jsonl")
                defer { unlink(trace) }
                let options = manner + ["--trace", trace, "--trace-events", "end"]
                var cost = try Cost.of([grid.quadrille(playing + options)], on: hall.display)
                let end = Trace(text: try String(contentsOfFile: trace, encoding: .utf8)).events("end").first
                cost.dropped = end?.number("missed")
                return cost
            }
        }
        if hall.peers.mpv {
            enter(Self.peers[0], [grid.mpv()])
            enter(Self.peers[1], [grid.mpv(.fastest)])
        }
        if hall.peers.gstreamer { enter(Self.peers[2], [grid.gstreamer]) }
        try contest.hold(rounds: hall.rounds) { "\($0.cpu.text(2)) s CPU, \(($0.peak >> 20)) MiB" }

        let floor = contest.sample(Self.floor, \.cpu).median
        let best = Self.peers.map { contest.sample($0, \.cpu).median }.filter(\.isFinite).min() ?? .nan
        var table = Table([
            "\(seconds.text(0)) s", "CPU s", "of decoding", "of the best peer", "peak memory MiB", "seconds taken",
            "missed",
        ])
        for entrant in contest.entrants {
            let cpu = contest.sample(entrant.name, \.cpu)
            let dropped = contest.sample(entrant.name) { $0.dropped ?? .nan }
            table.rows.append([
                entrant.name, cpu.text(2), (cpu.median / floor).ratio, (cpu.median / best).ratio,
                contest.sample(entrant.name) { Double($0.peak) / 1_048_576 }.median.text(0),
                contest.sample(entrant.name, \.elapsed).median.text(1), dropped.median.isFinite ? dropped.text(0) : "",
            ])
        }
        table.notes = [
            "Missed: frames that were due and never shown, by quadrille's own count; a peer that cannot keep up takes "
                + "longer, or drops frames of its whole wall. Where frames are missed, CPU is no measure."
        ]
        if canvases == .both {
            table.notes.append(
                "--canvas gpu on this X server means OpenGL in software (SDL_RENDER_DRIVER unset); with no GPU, "
                    + "--canvas auto takes the CPU's.")
        }
        self.table = table
    }
}
