import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Times for which items are reported to have been shown.
@Suite struct ProofOfPlayTests {
    let clips = ["a": FakeClip(frames: 60), "b": FakeClip(frames: 90)]

    private func seconds(_ world: Simulation) -> [String] {
        world.events.compactMap { event -> String? in
            guard case .itemEnd(let item, let tile, _) = event.what else { return nil }
            let tenths = (item.shown(until: event.at).seconds * 10).rounded() / 10
            return "\(tile) \(item.source) \(tenths)"
        }
    }

    @Test func whileTheDisplayIsOffNothingIsShown() {
        var world = Simulation(Layout.of([["a", "b"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        for _ in 0..<2 {
            world.act { wall, now in wall.player.note(.restBegan, at: now) }
            world.run(for: .seconds(3600))
            world.act { wall, now in wall.player.note(.restEnded, at: now) }
            world.run(for: .milliseconds(100))
        }
        world.run(for: .seconds(3))
        expect(seconds(world), equals: ["tile1 a 2.0", "tile2 b 3.0"])
    }

    /// The film's next run fails before this one is over, and yields no length.
    @Test func aFilmWhoseServerGoesAwayLacksTheRestOfItsFrames() throws {
        let source = "http://s/film"
        var world = Simulation(
            Layout.of([[source, "a"]]), clips: [source: FakeClip(frames: 300), "a": FakeClip(frames: 30)])
        world.run(for: .seconds(3))
        world.clips[source]?.trouble = SourceTrouble(.unreachable, "refused")
        world.breakOff(source, SourceTrouble(.unreachable, "reading: the connection was lost"))
        world.run(for: .seconds(20))
        let ends = world.events.compactMap { event -> (ItemRecord, Event.ItemEnd)? in
            guard case .itemEnd(let item, _, let reason) = event.what, item.source == source else { return nil }
            return (item, reason)
        }
        let (item, reason) = try #require(ends.first { $0.0.presented > 0 })
        expect(item.frames == 300 && item.length == .seconds(10) && reason == .eof, "\(item) \(reason)")
        expect(item.presented < 250 && item.presented + item.dropped == 300 && !item.isBroken, "\(item)")
    }

    @Test func whatEndsMeanwhileWasShownTillThen() {
        var world = Simulation(Layout.of([["a"], ["b"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        world.act { wall, now in wall.player.note(.restBegan, at: now) }
        world.run(for: .seconds(60))
        // One tile is removed, one gets another film, and one plays when the program ends.
        var layout = Layout.of([["a"], ["a"]])
        layout.tiles[0].id = "tile3"
        layout.tiles[0].play = [Item(source: "b")]
        world.apply(layout)
        world.run(for: .seconds(60))
        world.act { wall, now in wall.player.note(.ends, at: now) }
        expect(
            seconds(world).filter { !$0.hasSuffix("0.0") }.sorted(),
            equals: ["tile1 a 1.0", "tile2 b 1.0", "tile3 b 1.0"], "\(seconds(world))")
    }

    @Test func aPauseByHandIsShown() {
        var world = Simulation(Layout.of([["a", "b"]]), clips: clips)
        world.run(for: .seconds(1))
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(10))
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(2))
        expect(seconds(world), equals: ["tile1 a 12.0"])
    }

    /// Frames of a tile that another tile covers are neither presented nor dropped.
    @Test func whatNobodySeesBehindAnotherTileIsNotCounted() throws {
        var world = Simulation(Layout.of([["a", "b"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        world.command(.zoom(.toggle))
        world.run(for: .seconds(1))
        let before = world.events.count
        world.run(for: .milliseconds(6500))
        let reported = world.events[before...].filter { event in
            if case .frame("tile2", _, _, _) = event.what { return true }
            if case .seam("tile2", _, _, _, _) = event.what { return true }
            return false
        }
        expect(reported.isEmpty, "\(reported.count)")
        world.command(.zoom(.toggle))
        world.run(for: .seconds(6))
        let items = world.events.compactMap { event -> String? in
            guard case .itemEnd(let item, "tile2", _) = event.what else { return nil }
            let tenths = (item.shown(until: event.at).seconds * 10).rounded() / 10
            return "\(item.presented) \(item.dropped) \(tenths)"
        }
        // The first item is seen until the other tile covers it, the third from the end of the zoom.
        try #require(items.count == 4, "\(items)")
        expect(items[1] == "0 0 0.0" && items[3] == "90 0 3.0", "\(items)")
        expect(items[0].hasPrefix("3") && items[2].hasSuffix(" 0 0.5"), "\(items)")
    }

    /// A tile that shares a feed again after Home ends the item of its own feed.
    @Test func whatComesHomeEndsWhatItHadOn() {
        var world = Simulation(Layout.of([["a", "b"], ["a", "b"]]), clips: clips)
        world.run(for: .milliseconds(500))
        world.command(.focus(.number(2)))
        world.command(.item(by: 1))
        world.run(for: .seconds(1))
        world.command(.home(.group))
        world.run(for: .seconds(1))
        let items = world.events.compactMap { event -> String? in
            if case .itemEnd(let item, let tile, let reason) = event.what {
                "\(tile) \(item.source) \(reason.rawValue)"
            } else {
                nil
            }
        }
        expect(items.filter { $0.hasPrefix("tile2") }, equals: ["tile2 a skipped", "tile2 b skipped"], "\(items)")
        expect(world.wall.feeds.count, equals: 1)
    }

    /// An item that is covered while its feed is divided is not seen in either feed.
    @Test func aFeedThatIsDividedBehindAnotherIsNotSeen() {
        var world = Simulation(Layout.of([["a"], ["b"], ["b"]]), clips: clips)
        world.run(for: .milliseconds(500))
        world.command(.zoom(.toggle))
        world.run(for: .seconds(1))
        let third = world.wall.tiles.order[2]
        let isDone = world.wall.carryOut(.nudge(by: .milliseconds(100)), on: third, at: world.now)
        world.run(for: .seconds(1))
        expect(isDone && world.wall.feeds.count == 3)
        world.act { $0.player.note(.ends, at: $1) }
        let seconds = world.events.compactMap { event -> Double? in
            guard case .itemEnd(let item, "tile3", _) = event.what else { return nil }
            return item.shown(until: event.at).seconds
        }
        expect(seconds.count == 1 && seconds[0] < 1.2, "\(seconds)")
    }

    /// The wall is suspended while a tile is covered, and the tile is uncovered meanwhile. The suspension counts once.
    @Test func restBehindAnotherTileCountsOnce() {
        var world = Simulation(Layout.of([["a"], ["b"]]), clips: clips)
        world.run(for: .milliseconds(200))
        world.command(.zoom(.toggle))
        world.run(for: .milliseconds(800))
        world.act { $0.player.note(.restBegan, at: $1) }
        world.run(for: .seconds(1))
        world.command(.zoom(.toggle))
        world.run(for: .seconds(1))
        world.act { $0.player.note(.restEnded, at: $1) }
        world.run(for: .milliseconds(1000))
        world.act { $0.player.note(.ends, at: $1) }
        let seconds = world.events.compactMap { event -> Double? in
            guard case .itemEnd(let item, "tile2", _) = event.what else { return nil }
            return item.shown(until: event.at).seconds
        }
        expect(seconds.count == 1 && seconds[0] > 1.1, "\(seconds)")
    }

    func ended(_ world: Simulation, _ tile: String) -> [ItemRecord] {
        world.events.compactMap { if case .itemEnd(let item, tile, _) = $0.what { item } else { nil } }
    }

    /// The still was presented while another tile covered it.
    @Test func aStillThatIsUncoveredIsAFrameThatWasShown() {
        let still = FakeClip(frames: 1, isStill: true)
        var layout = Layout.of([["a"], ["still", "b"]])
        layout.tiles[1].play[0].duration = .seconds(4)
        var world = Simulation(layout, clips: clips.merging(["still": still]) { $1 })
        world.run(for: .milliseconds(3500))
        world.command(.zoom(.toggle))
        world.run(for: .milliseconds(4000))
        // The still plays again in the next iteration.
        world.run(for: .milliseconds(500))
        world.command(.zoom(.toggle))
        world.run(for: .seconds(4))
        let stills = ended(world, "tile2").filter { $0.source == "still" }
        expect(stills.map(\.presented), equals: [1, 1], "\(stills)")
        expect(world.wall.feeds[1].screen.health.dropped, equals: 0)
    }

    /// A slow decoder drops frames. Presented and dropped frames together are all of the film's.
    @Test func whatNeverCameIsDropped() {
        let slow = FakeClip(frames: 60, framesDecodeIn: .milliseconds(66))
        var world = Simulation(Layout.of([["slow", "b"]]), clips: clips.merging(["slow": slow]) { $1 })
        world.run(for: .seconds(4))
        let items = ended(world, "tile1")
        expect(items.map(\.source), equals: ["slow"])
        let counted = items.map { $0.presented + $0.dropped }
        expect(counted, equals: [60], "\(items)")
    }

    @Test(arguments: [ItemBeginning.schedule, .command]) func whatALayoutBringsBeganForItsReason(why: ItemBeginning) {
        var world = Simulation(Layout.of([["a"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        world.act { wall, now in wall.apply(Layout.of([["b"], ["a"]]), because: why, at: now) }
        world.run(for: .milliseconds(3500))
        expect(ended(world, "tile1").map(\.beginning).prefix(2), equals: [.start, why])
    }

    // MARK: stills that stand

    @Test(arguments: [5, 86_400] as [Int64]) func aStillThatStandsIsReportedOfOnceAnHour(lasting seconds: Int64) {
        let still = FakeClip(frames: 1, isStill: true)
        var layout = Layout.of([["logo"]])
        layout.tiles[0].play[0].duration = .seconds(seconds)
        var world = Simulation(layout, clips: ["logo": still])
        world.run(for: .seconds(2 * 3600 + 1800))
        world.act { wall, now in wall.player.note(.ends, at: now) }
        expect(
            world.showings,
            equals: [
                "logo start 1/1 3600 hour", "logo hour 1/1 3600 hour", "logo hour 1/1 1800 stop",
            ])
    }

    @Test func aStillThatSpansASwitchedOffDisplayIsOneShowing() {
        let still = FakeClip(frames: 1, isStill: true)
        var layout = Layout.of([["logo", "a"]])
        layout.tiles[0].play[0].duration = .seconds(20)
        var world = Simulation(layout, clips: clips.merging(["logo": still]) { $1 })
        world.run(for: .seconds(10))
        world.act { wall, now in wall.player.note(.restBegan, at: now) }
        world.act { wall, now in wall.player.note(.frames(.none), at: now) }
        world.run(for: .seconds(8 * 3600))
        world.act { wall, now in wall.player.note(.frames(.all), at: now) }
        world.run(for: .milliseconds(100))
        world.act { wall, now in wall.player.note(.restEnded, at: now) }
        world.run(for: .seconds(11))
        expect(world.showings, equals: ["logo start 1/1 20 eof"])
    }

    /// A logo that stays overnight is shown again in the morning.
    @Test func aLogoThatSpansASwitchedOffDisplayIsOneShowing() {
        let still = FakeClip(frames: 1, isStill: true)
        var world = Simulation(Layout.of([["logo"]]), clips: ["logo": still])
        world.run(for: .seconds(12))
        world.act { wall, now in wall.player.note(.restBegan, at: now) }
        world.act { wall, now in wall.player.note(.frames(.none), at: now) }
        world.run(for: .seconds(8 * 3600))
        world.act { wall, now in wall.player.note(.frames(.all), at: now) }
        world.act { wall, now in wall.player.note(.restEnded, at: now) }
        world.run(for: .seconds(12))
        world.act { wall, now in wall.player.note(.ends, at: now) }
        expect(world.showings, equals: ["logo start 1/1 24 stop"])
    }
}
