import Base
import Expectations
import Testing

@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Player
@testable import Scene
@testable import SimulatedWall

/// Content of a tile's view before its first frame, without frames, and after a failure.
@Suite struct CardTests {
    private func content(_ world: inout Simulation) -> View.Content? {
        world.wall.composeScene(at: world.now).scene.views.first?.content
    }

    private func card(_ world: inout Simulation) -> Card? {
        if case .card(let card)? = content(&world) { card } else { nil }
    }

    @Test func aPlaceholderStandsUntilTheFirstFrame() {
        var world = Simulation(.of([["a"]]), clips: ["a": FakeClip(frames: 60, opensIn: .seconds(2))])
        world.run(for: .seconds(1))
        expect(card(&world), equals: Card(.placeholder, "a", "opening"))
        world.run(for: .seconds(2))
        guard case .frame? = content(&world) else {
            Issue.record("no frame")
            return
        }
    }

    @Test func aSoundWithoutFramesHasACardOfItsOwn() {
        var world = Simulation(.of([["a"]]), clips: ["a": FakeClip(frames: 300, isSound: true)])
        world.run(for: .milliseconds(500))
        expect(card(&world), equals: Card(.sound, "a", "sound"))
    }

    @Test func aFailureIsNotAPlaceholder() {
        let trouble = SourceTrouble(.missing, "no such file")
        var world = Simulation(
            Layout.of([["a"]]) { $0.label = "Left" }, clips: ["a": FakeClip(frames: 60, trouble: trouble)])
        world.run(for: .milliseconds(500))
        expect(card(&world), equals: Card(.trouble, "Left", "a: no such file"))
    }

    @Test func troubleOfALaterItemIsNotOnTheCardOfTheItemThatPlays() {
        let missing = SourceTrouble(.missing, "no such file"), sound = FakeClip(frames: 300, isSound: true)
        var world = Simulation(
            .of([["a", "b", "gone"]]), clips: ["a": sound, "b": sound, "gone": FakeClip(frames: 60, trouble: missing)])
        var isKnown: [Bool] = []
        for name in ["a", "b", "a"] {
            world.run(for: .milliseconds(9500))
            expect(card(&world), equals: Card(.sound, name, "sound"))
            expect(world.wall.property("trouble", of: 0, at: world.now), equals: .success(.null))
            isKnown.append(world.wall.feeds[0].trouble.trouble(of: "gone") != nil)
            world.run(for: .milliseconds(500))
        }
        expect(isKnown[1], "\(isKnown)")
    }

    @Test func aPosterIsNoFrameOfTheTile() throws {
        let layout = Layout.of([["a"]]) { $0.poster = "p.png" }
        var world = Simulation(layout, clips: ["a": FakeClip(frames: 60, opensIn: .seconds(2))])
        world.run(for: .milliseconds(100))
        let order = try #require(world.takePosterOrders().first)
        let frame = FakeFrame(clip: "poster", number: 0).frame
        world.act { wall, now in wall.player.note(.poster(.success(frame), for: order), at: now) }
        world.run(for: .milliseconds(100))
        guard case .poster(let placed)? = content(&world) else {
            Issue.record("no poster")
            return
        }
        expect(placed.frame.fake.clip, equals: "poster")
        world.run(for: .seconds(3))
        guard case .frame? = content(&world) else {
            Issue.record("no frame")
            return
        }
    }

    /// A canvas draws anew only a frame with another stamp.
    @Test func anotherPosterOfTheSameSizeHasAnotherStamp() throws {
        let trouble = SourceTrouble(.missing, "no such file")
        var world = Simulation(
            Layout.of([["a"]]) { $0.poster = "p.png" }, clips: ["a": FakeClip(frames: 60, trouble: trouble)])
        var stamps: Set<Stamp> = []
        for name in ["p.png", "q.png"] {
            world.apply(Layout.of([["a"]]) { $0.poster = name })
            world.run(for: .milliseconds(100))
            let order = try #require(world.takePosterOrders().last)
            expect(order.location, equals: name)
            let frame = FakeFrame(clip: name, number: 0).frame
            world.act { wall, now in wall.player.note(.poster(.success(frame), for: order), at: now) }
            world.run(for: .milliseconds(100))
            guard case .poster(let placed)? = content(&world) else {
                Issue.record("no poster")
                return
            }
            expect(placed.frame.fake.clip, equals: name)
            stamps.insert(placed.stamp)
        }
        expect(stamps.count, equals: 2)
    }

    @Test func theLineBelowTheNameFollowsTheKindOfCard() {
        let cards = [
            Card(.placeholder, "a", "opening"), Card(.sound, "a", "sound"), Card(.trouble, "a", "no"),
        ]
        expect(cards.map(\.name), equals: ["a", "a", "a"])
        expect(cards.map(\.detail), equals: ["opening", "sound", "no"])
        expect(Set(cards).count, equals: 3)
        expect(Card(.placeholder, "a", "sound") != Card(.sound, "a", "sound"))
    }

    /// A wall without tiles, and one of which every tile was stopped.
    @Test func aWallWithNothingToPlayIsIdle() {
        func isIdle(_ world: inout Simulation) -> Bool { world.wall.composeScene(at: world.now).scene.isIdle }
        let clips = ["a": FakeClip(frames: 60)]
        var empty = Simulation(Layout(title: "", tiles: []), clips: clips)
        empty.run(for: .milliseconds(100))
        expect(isIdle(&empty))
        var world = Simulation(.of([["a"], ["a"]]), clips: clips)
        world.run(for: .milliseconds(500))
        expect(!isIdle(&world))
        for tile in ["tile1", "tile2"] {
            world.command(.focus(.tile(world.wall.tile(named: tile)!)))
            world.command(.sequence(.stop))
            world.run(for: .milliseconds(100))
            expect(isIdle(&world), equals: tile == "tile2")
        }
        world.command(.sequence(.replace([Item(source: "a")])))
        world.run(for: .milliseconds(500))
        expect(!isIdle(&world))
    }
}
