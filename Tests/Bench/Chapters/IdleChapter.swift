import TestKit

extension Chapter {
    static let idle = Chapter(name: "idle", title: "A wall that is paused") { hall in
        let grid = Grid(try hall.library.files(4))
        let seconds = 5.0
        var contest = Contest<(cpu: Double, server: Double, switches: Double)>()
        func enter(_ name: String, _ command: [String]) {
            contest.enter(name) {
                let program = try Child(command, environment: hall.display.environment)
                defer { program.end() }
                // The startup is over by then, and the tiles' marks are gone.
                RealTime.pass(4)
                let before = (Ledger.running(program.pid), Ledger.cpu(hall.display.process) ?? 0)
                let switches = Ledger.switches(program.pid)
                RealTime.pass(seconds)
                guard program.exitStatus == nil else {
                    throw CommandFailed(command: command, status: program.exitStatus, errors: program.errors)
                }
                return (
                    (Ledger.running(program.pid) - before.0) / seconds,
                    ((Ledger.cpu(hall.display.process) ?? 0) - before.1) / seconds,
                    Double(Ledger.switches(program.pid) - switches) / seconds
                )
            }
        }
        enter("quadrille --paused", grid.quadrille(["--paused"]))
        if hall.peers.mpv { enter("mpv --pause", grid.mpv(.usual, ["--pause"])) }
        try contest.hold(rounds: hall.rounds) {
            "\(($0.cpu * 100).text(2)) %, \($0.switches.text(1)) switches a second"
        }
        var table = Table([
            "four 1280x720 films, \(seconds.text(0)) s", "% of a core", "X server %",
            "context switches a second, all threads",
        ])
        for entrant in contest.entrants {
            table.rows.append([
                entrant.name, contest.sample(entrant.name) { $0.cpu * 100 }.text(2),
                contest.sample(entrant.name) { $0.server * 100 }.median.text(2),
                contest.sample(entrant.name, \.switches).text(1),
            ])
        }
        table.notes = ["All threads together, by what the kernel counts; it begins four seconds after the start."]
        return [table]
    }
}
