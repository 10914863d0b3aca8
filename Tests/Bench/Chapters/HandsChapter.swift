import TestKit

extension Chapter {
    static let hands = Chapter(name: "hands", title: "Hands on the wall") { hall in
        let files = try hall.library.files(4) { ($0.pictures, $0.look) = (Hands.pictures, .marked) }
        let grid = Grid(files)
        var contest = Contest<Hands>()
        contest.enter("quadrille") { try Hands.of(hall, grid) }
        try contest.hold(rounds: hall.rounds) { hands in
            hands.times.map { "\($0.key.rawValue) \((Sample($0.value).median * 1000).text(0)) ms" }.joined(
                separator: ", ")
        }
        var table = Table([
            "from the key, or the move, to the picture on the screen", "median, ms", "95th percentile, ms",
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
        let perPicture = try Hands.decodingTime(of: grid)
        let decoded = Sample(rounds.flatMap(\.scrubbed).map { Double($0) * perPicture * 1000 })
        let scrubbed = Sample(rounds.flatMap { $0.times[.scrub] ?? [] }.map { $0 * 1000 })
        table.rows.append([
            "ffmpeg, decoding the pictures that those moves need", decoded.median.text(0), decoded.at(0.95).text(0),
        ])
        let lost = rounds.reduce(0) { $0 + $1.lost }
        table.notes = [
            "Four paused tiles of 1280x720 H.264, 60 pictures from key picture to key picture, all read by a camera each "
                + "2 ms. A move needs the pictures from the key picture before its goal, or from the one that is shown where "
                + "the goal is ahead in the same group; ffmpeg's \((perPicture * 1000).text(2)) ms a picture are those of all "
                + "four files at once, its start left out. Moves: \((scrubbed.median / decoded.median).ratio) of decoding"
                + (lost == 0 ? "." : "; after \(lost) of them the picture had not come within 3 s.")
        ]
        return [table]
    }
}

/// What one sitting at a paused wall of four took, in seconds.
struct Hands {
    enum Act: String, CaseIterable {
        case stepOn = "step on: ."
        case firstStepBack = "first step back: ,"
        case stepBack = "next steps back: ,"
        case seek = "5 s on or back: Right, Left"
        case home = "Home, after seeks"
        case scrub = "scrub, from a move to its exact picture"
    }
    var times: [Act: [Double]] = [:]
    /// How many pictures each move of the scrub needs at least.
    var scrubbed: [Int] = []
    /// Moves whose picture did not come at all.
    var lost = 0

    static let pictures = 600
    private static let group = 60
    private static let corners = [(0, 0), (640, 360)]

    static func of(_ hall: Hall, _ grid: Grid) throws -> Hands {
        let command = grid.quadrille(["--paused"])
        let fingers = try Fingers(hall.display)
        fingers.move(to: 320, 90)
        let program = try Child(command, environment: hall.display.environment)
        defer { program.end() }
        // Two corners of four: one present changes all.
        let cameras = try corners.map { try Camera(hall.display, [Seams.strip($0.0, $0.1, 640, 360)], rate: 500) }
        defer { cameras.forEach { $0.stop() } }
        var hands = Hands()
        var now = 0

        func wait(for number: Int, since: Double) -> Double? {
            defer { now = number }
            let isThere = Clock.watch(atMost: 3) {
                cameras.allSatisfy {
                    guard case .picture(let mark) = $0.latest() else { return false }
                    return mark.number == number
                }
            }
            return isThere ? Clock.now - since : nil
        }
        func press(_ key: String, _ act: Act, for number: Int) throws {
            guard let time = wait(for: number, since: fingers.press(key)) else {
                throw Skipped(description: "after \(key), picture \(number) did not come")
            }
            hands.times[act, default: []].append(time)
            Clock.pass(0.1 + Double(hands.times[act]!.count % 7) / 100)
        }

        _ = wait(for: 0, since: program.began)
        Clock.pass(1)
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
            let number = began + (x - from) * pictures / width
            let isAhead = number / group == now / group && number > now
            let needed = isAhead ? number - now : number % group + 1
            guard let time = wait(for: number, since: fingers.move(to: x, y)) else {
                hands.lost += 1
                continue
            }
            hands.times[.scrub, default: []].append(time)
            hands.scrubbed.append(needed)
            Clock.pass(0.05)
        }
        fingers.button(.up)
        return hands
    }

    /// Where the pointer goes: far, near, on and back, the same in each sitting.
    private static let goals: [Int] = {
        var seed: UInt32 = 7
        return (0..<40).map { _ in
            seed = seed &* 1_664_525 &+ 1_013_904_223
            return 30 + Int(seed >> 8) % 590
        }
    }()

    /// Seconds that a picture of each file takes while all are decoded at once.
    static func decodingTime(of grid: Grid) throws -> Double {
        func taken(_ more: [String]) throws -> Double {
            let commands = grid.floor.map { Array($0.dropLast(3)) + more + $0.suffix(3) }
            return Sample(try (0..<3).map { _ in try Cost.of(commands).elapsed }).median
        }
        return (try taken([]) - taken(["-frames:v", "1"])) / Double(pictures - 1)
    }
}
