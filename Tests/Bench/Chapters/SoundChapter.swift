import TestKit

extension Chapter {
    static let sound = Chapter(name: "sound", title: "What sound costs") { hall in
        let grid = Grid(try hall.library.files(4) { ($0.frames, $0.sound) = (240, .film) })
        let server = try SoundServer()
        var contest = Contest<Cost>()
        let playing = ["--no-loop", "--for", "8.7"]
        contest.enter("without") { try Cost.of([grid.quadrille(playing)], on: hall.display) }
        contest.enter("with") {
            let command = grid.quadrille(playing).filter { $0 != "--no-audio" }
            return try Cost.of([command], on: hall.display, environment: server.environment)
        }
        try contest.hold(rounds: hall.rounds) { "\($0.cpu.text(2)) s CPU" }
        let without = contest.sample("without", \.cpu), with = contest.sample("with", \.cpu)
        var table = Table(["four 1280x720 films with AAC sound, 8 s", "CPU s", "of --no-audio"])
        table.rows = [
            ["quadrille --no-audio", without.text(2), "1.00 x"],
            ["quadrille, one focus heard", with.text(2), (with.median / without.median).ratio],
        ]
        return [table]
    }
}
