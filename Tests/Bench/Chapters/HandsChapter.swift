import TestKit

extension Chapter {
    static let hands = Chapter(name: "hands", title: "Hands on the wall") { hall in
        let files = try hall.library.files(4) { ($0.frames, $0.look) = (Hands.frames, .marked) }
        let grid = Grid(files)
        var contest = Contest<Hands>()
        contest.enter("quadrille") { try Hands.of(hall, grid) }
        try contest.hold(rounds: hall.rounds) { hands in
            hands.times.map { "\($0.key.rawValue) \((Sample($0.value).median * 1000).text(0)) ms" }.joined(
                separator: ", ")
        }
        var table = Table([
            "from the key, or the move, to the frame on the screen", "median, ms", "95th percentile, ms",
        ])
        let rounds = contest.outcomes[0]
        for act in Hands.Act.allCases {
            let sample = Sample(rounds.flatMap { $0.times[act] ?? [] }.map { $0 * 1000 })
            table.rows.append([act.rawValue, sample.median.text(0), sample.at(0.95).text(0)])
        }
        for (title, values) in [
            (
                "zoom of a paused tile, until it is sharp: z",
                try (0..<hall.rounds).flatMap { _ in
                    try Zooming.times(hall, grid)
                }
            ),
            ("another focus, until its tone is heard: 1 to 9", try Switching.times(hall)),
        ] {
            let sample = Sample(values.map { $0 * 1000 })
            table.rows.append([title, sample.median.text(0), sample.at(0.95).text(0)])
        }
        let decoded = Sample(rounds.flatMap(\.decoding).map { $0 * 1000 })
        let scrubbed = Sample(rounds.flatMap { $0.times[.scrub] ?? [] }.map { $0 * 1000 })
        table.rows.append([
            "ffmpeg, decoding the frames that those moves need", decoded.median.text(0), decoded.at(0.95).text(0),
        ])
        let lost = rounds.reduce(0) { $0 + $1.lost }
        table.notes = [
            "Four paused tiles of 1280x720 H.264, 60 frames from key frame to key frame, all read by a camera each "
                + "2 ms. A move needs the frames from the key frame before its goal, or from the one that is shown where "
                + "the goal is ahead in the same group; after each move "
                + "ffmpeg decodes just these, of all four files at once, one thread each; its start is left out. Moves: \((scrubbed.median / decoded.median).ratio) of decoding"
                + (lost == 0 ? "." : "; after \(lost) of them the frame had not come within 3 s.")
        ]
        return [table]
    }
}

/// Times of one run of key presses on a paused wall of four, in seconds.
struct Hands {
    enum Act: String, CaseIterable {
        case stepOn = "step on: ."
        case firstStepBack = "first step back: ,"
        case stepBack = "next steps back: ,"
        case seek = "5 s on or back: Right, Left"
        case home = "Home, after seeks"
        case scrub = "scrub, from a move to its exact frame"
    }
    var times: [Act: [Double]] = [:]
    /// Seconds that `ffmpeg` took for the frames of each move of the scrub, measured right after the move.
    var decoding: [Double] = []
    /// Number of moves without a frame.
    var lost = 0

    static let frames = 600
    private static let group = 60
    private static let corners = [(0, 0), (640, 360)]

    static func of(_ hall: Hall, _ grid: Grid) throws -> Hands {
        let command = grid.quadrille(["--paused"])
        let fingers = try Fingers(hall.display)
        fingers.move(to: 320, 90)
        let program = try Child(command, environment: hall.display.environment)
        defer { program.end() }
        // Two corners of four suffice: one present changes all tiles.
        let cameras = try corners.map { try Camera(hall.display, [Seams.strip($0.0, $0.1, 640, 360)], rate: 500) }
        defer { cameras.forEach { $0.stop() } }
        var hands = Hands()
        var now = 0

        func wait(for number: Int, since: Double) -> Double? {
            defer { now = number }
            let isThere = RealTime.watch(atMost: 3) {
                cameras.allSatisfy {
                    guard case .frame(let mark) = $0.latest() else { return false }
                    return mark.number == number
                }
            }
            return isThere ? RealTime.now - since : nil
        }
        func press(_ key: String, _ act: Act, for number: Int) throws {
            guard let time = wait(for: number, since: fingers.press(key)) else {
                throw Skipped(description: "after \(key), frame \(number) did not come")
            }
            hands.times[act, default: []].append(time)
            RealTime.pass(0.1 + Double(hands.times[act]!.count % 7) / 100)
        }

        _ = wait(for: 0, since: program.began)
        RealTime.pass(1)
        for _ in 0..<2 {
            for _ in 0..<8 { try press("period", .stepOn, for: now + 1) }
            try press("comma", .firstStepBack, for: now - 1)
            for _ in 0..<6 { try press("comma", .stepBack, for: now - 1) }
            for _ in 0..<3 { try press("Right", .seek, for: now + 150) }
            for _ in 0..<2 { try press("Left", .seek, for: now - 150) }
            try press("Home", .home, for: 0)
        }
        let (from, y, width) = (20, 90, 640)
        let began = now
        fingers.move(to: from, y)
        fingers.button(.down)
        for x in Hands.goals {
            let number = began + (x - from) * frames / width
            let before = now
            guard let time = wait(for: number, since: fingers.move(to: x, y)) else {
                hands.lost += 1
                continue
            }
            hands.times[.scrub, default: []].append(time)
            RealTime.pass(0.3)
            hands.decoding.append(try decodingTime(of: grid, from: before, to: number))
        }
        fingers.button(.up)
        return hands
    }

    /// Frame numbers that the pointer moves to: far and near, on and back, the same in each run.
    private static let goals: [Int] = {
        var seed: UInt32 = 7
        return (0..<40).map { _ in
            seed = seed &* 1_664_525 &+ 1_013_904_223
            return 30 + Int(seed >> 8) % 590
        }
    }()

    /// Seconds that `ffmpeg` takes for the frames of a move, all files at once.
    private static func decodingTime(of grid: Grid, from before: Int, to number: Int) throws -> Double {
        func taken(_ count: Int) throws -> Double {
            let place = ["-ss", "\(Double(number / group * group) / Double(grid.rate))"]
            let commands = grid.floor.map { command in
                command.prefix(6) + place + command[6...].dropLast(3) + ["-frames:v", "\(count)"] + command.suffix(3)
            }
            return try Cost.of(commands.map(Array.init)).elapsed
        }
        let isAhead = number / group == before / group && number > before
        let known = try taken(isAhead ? before % group + 1 : 0)
        return try taken(number % group + 1) - known
    }
}
