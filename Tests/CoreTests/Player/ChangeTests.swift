import Base
import Commands
import Expectations
import Layout
import Testing

@testable import Player
@testable import SimulatedWall

/// Changes by their instants and targets, from keys and from texts.
@Suite struct ChangeTests {
    private func playing() -> Simulation {
        var world = Simulation(
            .of([["a"], ["b"]]), clips: ["a": FakeClip(frames: 600), "b": FakeClip(frames: 600)])
        world.run(for: .seconds(1))
        return world
    }

    private func isPaused(_ world: Simulation) -> PropertyValue? {
        try? world.wall.property("pause", at: world.now).get()
    }

    @Test func aChangeWaitsForItsInstant() {
        var world = playing()
        let instant = world.now + .milliseconds(500)
        world.command(.at(instant, .pause(.on, .group)))
        // The conductor is woken for it.
        expect(world.wall.nextUpdate.map { $0 <= instant } ?? false)
        world.run(for: .milliseconds(499))
        expect(isPaused(world), equals: .flag(false))
        world.run(for: .milliseconds(1))
        expect(isPaused(world), equals: .flag(true))
        expect(world.wall.player.scheduled.next, equals: nil)
        let group = world.wall.clocks.main
        let before = world.wall.clocks[group].clock.position(at: instant)
        world.run(for: .seconds(3))
        expect(world.wall.clocks[group].clock.position(at: world.now), equals: before)
    }

    @Test func changesOfOneInstantAreMadeInTheirOrderAndOneThatIsOverdueAtOnce() {
        var world = playing()
        let instant = world.now + .seconds(2)
        world.command(.at(instant + .seconds(1), .volume(.to(1), .wall)))
        world.command(.at(instant, .volume(.to(20), .wall)))
        world.command(.at(instant, .to(.named("tile2"), .volume(.to(30), .tile))))
        world.command(.at(instant, .volume(.by(5), .wall)))
        world.command(.at(world.now - .seconds(1), .property("speed", .multiply(2), .group)))
        expect(try? world.wall.property("speed", at: world.now).get(), equals: .number(2))
        world.run(for: .seconds(2))
        expect(world.wall.audioState.volume == 25 && world.wall.tiles[1].layout.volume == 30)
        world.run(for: .seconds(1))
        expect(world.wall.audioState.volume, equals: 1)
    }

    @Test func tooManyWaitingChangesAreRefused() {
        var world = playing()
        let instant = world.now + .seconds(60)
        world.act { wall, now in
            for _ in 0..<1000 { expect(wall.apply(.at(instant, .focus(.next)), at: now), equals: nil) }
            expect(wall.apply(.at(instant, .focus(.next)), at: now), equals: .commandError)
        }
    }

    /// A key, a text of the socket and a property's setter ask for one change.
    @Test func aKeyOfTheTableIsTheChangeOfItsText() throws {
        let key = KeyTable.wall.change(for: .space, [], isRepeated: false)
        try expect(key, equals: CommandTable.change("cycle", [.text("pause")]))
        for word in [Change.PropertyChange.cycle(isUp: true), .set(.flag(false)), .set(.text("yes"))] {
            var world = playing()
            world.command(word == .set(.flag(false)) ? .pause(.on, .group) : .pause(.off, .group))
            world.command(.property("pause", word, .group))
            expect(isPaused(world), equals: .flag(word != .set(.flag(false))), "\(word)")
        }
    }

    /// The tile in hand takes the place of the focused one. A property of the wall stays the wall's.
    @Test func aKeyForATileIsPressedAsIfItHadTheFocus() throws {
        let keys = KeyTable.wall
        func press(_ key: Key, _ modifiers: Modifiers = [], _ world: inout Simulation) throws {
            let change = try #require(keys.change(for: key, modifiers, isRepeated: false))
            world.act { wall, now in expect(wall.apply(change, to: .inHand(1), at: now), equals: nil, "\(change)") }
        }
        var world = playing()
        try press(.letter("m"), .shift, &world)
        expect(world.wall.audioState.isMuted && !world.wall.tiles[1].layout.isMuted)
        try press(.letter("m"), [], &world)
        expect(world.wall.tiles[1].layout.isMuted && !world.wall.tiles[0].layout.isMuted)
        try press(.named("DOWN"), [], &world)
        expect(world.wall.audioState.volume == 95 && world.wall.tiles[1].layout.volume == 100)
        world.act { wall, now in wall.apply(.property("volume", .add(-5), .group), to: .tile(1), at: now) }
        expect(world.wall.audioState.volume == 95 && world.wall.tiles[1].layout.volume == 95)
        try press(.space, .control, &world)
        expect(isPaused(world), equals: .flag(false))
        expect(try? world.wall.property("pause", of: 1, at: world.now).get(), equals: .flag(true))
        try press(.tab, [], &world)
        expect(world.wall.focus, equals: 1)
    }

    @Test func aChangeNamesItsTile() {
        var world = playing()
        expect(world.wall.apply(.to(.named("tile2"), .focus(.target)), at: world.now), equals: nil)
        expect(world.wall.focus, equals: 1)
        world.wall.apply(.to(.named("tile1"), .zoom(.target)), at: world.now)
        expect(world.wall.zoomedTile == 0 && world.wall.focus == 0)
        for change in [
            Change.to(.named("tile3"), .focus(.target)), .to(.named("tile1"), .compare(.with("tile3", nil))),
        ] {
            let refusal = world.wall.apply(change, at: world.now)
            expect(refusal?.detail?.hasPrefix("no tile is called \"tile3\""), equals: true, "\(change)")
        }
        expect(world.wall.apply(.to(.named("tile1"), .compare(.with("tile2", .wipe))), at: world.now), equals: nil)
        expect(world.wall.tiles.overlaid != nil)
    }

    @Test func aChangeOfAGroupIsMadeOfEachTileAndOneOfTimeOnce() {
        var world = playing()
        func apply(_ change: Change) -> ControlError? {
            var refusal: ControlError?
            world.act { wall, now in refusal = wall.apply(change, to: .tiles([0, 1]), at: now) }
            return refusal
        }
        world.command(.mute(.on, .tile))
        expect(apply(.mute(.toggle, .tile)), equals: nil)
        expect(world.wall.tiles.order.map { world.wall.tiles[$0].layout.isMuted }, equals: [false, false])
        expect(apply(.property("pause", .cycle(isUp: true), .group)), equals: nil)
        expect(isPaused(world), equals: .flag(true))
        expect(apply(.volume(.by(-10), .tile)), equals: nil)
        expect(world.wall.tiles.order.map { world.wall.tiles[$0].layout.volume }, equals: [90, 90])
        expect(apply(.property("duration", .set(.integer(1)), .group))?.detail, equals: "duration can only be read")
    }
}
