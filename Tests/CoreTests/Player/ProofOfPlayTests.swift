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
    private let clips = ["a": FakeClip(frames: 60), "b": FakeClip(frames: 90)]

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
        let ends = world.events.compactMap { event -> (PlayedItem, Event.ItemEnd)? in
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

    private func ended(_ world: Simulation, _ tile: String) -> [PlayedItem] {
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

    // MARK: how many frames an item should have had

    private struct Counts: Equatable, CustomStringConvertible {
        let source: String
        let reason: Event.ItemEnd
        let frames: Int
        let distinct: Int
        var description: String { "\(source) \(reason.rawValue) \(distinct)/\(frames)" }
    }

    private func counts(_ world: Simulation, _ tile: String = "tile1") -> [String] {
        world.events.compactMap {
            guard case .itemEnd(let item, tile, let reason) = $0.what else { return nil }
            return Counts(source: item.source, reason: reason, frames: item.frames, distinct: item.distinct).description
        }
    }

    /// Items that play, a change to the layout, and the counts of the first items that ended.
    struct FrameCase: CustomStringConvertible, Sendable {
        let name: String
        let play: [[String]]
        let change: @Sendable (inout Layout) -> Void
        let counts: [String]
        var description: String { name }

        init(
            _ name: String, _ play: [[String]], _ counts: [String],
            _ change: @escaping @Sendable (inout Layout) -> Void = { _ in }
        ) { (self.name, self.play, self.change, self.counts) = (name, play, change, counts) }
    }

    static let frameCases = [
        FrameCase("whole films", [["a", "b"]], ["a eof 60/60", "b eof 90/90"]),
        FrameCase("an in-point and an out-point", [["a", "b"]], ["a eof 25/25", "b eof 90/90"]) {
            $0.tiles[0].play[0].segments[0].start = .milliseconds(500)
            $0.tiles[0].play[0].segments[0].end = Time(40, ofUnits: 1, over: 30)
        },
        FrameCase("an out-point beyond the end", [["a", "b"]], ["a eof 60/60", "b eof 90/90"]) {
            $0.tiles[0].play[0].segments[0].end = .seconds(9)
        },
        FrameCase("rounds", [["a", "b"]], ["a eof 120/120"]) { $0.tiles[0].play[0].rounds = 2 },
        FrameCase("a slow rate", [["a", "b"]], ["a eof 60/60"]) { $0.tiles[0].play[0].rate = Rate(0.5) },
        FrameCase("fades", [["a", "b"]], ["a eof 60/60", "b eof 90/90"]) {
            $0.tiles[0].transition = .fade(.milliseconds(500))
        },
        FrameCase("a length that only decoding tells", [["long", "a"]], ["long eof 75/75", "a eof 60/60"]),
        FrameCase("a film that is cut off", [["cut", "a"]], ["cut eof 45/60", "a eof 60/60"]),
        FrameCase("a film that is cut off, up to an out-point", [["cut", "a"]], ["cut eof 30/30"]) {
            $0.tiles[0].play[0].segments[0].end = .seconds(1)
        },
        FrameCase("frames of unlike lengths", [["uneven", "a"]], ["uneven eof 60/60", "a eof 60/60"]),
        FrameCase("frames of unlike lengths at another rate", [["uneven", "a"]], ["uneven eof 60/60", "a eof 60/60"]) {
            $0.groups[0].rate = Rate(1.5)
        },
        FrameCase("a sound", [["sound", "a"]], ["sound eof 0/0", "a eof 60/60"]),
        FrameCase("a still", [["still", "a"]], ["still eof 1/1", "a eof 60/60"]),
        // The end of the shorter tile's iteration ends that of the longer.
        FrameCase("passes that end with the shortest", [["b"], ["a"]], ["b eof 60/60", "b eof 60/60"]) {
            ($0.groups[0].loop, $0.groups[0].until) = (.together, .shortest)
        },
        FrameCase("a tile that is ahead of its group", [["b"], ["b"]], ["b eof 60/60", "b eof 60/60"]) {
            ($0.groups[0].loop, $0.groups[0].until) = (.together, .longest)
            $0.tiles[0].offset = .seconds(1)
        },
    ]

    @Test(arguments: frameCases) func anItemIsReportedOfWithTheFramesThatItShouldHaveHad(_ test: FrameCase) {
        var layout = Layout.of(test.play)
        test.change(&layout)
        let more = [
            "long": FakeClip(frames: 75, knowsItsLength: false), "sound": FakeClip(frames: 60, isSound: true),
            "still": FakeClip(frames: 1, isStill: true), "cut": FakeClip(frames: 45, lacks: 15),
            "uneven": FakeClip(frames: 60, isUneven: true),
        ]
        var world = Simulation(layout, clips: clips.merging(more) { $1 })
        world.run(for: .seconds(9))
        expect(Array(counts(world).prefix(test.counts.count)), equals: test.counts, "\(counts(world))")
    }

    @Test func aSoundThatHasEndedIsReportedOfOnce() {
        var layout = Layout.of([["sound"]])
        layout.tiles[0].loop = .iterations(1)
        let sound = FakeClip(frames: 60, isSound: true)
        var world = Simulation(layout, clips: clips.merging(["sound": sound]) { $1 })
        for _ in 0..<10 {
            world.run(for: .seconds(1))
            world.act { wall, now in wall.player.update(at: now) }
        }
        expect(counts(world), equals: ["sound eof 0/0"])
        // An item that is added plays, and the sound before it does not begin again.
        world.act { $0.carryOut(.sequence(.append([Item(source: "a")])), at: $1) }
        world.run(for: .seconds(5))
        expect(counts(world).filter { $0.hasPrefix("sound") }, equals: ["sound eof 0/0"], "\(counts(world))")
        expect(world.framesNow[0]?.clip, equals: "a")
    }

    /// Frames that were decoded too late or never, and those of a server that went away.
    @Test func whatIsMissingIsMissingInTheLog() {
        let slow = FakeClip(frames: 60, framesDecodeIn: .milliseconds(66))
        var world = Simulation(Layout.of([["slow", "b"]]), clips: clips.merging(["slow": slow]) { $1 })
        world.run(for: .seconds(4))
        let items = ended(world, "tile1")
        expect(items.map(\.frames) == [60] && items.map(\.distinct)[0] < 50, "\(items)")
    }

    /// 120 frames a second do not fit into 60 presents.
    @Test func aDisplayIsAskedForNoMoreThanItCanShow() throws {
        var layout = Layout.of([["a", "b"]])
        layout.tiles[0].play[0].rate = Rate(4)
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(3))
        let item = try #require(ended(world, "tile1").first)
        expect((30...31).contains(item.frames) && item.distinct >= 29, "\(item)")
    }

    /// The program stands still for a while, as after SIGSTOP. Frames that were due meanwhile are missed.
    @Test(arguments: [[["b", "a"]], [["b"]], [["long", "a"]], [["b", "a"], ["a"]]], [Int64(5), 10, 47])
    func framesThatWereDueWhileTheProgramStoodStillAreMissed(_ play: [[String]], _ length: Int64) {
        for isTogether in [false, true] {
            var layout = Layout.of(play)
            layout.groups[0].loop = isTogether ? .together : .each
            var world = Simulation(layout, clips: clips.merging(["long": FakeClip(frames: 240)]) { $1 })
            world.run(for: .milliseconds(1500))
            world.now += .seconds(length)
            world.run(for: .seconds(9))
            let items = ended(world, "tile1")
            let lines = items.map { "\($0.source) \($0.distinct) + \($0.dropped) of \($0.frames)" }
            expect(
                items.count > 1 && items[0].dropped > 20
                    && items.allSatisfy { $0.distinct + $0.dropped == $0.frames },
                "\(play) \(length) \(isTogether): \(lines)")
        }
    }

    @Test func whatIsShownTwiceAfterAJumpBackCountsOnce() {
        var world = Simulation(Layout.of([["b", "a"]]), clips: clips)
        world.run(for: .milliseconds(1500))
        world.command(.seek(.by(-.seconds(1)), .group))
        world.run(for: .seconds(4))
        expect(counts(world) == ["b eof 90/90"] && ended(world, "tile1")[0].repeated > 25, "\(counts(world))")
    }

    @Test func anItemOfABreakThatFailsIsReportedOfOnce() {
        for play in [["gone"], ["gone", "a"], ["a", "gone"]] {
            for when in [BreakLayout.When.itemEnd, .now] {
                var layout = Layout.of([["b"], ["a", "b"]])
                var entry = BreakLayout(name: "ad", play: play.map { Item(source: $0) })
                (entry.when, entry.tiles) = (when, ["tile1"])
                layout.breaks = [entry]
                var world = Simulation(layout, clips: clips)
                world.run(for: .seconds(1))
                world.command(.playBreak("ad"))
                world.run(for: .seconds(12))
                let failed = counts(world).filter { $0.hasPrefix("gone") }
                expect(failed, equals: ["gone error 0/0"], "\(play) \(when): \(counts(world))")
            }
        }
    }

    /// The item after it can't be played, and nothing follows that item.
    @Test(arguments: [(OnError.next, Loop.iterations(1)), (.stop, .iterations(1)), (.stop, .forever)])
    func anItemBeforeOneThatFailsEndsWithoutAnError(_ onError: OnError, _ loop: Loop) {
        var layout = Layout.of([["a", "gone"]])
        (layout.tiles[0].onError, layout.tiles[0].loop) = (onError, loop)
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(5))
        expect(counts(world), equals: ["gone error 0/0", "a eof 60/60"])
        expect(ended(world, "tile1").last?.isBroken, equals: false)
    }

    /// The item's own second part can't be played.
    @Test(arguments: [OnError.next, .stop]) func anItemOfWhichAPartFailsEndsWithAnError(_ onError: OnError) {
        var layout = Layout.of([["a"]])
        layout.tiles[0].play[0].segments.append(Item.Segment(source: "gone"))
        (layout.tiles[0].onError, layout.tiles[0].loop) = (onError, .iterations(1))
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(5))
        expect(counts(world).last?.hasPrefix("a error"), equals: true, "\(counts(world))")
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
