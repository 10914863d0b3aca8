import Testing

@testable import WallCore

/// How long items are said to have been shown.
@Suite struct ProofOfPlayTests {
    private let clips = ["a": FakeClip(pictures: 60), "b": FakeClip(pictures: 90)]

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
            world.act { wall, now in wall.suspend(at: now) }
            world.run(for: .seconds(3600))
            world.act { wall, now in wall.resume(at: now) }
            world.run(for: .milliseconds(100))
        }
        world.run(for: .seconds(3))
        #expect(seconds(world) == ["tile1 a 2.0", "tile2 b 3.0"], "\(seconds(world))")
    }

    @Test func whatEndsMeanwhileWasShownTillThen() {
        var world = Simulation(Layout.of([["a"], ["b"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        world.act { wall, now in wall.suspend(at: now) }
        world.run(for: .seconds(60))
        // One goes, one gets another film, one is on when the program ends.
        var layout = Layout.of([["a"], ["a"]])
        layout.tiles[0].id = "tile3"
        layout.tiles[0].play = [Item(pieces: [Item.Piece(source: "b")])]
        world.apply(layout)
        world.run(for: .seconds(60))
        world.act { wall, now in wall.endItems(at: now) }
        #expect(
            seconds(world).filter { !$0.hasSuffix("0.0") }.sorted() == ["tile1 a 1.0", "tile2 b 1.0", "tile3 b 1.0"],
            "\(seconds(world))")
    }

    @Test func aPauseByHandIsShown() {
        var world = Simulation(Layout.of([["a", "b"]]), clips: clips)
        world.run(for: .seconds(1))
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(10))
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(2))
        #expect(seconds(world) == ["tile1 a 12.0"], "\(seconds(world))")
    }

    /// What goes on behind a tile that fills the wall is neither presented nor missed.
    @Test func whatNobodySeesBehindAnotherTileIsNotCounted() throws {
        var world = Simulation(Layout.of([["a", "b"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        world.command(.zoom(.toggle))
        world.run(for: .seconds(1))
        let before = world.events.count
        world.run(for: .milliseconds(6500))
        let told = world.events[before...].filter { event in
            if case .picture("tile2", _, _, _) = event.what { return true }
            if case .seam("tile2", _, _, _, _) = event.what { return true }
            return false
        }
        #expect(told.isEmpty, "\(told.count)")
        world.command(.zoom(.toggle))
        world.run(for: .seconds(6))
        let items = world.events.compactMap { event -> String? in
            guard case .itemEnd(let item, "tile2", _) = event.what else { return nil }
            let tenths = (item.shown(until: event.at).seconds * 10).rounded() / 10
            return "\(item.presented) \(item.missed) \(tenths)"
        }
        // The first is seen until the other has come over it, the third from when that goes back.
        try #require(items.count == 4, "\(items)")
        #expect(items[1] == "0 0 0.0" && items[3] == "90 0 3.0", "\(items)")
        #expect(items[0].hasPrefix("3") && items[2].hasSuffix(" 0 0.5"), "\(items)")
    }

    /// What shares a feed again when it comes home had an item of its own on.
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
        #expect(items.filter { $0.hasPrefix("tile2") } == ["tile2 a skipped", "tile2 b skipped"], "\(items)")
        #expect(world.wall.feeds.count == 1)
    }

    /// What nobody sees while a feed is divided is not seen in either part.
    @Test func aFeedThatIsDividedBehindAnotherIsNotSeen() {
        var world = Simulation(Layout.of([["a"], ["b"], ["b"]]), clips: clips)
        world.run(for: .milliseconds(500))
        world.command(.zoom(.toggle))
        world.run(for: .seconds(1))
        let third = world.wall.tiles.order[2]
        let isDone = world.wall.carryOut(.nudge(by: .milliseconds(100)), on: third, at: world.now)
        world.run(for: .seconds(1))
        #expect(isDone && world.wall.feeds.count == 3)
        world.act { $0.endItems(at: $1) }
        let seconds = world.events.compactMap { event -> Double? in
            guard case .itemEnd(let item, "tile3", _) = event.what else { return nil }
            return item.shown(until: event.at).seconds
        }
        #expect(seconds.count == 1 && seconds[0] < 1.2, "\(seconds)")
    }

    /// A wall that rests while another tile fills it, and is uncovered meanwhile, rested once.
    @Test func restBehindAnotherTileCountsOnce() {
        var world = Simulation(Layout.of([["a"], ["b"]]), clips: clips)
        world.run(for: .milliseconds(200))
        world.command(.zoom(.toggle))
        world.run(for: .milliseconds(800))
        world.act { $0.suspend(at: $1) }
        world.run(for: .seconds(1))
        world.command(.zoom(.toggle))
        world.run(for: .seconds(1))
        world.act { $0.resume(at: $1) }
        world.run(for: .milliseconds(1000))
        world.act { $0.endItems(at: $1) }
        let seconds = world.events.compactMap { event -> Double? in
            guard case .itemEnd(let item, "tile2", _) = event.what else { return nil }
            return item.shown(until: event.at).seconds
        }
        #expect(seconds.count == 1 && seconds[0] > 1.1, "\(seconds)")
    }

    private func ended(_ world: Simulation, _ tile: String) -> [PlayedItem] {
        world.events.compactMap { if case .itemEnd(let item, tile, _) = $0.what { item } else { nil } }
    }

    /// It was put on the screen while another tile filled it.
    @Test func aStillThatIsUncoveredIsAPictureThatWasShown() {
        let still = FakeClip(pictures: 1, isStill: true)
        var layout = Layout.of([["a"], ["still", "b"]])
        layout.tiles[1].play[0].duration = .seconds(4)
        var world = Simulation(layout, clips: clips.merging(["still": still]) { $1 })
        world.run(for: .milliseconds(3500))
        world.command(.zoom(.toggle))
        world.run(for: .milliseconds(4000))
        // The still is on again in the next pass.
        world.run(for: .milliseconds(500))
        world.command(.zoom(.toggle))
        world.run(for: .seconds(4))
        let stills = ended(world, "tile2").filter { $0.source == "still" }
        #expect(stills.map(\.presented) == [1, 1], "\(stills)")
        #expect(world.wall.feeds[1].screen.health.missed == 0)
    }

    /// A server that stops sending is shown to where it came, and the item after it follows in time.
    @Test func whatNeverCameIsMissed() {
        let slow = FakeClip(pictures: 60, picturesDecodeIn: .milliseconds(66))
        var world = Simulation(Layout.of([["slow", "b"]]), clips: clips.merging(["slow": slow]) { $1 })
        world.run(for: .seconds(4))
        let items = ended(world, "tile1")
        #expect(items.map(\.source) == ["slow"])
        let counted = items.map { $0.presented + $0.missed }
        #expect(counted == [60], "\(items)")
    }

    @Test(arguments: [ItemBeginning.schedule, .command]) func whatALayoutBringsBeganForItsReason(why: ItemBeginning) {
        var world = Simulation(Layout.of([["a"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        world.act { wall, now in wall.apply(Layout.of([["b"], ["a"]]), because: why, at: now) }
        world.run(for: .milliseconds(3500))
        #expect(ended(world, "tile1").map(\.beginning).prefix(2) == [.start, why])
    }
}
