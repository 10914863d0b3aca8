import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Opened
@testable import Player
@testable import SimulatedWall

@Suite struct FeedSourcesTests {
    private func closed(_ outbox: Outbox) -> [Int] { outbox.effects.close.map(\.number) }

    /// Parks sources in this order. Their identities count from 0.
    private func park(_ locations: [String], _ outbox: Outbox) -> FeedSources {
        var sources = FeedSources(outbox)
        for location in locations + ["n"] { sources.learn(FakeClip(frames: 1).facts, of: location) }
        for (number, location) in locations.enumerated() {
            sources.park(OpenSourceID(number: number), of: number, at: location)
        }
        return sources
    }

    @Test func fourStayOpenTheNewestOnes() {
        let cases: [(parked: [String], closed: [Int])] = [
            ([], []), (["a", "b", "c", "d"], []), (["a", "b", "c", "d", "e", "f"], [0, 1]),
            (["a", "a", "a", "a", "a"], [0]),
        ]
        for (locations, expected) in cases {
            let outbox = Outbox()
            _ = park(locations, outbox)
            expect(closed(outbox), equals: expected)
        }
    }

    @Test func theNewestIsTakenFirstAndOnce() {
        let outbox = Outbox()
        var sources = park(["a", "b", "a"], outbox)
        let taken = (0..<3).map { _ in sources.unpark("a")?.number }
        expect(taken, equals: [2, 0, nil])
        expect(sources.unpark("b")?.number, equals: 1)
        // A source that was taken frees its place.
        for number in 3..<7 { sources.park(OpenSourceID(number: number), of: nil, at: "n") }
        expect(closed(outbox).isEmpty)
    }

    /// The location left the sequence, and its facts went with it.
    @Test func whatNothingIsKnownOfIsClosed() {
        let outbox = Outbox()
        var sources = park(["a"], outbox)
        sources.keepFacts { _ in false }
        sources.park(OpenSourceID(number: 9), of: nil, at: "a")
        expect(closed(outbox), equals: [9])
    }

    @Test func whatIsOutOfDateIsClosedWhenItComesBack() {
        let outbox = Outbox()
        var sources = park([], outbox)
        sources.learn(FakeClip(frames: 1).facts, of: "film")
        sources.outdate(7)
        expect(sources.isOutdated(7) && !sources.isOutdated(8))
        for slot in [7, 8, nil] {
            sources.park(OpenSourceID(number: slot ?? 0), of: slot, at: "film")
        }
        expect(closed(outbox), equals: [7])
        expect([sources.unpark("film"), sources.unpark("film")].map { $0?.number }, equals: [0, 8])
    }

    @Test func unwantedParkedSourcesAreClosed() {
        let outbox = Outbox()
        var sources = park(["a", "b", "a", "c"], outbox)
        sources.keep(where: { $0 == "b" })
        expect(closed(outbox), equals: [0, 2, 3])
        expect(sources.unpark("a") == nil && sources.unpark("b") != nil)
    }

    @Test func whatIsKnownIsKnownOfADividedFeedsToo() {
        var sources = FeedSources(Outbox())
        sources.learn(OpenedFacts(kind: .video, length: .seconds(3)), of: "a")
        sources.probed.insert(RunID(iteration: 0, item: 1))
        sources.park(OpenSourceID(number: 0), of: 1, at: "a")
        var own = FeedSources(known: sources)
        // Sources are not copied with the facts: each has one reader.
        expect(own.facts(of: "a")?.length == .seconds(3) && own.unpark("a") == nil)
        expect(
            !own.probed.contains(RunID(iteration: 0, item: 1)) && sources.probed.contains(RunID(iteration: 0, item: 1)))
        sources.probed = []
        expect(!sources.probed.contains(RunID(iteration: 0, item: 1)) && sources.facts(of: "b") == nil)
    }

    @Test func ofWhatIsPlayedNoMoreNothingIsKnown() {
        let clip = FakeClip(frames: 60)
        var world = Simulation(.of([["a", "b"]]), clips: ["a": clip, "b": clip, "c": clip])
        world.run(for: .seconds(3))
        let items = ["b", "c"].map { Item(source: $0) }
        world.act { wall, now in wall.carryOut(.sequence(.replace(items)), at: now) }
        world.run(for: .seconds(3))
        let sources = world.wall.feeds[0].sources
        expect(sources.facts(of: "a") == nil && sources.facts(of: "b") != nil && sources.facts(of: "c") != nil)
    }
}
