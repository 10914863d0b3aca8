import Foundation
import TestKit
import Testing

extension WallTests {
    /// Seams over which one item fades into the next, seen and heard from outside.
    @Suite(.tags(.timed)) struct Fades {
        private struct Seen {
            /// Each play of a clip, with the numbers of the frames seen, in order.
            var runs: [(clip: Int, numbers: [Int])] = []
            /// Readings in a fade: the number of the incoming clip's frame, and its share.
            var shares: [(number: Int, share: Double)] = []
            var wrong = 0
        }

        private func seen(_ film: Film, _ tile: Int) -> Seen {
            var seen = Seen()
            func note(_ mark: Mark) {
                for place in seen.runs.indices.suffix(2) where seen.runs[place].clip == mark.clip {
                    guard let last = seen.runs[place].numbers.last, mark.number >= last else { continue }
                    if mark.number > last { seen.runs[place].numbers.append(mark.number) }
                    return
                }
                seen.runs.append((mark.clip, [mark.number]))
            }
            for run in film.runs(of: tile) {
                switch run.reading {
                case .frame(let mark): note(mark)
                case .fade(let over, let under, let share):
                    // The clip that appeared last is the incoming one.
                    let isComing = (seen.runs.last?.clip ?? under.clip) == over.clip && over.number < 40
                    let (from, to) = isComing ? (under, over) : (over, under)
                    note(from)
                    note(to)
                    seen.shares.append((to.number, Double(isComing ? 100 - share : share) / 100))
                case .black: seen.wrong += 1
                // Marks can't be read where both clips are equally strong, and where one is very weak.
                case .unreadable: break
                }
            }
            return seen
        }

        /// Expects all frames but the unreadable ones: four where both clips are equally strong, and the four weakest.
        private func expectWhole(_ seen: Seen, frames: [Int: Int], _ what: String) {
            for (clip, numbers) in seen.runs.dropFirst().dropLast(2) {
                let count = frames[clip]!
                let missing = Set(0..<count).subtracting(numbers)
                let unread = Set(0..<4).union(13..<18).union(count - 4..<count).union(count - 18..<count - 12)
                expectInTime(
                    Double(missing.subtracting(unread).count), atMost: 0, "\(what): of \(clip) \(missing.sorted())")
            }
            for (number, share) in seen.shares {
                #expect(abs(share - (Double(number) + 0.5) / 30) <= 0.06, "\(what): \(share) at frame \(number)")
            }
            #expect(seen.wrong == 0, "\(what)")
        }

        @Test(.tags(.alone)) func onFourTilesWithFourPipelinesAllOfBothIsSeen() throws {
            let stage = try Stage(640, 360)
            let tiles = try (0..<4).map { place -> [String: Any] in
                [
                    "id": "t\(place)", "cell": [place % 2, place / 2], "transition": ["fade": 1],
                    "play": [
                        try clip(2 * place + 1, frames: 90).file(),
                        try clip(2 * place + 2, frames: 75) { $0.codec = .vp9 }.file(),
                    ],
                ]
            }
            let program = try stage.play(
                tiles: tiles, options: ["--for", "15", "--pipelines", "4"], counting: .decoders)
            let areas = stage.quadrants.map { tile in
                var tile = tile
                tile.readsFades = true
                return tile
            }
            let camera = try stage.camera(areas[0], areas[1], areas[2], areas[3])
            #expect(program.child.wait(atMost: 25) == 0)
            let film = camera.stop().show
            for place in 0..<4 {
                let seen = seen(film, place)
                let order = seen.runs.map(\.clip)
                #expect(order.count >= 6 && order.count <= 9, "\(order)")
                #expect(!zip(order, order.dropFirst()).contains { $0 == $1 }, "\(order)")
                #expect(seen.shares.count > 80, "\(seen.shares.count)")
                expectWhole(seen, frames: [2 * place + 1: 90, 2 * place + 2: 75], "tile \(place)")
            }
            #expect(try #require(program.decoders).most <= 4)
            let dropped = try #require(program.trace.events("end").first?.number("missed"))
            expectInTime(dropped, atMost: 0, "missed")
            #expect(program.trace.events("seam").count >= 20)
        }

        @Test(.tags(.alone)) func soundGoesOverWithTheFrame() throws {
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
            #expect(program.child.wait(atMost: 15) == 0)
            let heard = microphone.stop().trimmed()
            let film = camera.stop().show
            let window = 0.05
            let courses = [1, 6].map { heard.course(of: Witness.tone(of: $0), window: window) }
            let levels = zip(courses[0], courses[1]).map { ($0.time + window / 2, $0.amplitude, $1.amplitude) }
                .dropLast(6)
            let full = levels.map { max($1, $2) }.max() ?? 0
            #expect(full > 0.1)
            // Together the tones are always as loud as one. Long before the first fade, the stream is resampled to
            // follow its clock, which turns the phase of a tone. From there on, a lack of total power is a hole.
            var lacking = 0.0
            let powers = levels.map { heard.between($0.0 - window / 2, $0.0 + window / 2).power }
            let usual = powers.sorted()[powers.count / 2]
            for ((time, one, two), all) in zip(levels, powers).dropFirst(2) {
                let power = (one * one + two * two) / (full * full)
                #expect(power < 1.2, "\(power) after \(time - heard.began) s")
                if time < heard.began + 1 {
                    lacking = max(lacking, 1 - all / usual)
                } else {
                    #expect(power > 0.75, "\(power) after \(time - heard.began) s")
                }
            }
            expectInTime(lacking, atMost: 0.2, "of the sound lacking in the first second")
            expectInTime(heard.longestSilence(), atMost: Limit.loopHole, "a hole of sound")
            // The two tones are equally loud where the two frames are equally strong.
            let turns = zip(levels, levels.dropFirst()).filter { ($0.1 > $0.2) != ($1.1 > $1.2) }.map {
                ($0.0 + $1.0) / 2
            }
            #expect(turns.count >= 3)
            for (turn, next) in zip(turns, turns.dropFirst()) { #expect(abs(next - turn - 2) < 0.06, "\(turns)") }
            let shares = film.runs(of: 0).compactMap { run -> Double? in
                if case .fade(_, _, let share) = run.reading, share > 35 { run.first } else { nil }
            }
            for turn in turns.prefix(3) {
                let near = shares.filter { abs($0 - turn) < 0.3 }
                let middle = try (#require(near.min()) + #require(near.max())) / 2
                expectInTime(abs(middle - turn), atMost: 0.06, "sound and frame apart")
            }
        }

        @Test func aStillComesOutOfAnotherEvenly() throws {
            let stage = try Stage(320, 180)
            let stills = try [1, 2].map { ["src": try clip($0).still(), "duration": 2.0] }
            let program = try stage.play(
                tiles: [["id": "t", "play": stills, "transition": ["fade": 1]]], options: ["--for", "6"])
            var tile = Tile(stage.whole)
            tile.readsFades = true
            let camera = try stage.camera(tile)
            #expect(program.child.wait(atMost: 12) == 0)
            let runs = camera.stop().show.runs(of: 0)
            let shares = runs.compactMap { run -> Int? in
                if case .fade(_, _, let share) = run.reading { share } else { nil }
            }
            // The shares include each percent that can be read, up and down. The display has sixty frames a second.
            #expect(Set(shares).count > 30, "\(Set(shares).sorted())")
            #expect(shares.count > 150, "\(shares.count)")
        }
    }
}
