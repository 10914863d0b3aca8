import Foundation
import TestKit

/// One round: a wall of one good tile and eight damaged films, while damaged requests come over the socket. Then
/// `check` reads the films and damaged layouts.
struct Round {
    private let specimens: [Specimen]
    private let display: Display
    private let good: String
    private let lines: CommandLines

    private static let seconds = 5.0
    private static let films = 8
    private static let layouts = 20
    private static let commandLines = 20
    /// In seconds. The wall ends by itself; later than this is a hang.
    private static let latestEnd = 15.0
    private static let mostMemory = 1200 << 20
    /// Number of frames of the good tile that may be dropped on a busy machine. A machine that was held up may drop any
    /// number.
    private static let mostDropped = 3.0

    init(_ specimens: [Specimen]) throws {
        self.specimens = specimens
        display = try Display(width: 480, height: 270)
        lines = try CommandLines()
        good = try Witness(1).with { $0.frames = 50 }.file()
    }

    func play(seed: UInt64) throws -> Fuzz.Totals {
        var numbers = SeededNumbers(seed)
        let folder = try Scratch.newFolder("round")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let films = try (0..<Round.films).map { index in
            let specimen = specimens.randomElement(using: &numbers)!
            let path = "\(folder)/\(index)-\(specimen.name)"
            try Data(Damage.damaged(specimen.bytes, &numbers)).write(to: URL(fileURLWithPath: path))
            return path
        }
        var totals = Fuzz.Totals(rounds: 1, films: films.count)
        do {
            try playWall(of: films, folder, &numbers, &totals)
            try check(films)
            try checkLayouts(folder, &numbers, &totals)
            try readCommandLines(folder, &numbers, &totals)
        } catch var failure as Fuzz.Failure {
            if failure.files.isEmpty { failure.files = films }
            throw failure
        }
        return totals
    }

    private func playWall(
        of films: [String], _ folder: String, _ numbers: inout SeededNumbers, _ totals: inout Fuzz.Totals
    ) throws {
        // The good tile has a group of its own: requests seek, pause and speed up the others.
        let tiles =
            films.enumerated().map { ["id": "bad\($0)", "play": $1] } + [["id": "good", "play": good, "group": "good"]]
        let layout: [String: Any] = ["tiles": tiles, "pipelines": 9, "audio": ["mode": "mix", "focus": "bad0"]]
        let path = "\(folder)/wall.json"
        try JSONSerialization.data(withJSONObject: layout).write(to: URL(fileURLWithPath: path))
        let socket = "\(folder)/socket"
        let mark = Metronome.shared.mark()
        let program = try Program(
            [
                "--size", "480x270", "--for", "\(Round.seconds)", "--quiet", "--wait", "--ipc", socket, path,
            ], on: display)
        let end = RealTime.now + Round.latestEnd
        while program.child.exitStatus == nil, RealTime.now < end {
            totals.mostMemory = max(totals.mostMemory, program.memory)
            totals.requests += Requests.send(10, to: socket, &numbers)
            RealTime.pass(0.1)
        }
        guard let status = program.child.exitStatus else { throw Fuzz.Failure(what: "the wall does not end") }
        guard status == 0 else { throw Fuzz.Failure(what: "the wall ended with \(status): \(program.child.errors)") }
        guard totals.mostMemory < Round.mostMemory else {
            throw Fuzz.Failure(what: "the wall took \(totals.mostMemory >> 20) MiB")
        }
        let trace = program.trace
        let own = (trace.events("end").first?.fields["tiles"] as? [String: [String: Any]])?["good"]
        let isHeldUp = Metronome.shared.stall(since: mark).isLong
        guard let dropped = (own?["missed"] as? NSNumber)?.doubleValue, dropped <= Round.mostDropped || isHeldUp,
            trace.events("trouble", tile: "good").isEmpty
        else { throw Fuzz.Failure(what: "the good tile: \(own.map { "\($0)" } ?? "no end line")") }
        totals.troubles += Set(trace.events("trouble").compactMap(\.tile)).count
    }

    /// Checks the films. Statuses 0, 1 and 3 are answers.
    private func check(_ films: [String]) throws {
        let (status, _, errors) = try Program.run(["check", "--json"] + films, atMost: 120)
        guard let status, [0, 1, 3].contains(status) else {
            throw Fuzz.Failure(what: "check: \(status.map { "status \($0)" } ?? "no end"), \(errors)")
        }
    }

    /// Runs command lines. Each prints help, reports a mistake, or fails without a display.
    private func readCommandLines(
        _ folder: String, _ numbers: inout SeededNumbers, _ totals: inout Fuzz.Totals
    ) throws {
        for _ in 0..<Round.commandLines {
            let line = lines.next(&numbers)
            let (status, _, errors) = try Program.run(line, folder: folder, atMost: 30)
            guard let status, [0, 1, 2].contains(status) else {
                throw Fuzz.Failure(what: "\(line): \(status.map { "status \($0)" } ?? "no end"), \(errors)")
            }
            totals.commandLines += 1
        }
    }

    private func checkLayouts(_ folder: String, _ numbers: inout SeededNumbers, _ totals: inout Fuzz.Totals) throws {
        for index in 0..<Round.layouts {
            let path = "\(folder)/\(index).json"
            let text = Damage.damaged(Array(Requests.layout.utf8), &numbers)
            try Data(text).write(to: URL(fileURLWithPath: path))
            let (status, _, errors) = try Program.run(["check", path], folder: folder, atMost: 30)
            guard let status, [0, 1, 2, 3].contains(status) else {
                throw Fuzz.Failure(
                    what: "check: \(status.map { "status \($0)" } ?? "no end"), \(errors)", files: [path])
            }
            totals.layouts += 1
        }
    }
}
