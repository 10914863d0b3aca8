import Expectations
import TestKit
import Testing

/// Seconds until the marks after a command are gone. Marks cover the witnesses' strips.
let marksGone = 2.5

extension Camera {
    /// Returns the numbers of the frames in the first tiles, once these stand still without marks.
    func standing(_ tiles: Int = 2) -> [Int?] {
        RealTime.pass(marksGone + 0.5)
        let film = film.between(RealTime.now - 0.4, RealTime.now)
        return (0..<tiles).map { tile in
            let runs = film.runs(of: tile)
            expect(runs.count, equals: 1, "tile \(tile + 1) does not stand still")
            return runs.last { $0.mark != nil }?.mark?.number
        }
    }
}
