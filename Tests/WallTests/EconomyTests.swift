import TestKit
import Testing

extension WallTests {
    /// What a wall asks of the machine while nothing changes, counted from outside.
    @Suite struct Economy {
        @Test(.tags(.alone)) func aPlayingWallAsksForNoLargeMemory() throws {
            let stage = try Stage()
            let program = try stage.play(
                try (1...4).map { try clip($0).file() } + ["--for", "10"], counting: .allocations)
            let allocations = try #require(program.allocations)
            Clock.pass(5)
            let before = allocations.count
            // The pictures on their shelves were asked for at the start.
            #expect(before >= 4)
            Clock.pass(4)
            let asked = allocations.count - before
            #expect(program.child.wait(atMost: 10) == 0)
            let end = try #require(program.trace.events("end").first)
            let pictures = end.number("presented") ?? 0
            print(
                "allocations of more than a page: \(before) in the first 5 s, \(asked) in the next 4, \(pictures) pictures"
            )
            #expect(pictures > 1000)
            // Of some 480 pictures.
            #expect(asked <= 6)
        }
    }
}
