import TestKit

extension Chapter {
    static let start = Chapter(name: "start", title: "From the command to four first frames") { hall in
        let grid = Grid(try hall.library.files(4))
        let lookout = try FirstFrames(hall, grid)
        var contest = Contest<Double>()
        contest.enter("quadrille") { try lookout.time(grid.quadrille([])) }
        if hall.peers.mpv {
            contest.enter("mpv, xstack") { try lookout.time(grid.mpv()) }
            contest.enter("mpv, xstack, fastest") { try lookout.time(grid.mpv(.fastest)) }
        }
        if hall.peers.gstreamer { contest.enter("GStreamer, compositor") { try lookout.time(grid.gstreamer) } }
        // The first round warms the machine's caches and is not counted.
        try contest.hold(rounds: 1)
        try contest.hold(rounds: max(9, hall.rounds)) { "\(($0 * 1000).text(0)) ms" }
        let base = contest.sample("quadrille", { $0 }).median
        var table = Table(["until the last of four shows its first frame", "ms", "quadrille's share of it"])
        for entrant in contest.entrants {
            let sample = contest.sample(entrant.name) { $0 * 1000 }
            table.rows.append([entrant.name, sample.text(0), (base * 1000 / sample.median).ratio])
        }
        table.notes = ["The same eye for all: it looks at the middles of the quadrants every two milliseconds."]
        return [table]
    }
}

/// Finds the time at which each of a grid's files shows its first frame.
struct FirstFrames {
    private let hall: Hall
    private let lookout: Lookout

    init(_ hall: Hall, _ grid: Grid) throws {
        self.hall = hall
        let (width, height) = grid.tile
        let spots = try grid.files.enumerated().map { index, file in
            let (x, y) = grid.place(index)
            let area = Area(x + width / 2 - 24, y + height / 2 - 14, 48, 28)
            let frame = try hall.library.firstFrame(of: file, width: width, height: height)
            return Lookout.Spot(area) { frame.colour($0 - x, $1 - y, 0) }
        }
        lookout = try Lookout(hall.display, spots)
    }

    /// Seconds from the start of a command until all first frames are there. Ends the program then.
    func time(_ command: [String]) throws -> Double {
        RealTime.wait(atMost: 5) { !lookout.look().contains(true) }
        let program = try Child(command, environment: hall.display.environment)
        defer { program.end() }
        guard let seen = lookout.wait(atMost: 10) else {
            throw CommandFailed(command: command, status: program.exitStatus, errors: program.errors)
        }
        return seen - program.began
    }
}
