import Foundation
import TestKit

extension Chapter {
    static let control = Chapter(name: "control", title: "Commands from outside") { hall in
        let files = try hall.library.files(1) { ($0.frames, $0.look) = (Commanding.frames, .marked) }
        let grid = Grid(files)
        var contest = Contest<Commanding>()
        contest.enter("quadrille") { try Commanding.of(hall) { grid.quadrille(["--paused", "--ipc", $0]) } }
        if hall.peers.mpv {
            contest.enter("mpv") {
                try Commanding.of(hall) {
                    grid.mpvAlone(["--pause", "--keep-open=yes", "--hr-seek=yes", "--input-ipc-server=\($0)"])
                }
            }
        }
        try contest.hold(rounds: hall.rounds) { commanding in
            commanding.times.map { "\($0.key.rawValue) \((Sample($0.value).median * 1000).text(0)) ms" }.joined(
                separator: ", ")
        }
        var table = Table(["from the socket's command", "", "median, ms", "95th percentile, ms"])
        for act in Commanding.Act.allCases {
            for (entrant, outcomes) in zip(contest.entrants, contest.outcomes) {
                let sample = Sample(outcomes.flatMap { $0.times[act] ?? [] }.map { $0 * 1000 })
                table.rows.append([act.rawValue, entrant.name, sample.median.text(2), sample.at(0.95).text(2)])
            }
        }
        table.notes = [
            "One paused tile of 1280x720 H.264, 60 frames from key frame to key frame, read by a camera each 2 ms; "
                + "the answer is that to get_property pause."
        ]
        return [table]
    }
}

/// Times of one run of commands on a paused player, in seconds.
private struct Commanding {
    enum Act: String, CaseIterable {
        case answer = "to its answer"
        case step = "frame-step, to the frame on the screen"
        case seek = "seek absolute, to the exact frame on the screen"
    }
    var times: [Act: [Double]] = [:]

    static let frames = 600

    static func of(_ hall: Hall, _ command: (String) -> [String]) throws -> Commanding {
        let path = "/tmp/quadrille-bench-\(getpid()).sock"
        let program = try Child(command(path), environment: hall.display.environment)
        defer { program.end() }
        guard let client = ControlClient(path) else { throw Skipped(description: "no control socket came") }
        let camera = try Camera(hall.display, [Seams.strip(0, 0, 1280, 720)], rate: 500)
        defer { camera.stop() }
        var commanding = Commanding()

        func wait(for number: Int, since: Double) throws -> Double {
            let isThere = RealTime.watch(atMost: 3) {
                if case .frame(let mark) = camera.latest() { mark.number == number } else { false }
            }
            guard isThere else { throw Skipped(description: "frame \(number) did not come") }
            return RealTime.now - since
        }
        func act(_ act: Act, for number: Int, _ ask: () -> Void) throws {
            let since = RealTime.now
            ask()
            commanding.times[act, default: []].append(try wait(for: number, since: since))
            RealTime.pass(0.1 + Double(commanding.times[act]!.count % 7) / 100)
        }

        _ = try wait(for: 0, since: program.began)
        RealTime.pass(1)
        for _ in 0..<100 {
            let since = RealTime.now
            client.ask("get_property", "pause")
            commanding.times[.answer, default: []].append(RealTime.now - since)
        }
        for step in 1...12 { try act(.step, for: step) { client.ask("frame-step") } }
        // The goal lies a little past a frame's start, so that rounding can't change the frame.
        for goal in [150, 40, 299, 310, 5, 420, 415, 90] {
            try act(.seek, for: goal) { client.ask("seek", Double(goal) / 30 + 0.001, "absolute+exact") }
        }
        return commanding
    }
}
