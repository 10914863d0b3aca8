import Testing

@testable import WallCore

/// A-B loops that are looped over seams that fade.
@Suite struct ABLoopFadeTests {
    private let clips = ["a": FakeClip(frames: 60), "b": FakeClip(frames: 90)]

    /// What is seen in a while: the weight, and the frames under and over it.
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
        // From one second to two a goes over to b, from three to four b to a.
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
                // Wherever it is in its first iteration.
                world.run(for: .milliseconds(20))
                let dropped = world.dropped
                let abIterations = (0..<5).map { _ in Set(abIteration(&world, for: length)) }
                for (number, seen) in abIterations.enumerated() {
                    #expect(
                        seen.symmetricDifference(abIterations[0]).count <= 2,
                        "\(loop), \(begin) to \(end), lap \(number): \(seen.count) and \(abIterations[0].count)")
                }
                #expect(world.dropped - dropped <= 1, "\(loop), \(begin) to \(end): \(world.dropped - dropped)")
            }
        }
    }
}
