import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import Scene
@testable import SimulatedWall

@Suite struct FeedSourcesTests {
    private func closed(_ effects: Effects) -> [String] { effects.close.map { ($0 as! FakeSource).clip } }

    /// Parks sources in this order. Each is named by its location and number.
    private func park(_ locations: [String], _ effects: inout Effects) -> FeedSources {
        var sources = FeedSources()
        for location in locations + ["n"] { sources.learn(FakeClip(frames: 1).facts, of: location) }
        for (number, location) in locations.enumerated() {
            sources.park(FakeSource("\(location)\(number)"), of: number, at: location, &effects)
        }
        return sources
    }

    @Test func fourStayOpenTheNewestOnes() {
        let cases: [(parked: [String], closed: [String])] = [
            ([], []), (["a", "b", "c", "d"], []), (["a", "b", "c", "d", "e", "f"], ["a0", "b1"]),
            (["a", "a", "a", "a", "a"], ["a0"]),
        ]
        for (locations, expected) in cases {
            var effects = Effects()
            _ = park(locations, &effects)
            expect(closed(effects), equals: expected)
        }
    }

    @Test func theNewestIsTakenFirstAndOnce() {
        var effects = Effects()
        var sources = park(["a", "b", "a"], &effects)
        let taken = (0..<3).map { _ in (sources.unpark("a") as? FakeSource)?.clip }
        expect(taken, equals: ["a2", "a0", nil])
        expect((sources.unpark("b") as? FakeSource)?.clip, equals: "b1")
        // A source that was taken frees its place.
        for number in 0..<4 { sources.park(FakeSource("n\(number)"), of: nil, at: "n", &effects) }
        expect(closed(effects).isEmpty)
    }

    /// The location left the sequence, and its facts went with it.
    @Test func whatNothingIsKnownOfIsClosed() {
        var effects = Effects()
        var sources = park(["a"], &effects)
        sources.keepFacts { _ in false }
        sources.park(FakeSource("late"), of: nil, at: "a", &effects)
        expect(closed(effects), equals: ["late"])
    }

    @Test func whatIsOutOfDateIsClosedWhenItComesBack() {
        var effects = Effects()
        var sources = park([], &effects)
        sources.learn(FakeClip(frames: 1).facts, of: "film")
        sources.outdate(7)
        expect(sources.isOutdated(7) && !sources.isOutdated(8))
        for slot in [7, 8, nil] {
            sources.park(FakeSource("film\(slot ?? 0)"), of: slot, at: "film", &effects)
        }
        expect(closed(effects), equals: ["film7"])
        expect(
            [sources.unpark("film"), sources.unpark("film")].map { ($0 as? FakeSource)?.clip },
            equals: ["film0", "film8"])
    }

    @Test func othersThanThoseThatAreWantedAreClosed() {
        var effects = Effects()
        var sources = park(["a", "b", "a", "c"], &effects)
        sources.keep(where: { $0 == "b" }, &effects)
        expect(closed(effects), equals: ["a0", "a2", "c3"])
        expect(sources.unpark("a") == nil && sources.unpark("b") != nil)
    }

    @Test func whatIsKnownIsKnownOfADividedFeedsToo() {
        var (sources, effects) = (FeedSources(), Effects())
        sources.learn(OpenedFacts(kind: .video, length: .seconds(3)), of: "a")
        sources.noteProbe(RunID(iteration: 0, item: 1))
        sources.park(FakeSource("a"), of: 1, at: "a", &effects)
        var own = FeedSources(known: sources)
        // Sources are not copied with the facts: each has one reader.
        expect(own.facts(of: "a")?.length == .seconds(3) && own.unpark("a") == nil)
        expect(!own.wasProbed(RunID(iteration: 0, item: 1)) && sources.wasProbed(RunID(iteration: 0, item: 1)))
        sources.forgetProbes()
        expect(!sources.wasProbed(RunID(iteration: 0, item: 1)) && sources.facts(of: "b") == nil)
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
