import TestKit
import Testing

/// After a command, tiles say what they are doing for a while; that lies over the witnesses' strips.
let marksGone = 2.5

extension Camera {
    /// The frame that each of the first tiles shows, once they stand still and say nothing more.
    func standing(_ tiles: Int = 2) -> [Int?] {
        Clock.pass(marksGone + 0.5)
        let film = film.between(Clock.now - 0.4, Clock.now)
        return (0..<tiles).map { tile in
            let runs = film.runs(of: tile)
            #expect(runs.count == 1, "tile \(tile + 1) does not stand still")
            return runs.last { $0.mark != nil }?.mark?.number
        }
    }
}
