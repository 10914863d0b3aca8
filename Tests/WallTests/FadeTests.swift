import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Seams over which one item fades into the next, seen and heard from outside.
    @Suite(.tags(.timed)) struct Fades {
        @Test(.tags(.large)) func soundGoesOverWithTheFrame() throws {
            let server = try SoundServer()
            let microphone = try Microphone(server)
            let stage = try Stage(320, 180)
            let films = try [1, 6].map {
                try clip($0, frames: 90) { ($0.sound, $0.container) = (.flac, .mkv) }.file()
            }
            let program = try stage.play(
                tiles: [["id": "t", "play": films, "transition": ["fade": 1]]], options: ["--for", "9"], sound: server)
            var tile = Tile(stage.whole)
            tile.readsFades = true
            let camera = try stage.camera(tile)
            expect(program.child.wait(atMost: 15), equals: 0)
            let heard = microphone.stop().trimmed()
            let film = camera.stop().show
            let window = 0.05
            let courses = [1, 6].map { heard.course(of: Witness.tone(of: $0), window: window) }
            let levels = zip(courses[0], courses[1]).map { ($0.time + window / 2, $0.amplitude, $1.amplitude) }
                .dropLast(6)
            let full = levels.map { max($1, $2) }.max() ?? 0
            expect(full, above: 0.1)
            // Together the tones are always as loud as one. Long before the first fade, the stream is resampled to
            // follow its clock, which turns the phase of a tone. From there on, a lack of total power is a hole.
            var lacking = 0.0
            let powers = levels.map { heard.between($0.0 - window / 2, $0.0 + window / 2).power }
            let usual = powers.sorted()[powers.count / 2]
            for ((time, one, two), all) in zip(levels, powers).dropFirst(2) {
                let power = (one * one + two * two) / (full * full)
                expect(power, below: 1.2, "\(power) after \(time - heard.began) s")
                if time < heard.began + 1 {
                    lacking = max(lacking, 1 - all / usual)
                } else {
                    expect(power, above: 0.75, "\(power) after \(time - heard.began) s")
                }
            }
            expectInTime(lacking, atMost: 0.2, "of the sound lacking in the first second")
            expectInTime(heard.longestSilence(), atMost: Limit.loopHole, "a hole of sound")
            // The two tones are equally loud where the two frames are equally strong.
            let turns = zip(levels, levels.dropFirst()).filter { ($0.1 > $0.2) != ($1.1 > $1.2) }.map {
                ($0.0 + $1.0) / 2
            }
            expect(turns.count, atLeast: 3)
            for (turn, next) in zip(turns, turns.dropFirst()) { expect(abs(next - turn - 2), below: 0.06, "\(turns)") }
            let shares = film.runs(of: 0).compactMap { run -> Double? in
                if case .fade(_, _, let share) = run.reading, share > 35 { run.first } else { nil }
            }
            for turn in turns.prefix(3) {
                let near = shares.filter { abs($0 - turn) < 0.3 }
                let middle = try (#require(near.min()) + #require(near.max())) / 2
                expectInTime(abs(middle - turn), atMost: 0.06, "sound and frame apart")
            }
        }

        @Test(.tags(.exact)) func aStillComesOutOfAnotherEvenly() throws {
            let stage = try Stage(320, 180)
            let stills = try [1, 2].map { ["src": try clip($0).still(), "duration": 2.0] }
            let program = try stage.play(
                tiles: [["id": "t", "play": stills, "transition": ["fade": 1]]], options: ["--for", "6"])
            var tile = Tile(stage.whole)
            tile.readsFades = true
            let camera = try stage.camera(tile)
            expect(program.child.wait(atMost: 12), equals: 0)
            let runs = camera.stop().show.runs(of: 0)
            let shares = runs.compactMap { run -> Int? in
                if case .fade(_, _, let share) = run.reading { share } else { nil }
            }
            // The display has sixty frames a second, so each is 1.7 percent of the fade. A frame that is late makes one
            // larger step.
            let steps = zip(shares, shares.dropFirst()).map { abs($0 - $1) }
            expect(steps.count { $0 > 2 }, atMost: 6, "\(shares)")
            expect(Set(shares).count, above: 20, "\(Set(shares).sorted())")
            expect(shares.count, above: 150)
        }
    }
}
