import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Player
@testable import SimulatedWall

private let frame = Time(1, ofUnits: 1, over: 30)
private let clips = [
    "a": FakeClip(frames: 60), "b": FakeClip(frames: 90, gop: 15), "c": FakeClip(frames: 75),
    "d": FakeClip(frames: 300, gop: 60), "short": FakeClip(frames: 6, gop: 6),
    "still": FakeClip(frames: 1, isStill: true),
    "broken": FakeClip(frames: 0, trouble: SourceTrouble(.damaged, "no")),
]

private func tile(_ id: String, _ names: [String], at column: Int = 0, _ change: (inout TileLayout) -> Void = { _ in })
    -> TileLayout
{
    var tile = TileLayout(
        id: id, place: .cell(column: column, row: 0, columns: 1, rows: 1),
        play: names.map { Item(source: $0) })
    change(&tile)
    return tile
}

private func layout(_ tiles: [TileLayout], _ groups: [GroupLayout] = [GroupLayout(name: "main")]) -> Layout {
    var layout = Layout(title: "test", tiles: tiles)
    layout.grid.columns = 8
    layout.groups = groups
    return layout
}

/// Layouts that replace another one while it plays.
@Suite struct ApplyTests {
    private func playing(_ layout: Layout, pipelines: Int = 4, for time: Time = .milliseconds(1500)) -> Simulation {
        var world = Simulation(layout, clips: clips, pipelines: pipelines)
        world.run(for: time)
        return world
    }

    private func expectUntouched(_ world: Simulation, _ number: Int, _ cycle: [String]) {
        expect(world.slips(number, cycle: cycle), equals: 0)
        expect(world.longestHold(number), atMost: frame + .milliseconds(1))
    }

    @Test func whatStaysDropsNothing() {
        var world = playing(layout([tile("left", ["a"]), tile("right", ["b"])]))
        let leases = world.wall.feeds[0].screen.health.presented
        let diff = world.apply(
            layout([
                tile("new", ["c"], at: 3),
                tile("left", ["a"], at: 5) { ($0.label, $0.isMuted, $0.fit, $0.volume) = ("here", true, .cover, 40) },
            ]))
        expect(diff.kept == 1 && diff.changed == 0 && diff.removed == ["right"] && diff.added.map(\.id) == ["new"])
        world.run(for: .seconds(3))
        expectUntouched(world, 0, ["a"])
        expect(world.wall.feeds[0].screen.health.presented, above: leases + 80)
        expect(world.wall.tiles.id(named: "new"), equals: world.wall.tiles.order.first)
        expect(world.wall.feeds.count, equals: 2)
        expect(world.frameNow("new")?.clip, equals: "c")
    }

    /// If the wall has no tiles, the next layout sets the rate and start of its groups.
    @Test func anIdleWallTakesTheRateAndTheStartOfItsLayout() {
        var world = Simulation(layout([]), clips: clips)
        world.run(for: .seconds(2))
        var groups = [GroupLayout(name: "main")]
        (groups[0].rate, groups[0].at) = (Rate(0.5), .seconds(4))
        world.apply(layout([tile("one", ["d"])], groups))
        world.run(for: .seconds(3))
        let clock = world.wall.clocks[world.wall.clocks.main].clock
        expect(clock.rate, equals: Rate(0.5))
        let position = clock.position(at: world.now)
        expect(position > .milliseconds(5100) && position < .milliseconds(5700), "\(position.seconds)")
    }

    @Test func anotherSequenceBeginsWhenItsFirstFrameIsThere() {
        var world = playing(layout([tile("left", ["a"]), tile("right", ["b"])]))
        world.apply(layout([tile("left", ["a"]), tile("right", ["c"])]))
        world.run(for: .seconds(2))
        expectUntouched(world, 0, ["a"])
        let seen = world.shown[1].compactMap(\.frame)
        expect(world.shown[1].dropFirst().filter { $0.frame == nil }.isEmpty)
        let firstNew = seen.firstIndex { $0.clip == "c" }

        expect(world.longestHold(1), atMost: .milliseconds(100))
        let after = seen[(firstNew ?? 0)...].map(\.number)
        expect(after.prefix(40), equals: ArraySlice(0..<40))
    }

    @Test func anItemOnScreenThatStaysPlaysOnAndTheNewOrderFollows() {
        var world = playing(layout([tile("left", ["a", "b"])]))
        world.apply(layout([tile("left", ["c", "a", "short"])]))
        world.run(for: .seconds(8))
        expect(world.longestHold(0), atMost: frame + .milliseconds(1))
        var order: [String] = []
        for clip in world.shown[0].compactMap({ $0.frame?.clip }) where order.last != clip { order.append(clip) }
        expect(order.prefix(5), equals: ["a", "short", "c", "a", "short"], "\(order)")
    }

    @Test func anotherOffsetIsANudgeAndTheOthersDropNothing() {
        var world = playing(layout([tile("left", ["a"]), tile("right", ["d"])]), for: .seconds(1))
        world.apply(layout([tile("left", ["a"]), tile("right", ["d"]) { $0.offset = .milliseconds(200) }]))
        world.run(for: .milliseconds(100))
        let (left, right) = (world.framesNow[0]?.number ?? -9, world.framesNow[1]?.number ?? -9)
        expect(right - left, equals: 6, "\(left) \(right)")
        world.run(for: .seconds(3))
        expectUntouched(world, 0, ["a"])
        world.apply(layout([tile("left", ["a"]), tile("right", ["d"]) { $0.offset = .seconds(-1) }]))
        world.run(for: .milliseconds(600))
        let now = world.wall.clocks[0].clock.position(at: world.now)
        expect(world.framesNow[1]?.number, equals: Int((now - .seconds(1)).ticks / frame.ticks))
        expectUntouched(world, 0, ["a"])
    }

    @Test func anotherLoopCountsFromTheEndOfTheItemOnScreen() {
        var world = playing(
            layout([tile("left", ["a"]), tile("right", ["b"]) { $0.loop = .iterations(1) }]), for: .seconds(5))
        expect(world.framesNow[1]?.number, equals: 89)
        world.apply(layout([tile("left", ["a"]) { $0.loop = .iterations(1) }, tile("right", ["b"])]))
        world.run(for: .seconds(4))
        expect(world.framesNow[0]?.number, equals: 59)
        expect(world.slips(1, cycle: ["b"]), equals: 0)
        expect(world.shown[1].count, above: 150)
    }

    @Test func anotherGroupIsOneSeekToWhereThatIs() {
        let groups = [GroupLayout(name: "main"), GroupLayout(name: "other")]
        var world = playing(layout([tile("left", ["a"]), tile("right", ["d"]) { $0.group = "other" }], groups))
        world.command(.focus(.number(2)))
        world.command(.seek(.by(.seconds(5)), .group))
        world.run(for: .seconds(1))
        world.apply(layout([tile("left", ["a"]), tile("right", ["d"])], groups))
        world.run(for: .milliseconds(500))
        let now = world.wall.clocks[0].clock.position(at: world.now)
        expect(world.framesNow[1]?.number, equals: Int(now.ticks / frame.ticks))
        expectUntouched(world, 0, ["a"])
    }

    @Test func whatWasChangedByHandStaysUnlessTheLayoutSaysAnotherValue() {
        let before = layout([tile("left", ["a"]), tile("right", ["b"])])
        var world = playing(before)
        world.command(.focus(.number(2)))
        world.command(.mute(.toggle, .tile))
        world.command(.volume(.by(-30), .wall))
        world.command(.zoom(.toggle))
        var after = before
        after.tiles[0].label = "x"
        world.apply(after)
        expect(world.wall.focus == 1 && world.wall.audioState.volume == 70 && world.wall.zoomedTile != nil)
        // Not within #expect: there the compiler reads the layout after the accessor has ended its access.
        let isMuted = world.wall.tiles[1].layout.isMuted
        expect(isMuted)
        after.audio.volume = 50
        after.tiles[1].isMuted = true
        world.apply(after)
        after.tiles[1].isMuted = false
        world.apply(after)
        expect(world.wall.audioState.volume == 50 && !world.wall.tiles[1].layout.isMuted && world.wall.focus == 1)
        after.tiles.removeLast()
        world.apply(after)
        expect(world.wall.focus == 0 && world.wall.zoomedTile == nil)
    }

    @Test func aWallOfNothingButNewTilesBeginsAtOneInstant() {
        var world = playing(layout([tile("left", ["a"]), tile("right", ["b"])]))
        world.apply(layout([tile("one", ["d"]), tile("two", ["c"]), tile("three", ["d", "a"])]))
        world.run(for: .milliseconds(900))
        let numbers = ["one", "two", "three"].compactMap { world.frameNow($0)?.number }
        expect(Set(numbers).count == 1 && numbers.count == 3, "\(numbers)")
        expect((15...28).contains(numbers.first ?? -1))
    }

    @Test func anEmptyWallTakesALayoutAndGivesItUpAgain() {
        var world = Simulation(layout([]), clips: clips)
        world.run(for: .seconds(5))
        world.command(.pause(.toggle, .group))
        world.command(.focus(.next))
        world.command(.zoom(.toggle))
        world.apply(layout([tile("left", ["a"]), tile("right", ["b"])]))
        world.run(for: .seconds(1))
        // A wall that was paused without tiles stays paused.
        expect(world.frameNow("left")?.number, equals: 0)
        world.command(.pause(.off, .group))
        world.run(for: .seconds(1))
        expect(world.frameNow("left")?.number ?? 0, above: 15)
        expect(world.frameNow("left")?.number, equals: world.frameNow("right")?.number)
        world.apply(layout([]))
        world.run(for: .seconds(1))
        expect(world.wall.feeds.count == 0 && world.wall.focus == nil)
        expect(world.wall.composeScene(at: world.now).scene.views.isEmpty)
    }

    @Test func fewerPipelinesAreUsedAtOnceAndMoreToo() {
        var world = playing(layout([tile("1", ["a"]), tile("2", ["b"]), tile("3", ["c"]), tile("4", ["d"])]))
        world.act { wall, now in wall.player.note(.pipelines(2), at: now) }
        world.run(for: .milliseconds(100))
        expect(world.wall.pool.leased, atMost: 2)
        expect(world.wall.pool.pipelines.filter(\.hasDecoder).count, atMost: 2)
        world.run(for: .seconds(2))
        expect(world.wall.pool.pipelines.filter(\.hasDecoder).count, atMost: 2)
        expect(world.slips(0, cycle: ["a"]), equals: 0)
        world.act { wall, now in wall.player.note(.pipelines(4), at: now) }
        world.run(for: .seconds(2))
        expect(world.wall.seatedFeeds, equals: 4)
    }

    /// `stays`: the tile that stays, so that each pipeline is tested.
    @Test(arguments: 0..<4) func aTileThatStaysDropsNothingWhenPipelinesGoWithTheOthers(_ stays: Int) {
        let all = zip(["1", "2", "3", "4"], ["a", "b", "c", "d"]).map { tile($0, [$1]) }
        var world = playing(layout(all))
        for turn in 0..<12 {
            if turn % 2 == 0 {
                world.apply(layout([all[stays]]), pipelines: 1)
            } else {
                world.apply(layout(all), pipelines: 4)
            }
            expect(world.wall.pool.pipelines.count { $0.hasDecoder }, atMost: 4)
            world.run(for: .milliseconds(300 + Int64(turn) * 70))
        }
        expectUntouched(world, stays, [["a", "b", "c", "d"][stays]])
    }

    @Test func tilesThatDifferInTheirSoundAloneShareADecoder() {
        let world = playing(
            layout([tile("left", ["a"]), tile("right", ["a"]) { $0.play[0].audio = .track(2) }, tile("both", ["a"])]))
        expect(world.wall.feeds.count, equals: 1)
        let parts = world.wall.soundScene(at: world.now).parts
        expect(parts.count == 2 && parts.map(\.gain) == [1, 0])
        let tracks = parts.map { $0.plan.runs.first?.source.choice.track }
        expect(tracks, equals: [.number(1), .number(2)])
    }
}

/// Random edits of a layout, at random moments of playback.
@Suite struct AnyEditsTests {
    private let names = ["a", "b", "c", "d", "short", "still", "broken"]

    private func random(_ random: inout Seeded, _ id: String, _ column: Int, groups: Int) -> TileLayout {
        let count = 1 + random.upTo(3)
        return tile(id, (0..<count).map { _ in names[random.upTo(names.count)] }, at: column) { tile in
            tile.group = ["main", "other", "together"][random.upTo(groups)]
            if random.onceIn(3) { tile.offset = .milliseconds(Int64(random.upTo(1500) - 500)) }
            if random.onceIn(4) { tile.loop = .iterations(1 + random.upTo(3)) }
            if random.onceIn(4) { tile.onError = [OnError.next, .hold, .stop][random.upTo(3)] }
            if random.onceIn(4) { tile.play[0].rounds = 2 }
            if random.onceIn(5) { tile.play[0].audio = .track(2) }
            tile.isMuted = random.onceIn(3)
        }
    }

    private func edit(_ before: Layout, _ random: inout Seeded) -> Layout {
        var next = before
        for _ in 0...random.upTo(3) {
            let place = 1 + random.upTo(max(1, next.tiles.count - 1))
            switch random.upTo(9) {
            case 0 where next.tiles.count > 1 && place < next.tiles.count: next.tiles.remove(at: place)
            case 1 where next.tiles.count < 6, 2 where next.tiles.count < 6:
                let free = ["t1", "t2", "t3", "t4", "t5", "t6", "t7"].filter { id in
                    !next.tiles.contains { $0.id == id }
                }
                next.tiles.append(self.random(&random, free[random.upTo(free.count)], random.upTo(8), groups: 3))
            case 3 where place + 1 < next.tiles.count:
                (next.tiles[place].id, next.tiles[place + 1].id) = (next.tiles[place + 1].id, next.tiles[place].id)
            case 4 where place < next.tiles.count:
                next.tiles[place] = self.random(&random, next.tiles[place].id, random.upTo(8), groups: 3)
            case 5 where place < next.tiles.count:
                next.tiles[place].play.append(Item(source: names[random.upTo(names.count)]))
            case 6 where place < next.tiles.count:
                next.tiles[place].offset += .milliseconds(Int64(random.upTo(400) - 200))
            case 7:
                next.groups[2].loop = [GroupLoop.each, .together][random.upTo(2)]
                next.groups[2].until = [Until.longest, .shortest][random.upTo(2)]
            default: next.audio.volume = random.upTo(101)
            }
        }
        if random.onceIn(5) { next.tiles[1...].shuffle(using: &random) }
        return next
    }

    private var start: Layout {
        layout(
            [tile("kept", ["d", "b"])],
            [GroupLayout(name: "main"), GroupLayout(name: "other"), GroupLayout(name: "together")])
    }

    /// The tile that no edit touches has the focus, so that it always plays.
    @Test(arguments: seeds(30)) func leaveWhatTheyDoNotTouch(_ seed: UInt64) {
        var random = Seeded(state: seed)
        let pipelines = 1 + random.upTo(4)
        var layout = start
        for id in ["t1", "t2"] { layout.tiles.append(self.random(&random, id, random.upTo(8), groups: 3)) }
        var world = Simulation(layout, clips: clips, pipelines: pipelines)
        if random.onceIn(2) { world.run(for: .seconds(2)) }
        for _ in 0..<60 {
            layout = edit(layout, &random)
            world.apply(layout)
            world.run(for: .milliseconds(Int64(random.upTo(250))))
            expect(world.wall.pool.leased, atMost: pipelines)
        }
        world.run(for: .seconds(1))
        expect(world.mostLeases, atMost: pipelines)
        expect(world.slips(0, cycle: ["d", "b"]), equals: 0, "seed \(seed)")
        // The first hold does not count: the clock waited for the first frames of all tiles.
        let times = world.shown[0].drop { $0.frame == nil }.map(\.at).dropFirst()
        let longest = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .zero
        expect(longest, atMost: frame + .milliseconds(1), "seed \(seed)")
        expect(world.wall.feeds.count, atMost: world.wall.tiles.count + 1)
        expect(world.openSources.count, atMost: 6 * world.wall.tiles.count + 8, "sources are closed")
    }

    /// Edits come at any moment of steps, seeks, drags, pauses, zoom and picture in picture.
    @Test(arguments: seeds(30)) func endInWhatTheLastLayoutSays(_ seed: UInt64) {
        var random = Seeded(state: seed &* 7919)
        var layout = start
        for id in ["t1", "t2", "t3"] { layout.tiles.append(self.random(&random, id, random.upTo(8), groups: 3)) }
        var world = Simulation(layout, clips: clips, pipelines: 8)
        for _ in 0..<40 {
            layout = edit(layout, &random)
            if random.onceIn(2) { world.command(AnyCommands.command(&random)) }
            if random.onceIn(8) {
                world.act { wall, now in wall.player.note(.pictureInPictureShows(wall.focus), at: now) }
            }
            if random.onceIn(4) {
                world.act { [layout] wall, now in
                    _ = wall.advance(at: now)
                    wall.apply(layout, at: now)
                    wall.player.note(.presented, at: now)
                }
            } else {
                world.apply(layout)
            }
            world.run(for: .milliseconds(Int64(random.upTo(300))))
        }
        expect(world.mostLeases, atMost: 8)
        home(&world)
        var fresh = Simulation(layout, clips: clips, pipelines: 8)
        for group in layout.groups.map(\.name) {
            let expected = frames(&fresh, of: group), found = frames(&world, of: group)
            // A tile that shows no frame of its sequence may show a poster or a card.
            let isSame = found.allSatisfy { $1 == expected[$0] || expected[$0] == .some(nil) && $1?.number == 0 }
            expect(isSame, "seed \(seed), \(group): \(found), \(expected)")
        }
        expect(world.wall.feeds.count, equals: fresh.wall.feeds.count)
        expect(world.wall.clocks.count, equals: fresh.wall.clocks.count)
        expect(world.wall.audioState.volume, equals: layout.audio.volume)
    }

    /// Reverts all changes made by hand.
    private func home(_ world: inout Simulation) {
        world.command(.scrub(.ended))
        world.act { wall, now in wall.player.note(.pictureInPictureShows(nil), at: now) }
        for tile in world.wall.tiles.order {
            world.act { $0.carryOut(.home(.group), on: tile, at: $1) }
            world.act { $0.carryOut(.rate(.to(.one), .group), on: tile, at: $1) }
            let group = world.wall.player.tileFeeds.groupAtHome(of: tile)
            if world.wall.clocks[group].motionToCome == .paused {
                world.act { $0.carryOut(.pause(.toggle, .group), on: tile, at: $1) }
            }
        }
        world.run(for: .seconds(1))
    }

    /// Returns the frames of a group's tiles 2.5 s after its start, by the tiles' ids.
    private func frames(_ world: inout Simulation, of group: String) -> [String: FakeFrame?] {
        guard let tile = world.wall.tiles.order.first(where: { world.wall.tiles[$0].layout.group == group }) else {
            return [:]
        }
        world.act { $0.carryOut(.home(.group), on: tile, at: $1) }
        let id = world.wall.player.tileFeeds.transport.namedGroup(group)
        world.run(for: .seconds(1))
        let instant = world.wall.clocks[id].clock.wallTime(of: .milliseconds(2510)) ?? world.now
        world.run(for: instant - world.now)
        let members = world.wall.tiles.order.filter { world.wall.tiles[$0].layout.group == group }
        return Dictionary(
            uniqueKeysWithValues: members.map {
                (world.wall.tiles[$0].name, world.shown[$0.number].last?.frame ?? nil)
            })
    }
}
