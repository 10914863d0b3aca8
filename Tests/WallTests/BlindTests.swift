import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// `quadrille blind`, as the user sees it.
    @Suite struct Blind {
        /// Output of `--json`.
        private struct Written: Decodable {
            struct Trial: Decodable, Equatable {
                let x: String
                let answer: String
                let right: Bool
                let seconds: Double
            }
            let a: String
            let b: String
            let trials: [Trial]
            let right: Int
            let probability: Double
        }

        /// Area of the frame. Above and below it is background.
        private let stage: Stage
        private let frame = Area(0, 120, 640, 360)
        private let keys: Keys
        private let fingers: Fingers

        init() throws {
            stage = try Stage(640, 600)
            (keys, fingers) = (Keys(stage.display), try Fingers(stage.display))
        }

        private func start(_ arguments: [String]) throws -> Child {
            let path = try #require(Program.path)
            let window = ["--size", "640x600", "--position", "0,0", "--borderless"]
            return try Child([path, "blind"] + window + arguments, environment: stage.display.environment)
        }

        /// Returns two clips that look different.
        private func clips() throws -> [String] { try [1, 2].map { try clip($0, frames: 300).file() } }

        private func written(_ file: String) throws -> Written {
            try JSONDecoder().decode(Written.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
        }

        /// Returns the clip and the number of the frame on screen.
        private func mark() -> Mark? {
            if case .frame(let mark)? = (try? Photo(stage.display))?.read(Tile(frame)) { mark } else { nil }
        }

        private func waitForFrames() { expect(RealTime.wait(atMost: 20) { mark() != nil }) }

        /// Presses a key and waits until the clip is seen. Until then the screen shows whole frames.
        private func see(_ clip: Int, _ key: String) {
            fingers.press(key)
            var gaps = 0
            let isSeen = RealTime.wait(atMost: 5) {
                let mark = mark()
                if mark == nil { gaps += 1 }
                return mark?.clip == clip
            }
            expect(isSeen && gaps == 0, "\(key): \(gaps) gaps")
        }

        /// Returns photos of the areas above and below the frame. The upper one has the notes. At the lower right, the
        /// trial and what is seen are stated.
        private func surroundings() throws -> [Photo] {
            try [Area(0, 0, 640, 120), Area(0, 480, 480, 120)].map { try Photo(stage.display, $0) }
        }

        private var hasNote: Bool {
            guard let upper = try? surroundings().first else { return false }
            return (upper.area.x..<upper.area.x + upper.area.width).contains { x in
                (upper.area.y..<upper.area.y + upper.area.height).contains { upper.colour(x, $0) != Colour(0, 0, 0) }
            }
        }

        @Test func whatXShowsIsWhatItWasAndNothingElseOnTheScreenChanges() throws {
            let (films, file) = (try clips(), Scratch.path("trials.json"))
            let program = try start(["--trials", "6", "--json", file] + films)
            waitForFrames()
            // The first key removes the note of the first trial.
            see(1, "a")
            expect(RealTime.wait(atMost: 5) { !hasNote })
            let around = try surroundings()
            var hidden: [Int] = []
            for trial in 0..<6 {
                // A note about the trial or about an invalid answer, which the next key removes.
                if trial == 0 { try keys.press("x") }
                try keys.press("Return")
                expect(RealTime.wait(atMost: 5) { hasNote })
                try keys.press("x")
                expect(RealTime.wait(atMost: 5) { !hasNote && mark() != nil })
                let x = try #require(mark()).clip
                for (key, clip) in [("b", 2), ("a", 1), ("x", x), ("a", 1), ("b", 2)] {
                    see(clip, key)
                    let isSame = try surroundings() == around
                    expect(isSame, "\(key)")
                    let named = try keys.windows("^A/B/X$")
                    expect(named.count, equals: 1)
                }
                hidden.append(x)
                // The answer is B, except in the last trial.
                if trial == 5 { see(1, "a") }
                try keys.press("Return")
                if trial < 5 { expect(RealTime.wait(atMost: 5) { hasNote }) }
            }
            expect(program.wait(atMost: 5), equals: 0, "\(program.errors)")
            let written = try written(file)
            expect([written.a, written.b] == films && written.trials.count == 6)
            expect(written.trials.map(\.x), equals: hidden.map { $0 == 1 ? "a" : "b" })
            expect(written.trials.map(\.answer), equals: ["b", "b", "b", "b", "b", "a"])
            expect(written.trials.allSatisfy { $0.right == ($0.x == $0.answer) && $0.seconds > 0 })
            let right = written.trials.count(where: \.right)
            // 64, 63, 57, 42, 22, 7 and 1 of 64 outcomes.
            let chances = [1, 0.984375, 0.890625, 0.65625, 0.34375, 0.109375, 0.015625]
            expect(written.right == right && written.probability == chances[right])
            let lines = program.output.split(separator: "\n").map(String.init)
            expect(lines.count == 9 && Array(lines.prefix(2)) == ["A: \(films[0])", "B: \(films[1])"])
            let score = "\(right) of 6 right; probability of at least as many by chance: "
            expect(lines.last?.hasPrefix(score), equals: true, "\(lines)")
        }

        @Test func theExchangeIsAtTheSameInstantAndKeysThatWouldTellDoNothing() throws {
            let program = try start(try clips())
            waitForFrames()
            see(1, "a")
            try keys.press("space")
            var last: Mark?
            expect(
                RealTime.watch(atMost: 10, every: 0.3) {
                    defer { last = mark() }
                    return last != nil && last == mark()
                })
            var standing = try #require(mark()).number
            for _ in 0..<3 {
                for (key, clip) in [("b", 2), ("a", 1)] {
                    see(clip, key)
                    expect(mark()?.number, equals: standing)
                }
                try keys.press("period")
                expect(RealTime.wait(atMost: 5) { mark()?.number == standing + 1 })
                standing += 1
            }
            let photo = try Photo(stage.display)
            for key in ["i", "m", "s", "c", "v", "w", "z", "Tab", "1", "shift+s", "ctrl+t", "t", "n", "y"] {
                try keys.press(key)
                RealTime.pass(0.1)
                let isSame = try Photo(stage.display) == photo
                expect(isSame, "\(key)")
            }
            try keys.press("Escape")
            expect(program.wait(atMost: 5) == 0 && program.errors.isEmpty, "\(program.errors)")
            let reported = "\nended before all of the 16 trials were answered\nno trial was answered\n"
            expect(program.output.hasSuffix(reported), "\(program.output)")
        }

        @Test(arguments: ["Escape", "q", "SIGTERM"]) func endedEarlyItTellsWhatWasAnswered(_ by: String) throws {
            let (films, file) = (try clips(), Scratch.path("early.json"))
            let program = try start(["--json", file] + films)
            waitForFrames()
            // X itself is not accepted as an answer.
            try keys.press("Return")
            see(2, "b")
            expect(RealTime.wait(atMost: 5) { !hasNote })
            try keys.press("KP_Enter")
            expect(RealTime.wait(atMost: 5) { hasNote })
            if by == "SIGTERM" { program.signal(SIGTERM) } else { try keys.press(by) }
            expect(program.wait(atMost: 5), equals: 0, "\(program.errors)")
            let written = try written(file)
            expect(written.trials.count == 1 && written.trials[0].answer == "b")
            expect(written.probability, equals: (written.right == 1 ? 0.5 : 1))
            expect(program.output.contains("\nended before all of the 16 trials were answered\n\(written.right) of 1"))
        }

        @Test func aScoreThatCannotBeWrittenIsStatusFive() throws {
            let folder = try Scratch.newFolder("written")
            let program = try start(["--json", folder] + (try clips()))
            waitForFrames()
            try keys.press("q")
            expect(program.wait(atMost: 5) == 5 && program.errors.contains("quadrille: --json \(folder)"))
            expect(program.output.hasSuffix("no trial was answered\n"))
        }
    }

    /// `quadrille blind` with wrong arguments, or without films or a display.
    @Suite struct BlindRefusals {
        @Test func whatCannotBeSeenIsStatusOneAndNamesTheFile() throws {
            let (film, tone) = (try clip(1).file(), Scratch.path("tone.wav"))
            try run(["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine", "-t", "1", tone])
            let cases = [
                ([film, "/nowhere/b.mp4"], "quadrille: /nowhere/b.mp4: "),
                ([tone, film], "quadrille: \(tone): there is no video in it (unsupported)\n"),
                (["--json", "/nowhere/t.json", film, film], "quadrille: --json /nowhere/t.json: there is no folder"),
                ([film, film], "quadrille: no display"),
            ]
            for (arguments, reported) in cases {
                let result = try Program.run(["blind"] + arguments)
                expect(result.status == 1 && result.errors.hasPrefix(reported), "\(result.errors)")
                expect(result.output.isEmpty)
            }
        }

        @Test func wrongUsageIsStatusTwo() throws {
            let film = try clip(1).file()
            let cases: [[String]] = [
                [], [film], [film, film, film], ["wall.json", film], ["--trials", "0", film, film],
                ["--trials", "1001", film, film], ["--offset", "soon", film, film], ["--trace", "t", film, film],
                ["--json", film, film, film],
            ]
            for arguments in cases {
                let result = try Program.run(["blind"] + arguments)
                expect(result.status == 2 && result.output.isEmpty && !result.errors.isEmpty, "\(arguments)")
            }
            let help = try Program.run(["blind", "--help"])
            expect(help.status == 0 && help.output.contains("--trials N") && help.output.contains("Enter"))
        }
    }
}
