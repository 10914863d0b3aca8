import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Groups that loop together, with tiles that get no turn on a pipeline.
@Suite struct SeatlessIterationTests {
    private let clips = [
        "a": FakeClip(frames: 30), "b": FakeClip(frames: 45), "c": FakeClip(frames: 75),
        "still": FakeClip(frames: 1, isStill: true),
    ]

    /// The focused tile keeps the only pipeline. The lengths of all items of the other tiles are read all the same.
    @Test(arguments: [["b", "a"], ["still", "b"], ["b", "still", "c", "a"]])
    func aTileWithATurnDoesNotWaitForEver(_ others: [String]) {
        for overflow in [Overflow.rotate(every: .seconds(10)), .first, .largest] {
            var layout = Layout.of([["a"], others])
            (layout.groups[0].loop, layout.overflow) = (.together, overflow)
            var world = Simulation(layout, clips: clips, pipelines: 1)
            world.run(for: .seconds(60))
            let iterations = world.numbers(0).count { $0 == 0 }
            let length = others.reduce(Time.zero) { $0 + (clips[$1]!.isStill ? .seconds(5) : clips[$1]!.length) }
            let expected = Int(Time.seconds(60).ticks / length.ticks)
            expect((expected - 1...expected + 1).contains(iterations), "\(overflow), \(others): \(iterations)")
        }
    }
}
