import Expectations
import TestKit
import Testing

import struct TestKit.Tile

/// Seams over which one item fades into the next.
@Suite struct Fades {
    private struct Seen {
        /// Each play of a clip, with the numbers of the frames seen, in order.
        var runs: [(clip: Int, numbers: [Int])] = []
        /// Readings in a fade: the number of the incoming clip's frame, and its share.
        var shares: [(number: Int, share: Double)] = []
        var wrong = 0

        init(_ runs: [Run]) {
            for run in runs {
                switch run.reading {
                case .frame(let mark): note(mark)
                case .fade(let over, let under, let share):
                    // The clip that appeared last is the incoming one.
                    let isComing = (self.runs.last?.clip ?? under.clip) == over.clip && over.number < 40
                    let (from, to) = isComing ? (under, over) : (over, under)
                    note(from)
                    note(to)
                    shares.append((to.number, Double(isComing ? 100 - share : share) / 100))
                case .black: wrong += 1
                // Marks can't be read where both clips are equally strong, and where one is very weak.
                case .unreadable: break
                }
            }
        }

        private mutating func note(_ mark: Mark) {
            for place in runs.indices.suffix(2) where runs[place].clip == mark.clip {
                guard let last = runs[place].numbers.last, mark.number >= last else { continue }
                if mark.number > last { runs[place].numbers.append(mark.number) }
                return
            }
            runs.append((mark.clip, [mark.number]))
        }
    }

    @Test func onFourTilesWithFourPipelinesAllOfBothIsSeen() throws {
        let tiles = try (0..<4).map { place -> [String: Any] in
            [
                "id": "t\(place)", "transition": ["fade": 1],
                "play": [
                    try clip(2 * place + 1, frames: 90).file(),
                    try clip(2 * place + 2, frames: 75) { $0.codec = .vp9 }.file(),
                ],
            ]
        }
        let wall = try HeadlessWall(640, 360, tiles)
        let film = try wall.play(
            14,
            watching: Tile.quadrants.map { tile in
                var tile = tile
                tile.readsFades = true
                return tile
            })
        wall.stop()
        for place in 0..<4 {
            let seen = Seen(film.runs(of: place))
            let order = seen.runs.map(\.clip)
            expect(order.count >= 7 && order.count <= 9, "\(order)")
            expect(!zip(order, order.dropFirst()).contains { $0 == $1 }, "\(order)")
            expect(seen.shares.count, above: 80)
            expectAllFrames(seen, of: [2 * place + 1: 90, 2 * place + 2: 75], "tile \(place)")
        }
        expect(wall.mostDecoders, atMost: 4)
    }

    /// Expects all frames but the unreadable ones: four where both clips are equally strong, and the four weakest.
    private func expectAllFrames(_ seen: Seen, of frames: [Int: Int], _ what: String) {
        for (clip, numbers) in seen.runs.dropFirst().dropLast(2) {
            let count = frames[clip]!
            let unread = Set(0..<4).union(13..<18).union(count - 4..<count).union(count - 18..<count - 12)
            let missing = Set(0..<count).subtracting(numbers).subtracting(unread)
            expect(missing.isEmpty, "\(what): of \(clip) \(missing.sorted())")
        }
        for (number, share) in seen.shares {
            expect(abs(share - (Double(number) + 0.5) / 30), atMost: 0.06, "\(what): \(share) at frame \(number)")
        }
        expect(seen.wrong, equals: 0, "\(what)")
    }
}
