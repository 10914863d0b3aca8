import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import SimulatedWall

/// A-B loops that span seams that fade.
@Suite struct ABLoopFadeTests {
    private let clips = ["a": FakeClip(frames: 60), "b": FakeClip(frames: 90)]

    /// Runs the wall for `length` and returns the pairs of frames that were blended: the outgoing and the incoming
    /// frame.
    private func abIteration(_ world: inout Simulation, for length: Time) -> [String] {
        let (from, before) = (world.now, world.fades[0]?.count ?? 0)
        world.run(for: length)
        let fades = (world.fades[0] ?? []).dropFirst(before)
        var seen: [String] = []
        for fade in fades where fade.at > from {
            let pair = "\(fade.from.clip) \(fade.from.number) \(fade.to.clip) \(fade.to.number)"
            if seen.last != pair { seen.append(pair) }
        }
        return seen
    }

    @Test func eachIterationShowsTheSame() {
        // "a" fades to "b" from 1 s to 2 s, and "b" to "a" from 3 s to 4 s.
        for loop in [GroupLoop.each, .together] {
            let overIterations = loop == .each ? [(1500, 3500), (2200, 3700)] : []
            for (begin, end) in [(1500, 2800), (500, 2500), (1200, 1800)] + overIterations {
                var layout = Layout.of([["a", "b"]]) { $0.transition = .fade(.seconds(1)) }
                layout.groups[0].loop = loop
                var world = Simulation(layout, clips: clips)
                world.run(for: .milliseconds(200))
                world.command(.abLoop(.a(.milliseconds(Int64(begin))), .group))
                world.command(.abLoop(.b(.milliseconds(Int64(end))), .group))
                let length = Time.milliseconds(Int64(end - begin))
                // Starts to watch at a moment within the loop's first iteration.
                world.run(for: .milliseconds(20))
                let dropped = world.dropped
                let abIterations = (0..<5).map { _ in Set(abIteration(&world, for: length)) }
                for (number, seen) in abIterations.enumerated() {
                    expect(
                        seen.symmetricDifference(abIterations[0]).count, atMost: 2,
                        "\(loop), \(begin) to \(end), lap \(number): \(seen.count) and \(abIterations[0].count)")
                }
                expect(world.dropped - dropped, atMost: 1, "\(loop), \(begin) to \(end): \(world.dropped - dropped)")
            }
        }
    }
}
