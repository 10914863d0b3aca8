import Testing

@testable import WallCore

/// What interrupts sequences, and how they go on.
@Suite struct BreakTests {
    private let clips = [
        "a": FakeClip(pictures: 60), "b": FakeClip(pictures: 90), "c": FakeClip(pictures: 30),
        "ad": FakeClip(pictures: 45),
        "spot": FakeClip(pictures: 15), "flash": FakeClip(pictures: 6),
        "gone": FakeClip(pictures: 30, trouble: SourceTrouble(.missing, "no such file")),
    ]

    private func items(_ names: [String]) -> [Item] { names.map { Item(pieces: [Item.Piece(source: $0)]) } }

    private func entry(
        _ name: String, _ play: [String], _ change: (inout BreakLayout) -> Void = { _ in }
    ) -> BreakLayout {
        var entry = BreakLayout(name: name, play: items(play))
        change(&entry)
        return entry
    }

    private func layout(
        _ sequences: [[String]], _ breaks: [BreakLayout], _ change: (inout Layout) -> Void = { _ in }
    ) -> Layout {
        var layout = Layout.of(sequences)
        layout.breaks = breaks
        change(&layout)
        return layout
    }

    private func playing(_ layout: Layout, pipelines: Int = 4, for time: Time) -> Simulation {
        var world = Simulation(layout, clips: clips, pipelines: pipelines)
        world.run(for: time)
        return world
    }

    /// The clips in the order in which a tile showed them, each with its first and last picture.
    private func order(_ world: Simulation, _ tile: Int = 0) -> [String] {
        var runs: [(clip: String, first: Int, last: Int)] = []
        for picture in world.shown[tile].compactMap(\.picture) {
            if let run = runs.last, run.clip == picture.clip, picture.number > run.last {
                runs[runs.count - 1].last = picture.number
            } else {
                runs.append((picture.clip, picture.number, picture.number))
            }
        }
        return runs.dropLast().map { "\($0.clip) \($0.first)-\($0.last)" }
    }

    private func states(_ world: Simulation) -> [String] {
        world.events.compactMap { event in
            if case .breakChange(let name, let state) = event.what { "\(name) \(state.rawValue)" } else { nil }
        }
    }

    @Test func afterAnItemItComesAndGoesWithoutASeam() {
        var world = playing(layout([["a", "b"]], [entry("ad", ["ad"])]), for: .milliseconds(500))
        let isTaken = world.wall.carryOut(.takeBreak("ad"), at: world.now)
        #expect(isTaken)
        world.run(for: .seconds(12))
        #expect(order(world).prefix(5) == ["a 0-59", "ad 0-44", "b 0-89", "a 0-59", "b 0-89"])
        #expect(world.longestHold(0) <= .milliseconds(35))
        #expect(states(world) == ["ad started", "ad ended"])
        #expect(world.wall.tiles[0].play.count == 2)
    }

    @Test func afterTheLastItemOfAPassItComesBeforeTheNextPass() {
        for sequence in [["a"], ["a", "b", "a", "a"], ["a", "a"]] {
            for ahead in stride(from: Int64(100), to: 9000, by: 700) {
                var world = playing(layout([sequence], [entry("ad", ["ad", "spot"])]), for: .milliseconds(ahead))
                world.command(.takeBreak("ad"))
                world.run(for: .seconds(14))
                let order = order(world)
                let place = order.firstIndex(of: "ad 0-44")
                #expect(place != nil, "\(order)")
                guard let place else { continue }
                #expect(order[place + 1] == "spot 0-14", "\(order)")
                // Without the break it is the sequence again, from the very item that was to follow.
                let rest = order[..<place] + order[(place + 2)...]
                let due = (0..<rest.count).map { sequence[$0 % sequence.count] == "a" ? "a 0-59" : "b 0-89" }
                #expect(Array(rest) == due, "\(order)")
                #expect(world.longestHold(0) <= .milliseconds(35), "\(sequence), \(ahead)")
            }
        }
    }

    @Test func onAsManyPipelinesAsTilesNothingIsMissing() {
        let sequences = [["a", "b"], ["b"], ["c", "a"], ["b", "a"]]
        var world = playing(layout(sequences, [entry("ad", ["ad"])]), pipelines: 4, for: .milliseconds(700))
        world.command(.takeBreak("ad"))
        world.run(for: .seconds(20))
        for tile in 0..<4 {
            #expect(order(world, tile).contains("ad 0-44"), "\(order(world, tile))")
            #expect(world.longestHold(tile) <= .milliseconds(35), "\(tile): \(world.longestHold(tile))")
        }
        #expect(world.mostLeases <= 4 && states(world) == ["ad started", "ad ended"])
    }

    @Test func itComesEverySoOftenFromTheEndOfTheOneBefore() {
        let world = playing(layout([["c"]], [entry("ad", ["ad"]) { $0.every = .seconds(5) }]), for: .seconds(31))
        let starts = world.events.filter { if case .breakChange(_, .started) = $0.what { true } else { false } }
        // Five seconds, up to one until the item ends, and a break of a second and a half.
        #expect((4...5).contains(starts.count), "\(starts.count)")
        let gaps = zip(starts, starts.dropFirst()).map { $1.at - $0.at }
        #expect(gaps.allSatisfy { $0 >= .milliseconds(6400) && $0 <= .milliseconds(7600) }, "\(gaps)")
        #expect(world.longestHold(0) <= .milliseconds(35))
    }

    @Test func itComesAfterSoManyItemsOfTheFirstTile() {
        let world = playing(
            layout([["c"], ["b"]], [entry("ad", ["spot"]) { ($0.afterItems, $0.tiles) = (3, ["tile1"]) }]),
            for: .seconds(12))
        let order = order(world)
        #expect(order.prefix(9).map { $0.prefix(1) } == ["c", "c", "c", "s", "c", "c", "c", "s", "c"], "\(order)")
        #expect(world.longestHold(0) <= .milliseconds(35))
        #expect(!self.order(world, 1).contains { $0.hasPrefix("spot") })
    }

    @Test func oneMayWaitAndNoMore() {
        var world = playing(layout([["b"]], [entry("ad", ["ad"])]), for: .milliseconds(500))
        for _ in 0..<5 { world.command(.takeBreak("ad")) }
        world.run(for: .seconds(3))
        for _ in 0..<5 { world.command(.takeBreak("ad")) }
        world.run(for: .seconds(15))
        #expect(states(world) == ["ad started", "ad ended", "ad started", "ad ended"])
    }

    @Test func whatCannotBePlayedIsSkippedAndTold() {
        for onError in [OnError.next, .hold, .stop] {
            var world = playing(
                layout([["a", "b"]], [entry("ad", ["gone"])]) { $0.tiles[0].onError = onError }, for: .milliseconds(500)
            )
            world.command(.takeBreak("ad"))
            world.run(for: .seconds(12))
            #expect(order(world).prefix(3) == ["a 0-59", "b 0-89", "a 0-59"], "\(onError)")
            #expect(world.longestHold(0) <= .milliseconds(35), "\(onError): \(world.longestHold(0))")
            #expect(world.events.contains { if case .trouble(_, "gone", _, _, _) = $0.what { true } else { false } })
            #expect(world.wall.tiles[0].play.count == 2 && !world.wall.breaks.all[0].isOn)
        }
    }

    @Test func tilesThatShareAFeedGoOnSharingIt() {
        var world = playing(
            layout([["a", "b"], ["a", "b"]], [entry("ad", ["ad"])]), pipelines: 1, for: .milliseconds(500))
        world.command(.takeBreak("ad"))
        world.run(for: .seconds(9))
        #expect(world.wall.feeds.count == 1 && world.mostLeases == 1)
        #expect(order(world, 1).prefix(3) == ["a 0-59", "ad 0-44", "b 0-89"])
    }

    @Test func aTileThatHasWaitedForItsGroupWaitsForTheBreakToo() {
        let breaks = [entry("ad", ["ad"]) { $0.isTogether = true }]
        func world(_ breaks: [BreakLayout]) -> Simulation {
            playing(layout([["a"], ["b"]], breaks) { $0.groups[0].loop = .together }, for: .milliseconds(2300))
        }
        var (interrupted, other) = (world(breaks), world([]))
        interrupted.command(.takeBreak("ad"))
        interrupted.run(for: .milliseconds(300))
        #expect(interrupted.picturesNow.map { $0?.clip } == ["a", "b"])
        interrupted.run(for: .milliseconds(1000))
        #expect(interrupted.picturesNow.map { $0?.clip } == ["ad", "ad"])
        #expect(interrupted.picturesNow[0] == interrupted.picturesNow[1])
        interrupted.run(for: .seconds(3))
        other.run(
            for: interrupted.wall.clocks[0].clock.position(at: interrupted.now)
                - other.wall.clocks[0].clock.position(at: other.now))
        #expect(interrupted.picturesNow == other.picturesNow)
        #expect(interrupted.missed == 0)
    }

    @Test func twoThatAreDueAtOnceComeOneAfterTheOther() {
        let names = ["ad", "spot"].map { name in entry(name, [name]) { $0.every = .seconds(4) } }
        let world = playing(layout([["b", "c"]], names), for: .seconds(40))
        #expect(world.wall.tiles[0].play.count <= 4)
        let states = states(world)
        #expect(states.count > 8)
        for (one, next) in zip(states, states.dropFirst()) where one.hasSuffix("started") {
            #expect(next == one.replacingSuffix, "\(states)")
        }
    }

    @Test func aTileAloneInABreakStaysBehindUntilHome() {
        var world = playing(
            layout([["a", "b"], ["a", "b"]], [entry("ad", ["ad"]) { $0.tiles = ["tile1"] }]), for: .milliseconds(500))
        world.command(.takeBreak("ad"))
        world.run(for: .seconds(4))
        #expect(order(world, 0).prefix(2) == ["a 0-59", "ad 0-44"] && order(world, 1).prefix(1) == ["a 0-59"])
        #expect(world.picturesNow[0] != world.picturesNow[1])
        world.command(.home(.group))
        world.run(for: .seconds(1))
        #expect(world.picturesNow[0] == world.picturesNow[1])
    }

    @Test func inAGroupThatLoopsTogetherThePassIsLonger() {
        var world = playing(
            layout([["a"], ["b"]], [entry("ad", ["ad"]) { $0.tiles = ["tile2"] }]) { $0.groups[0].loop = .together },
            for: .milliseconds(500))
        world.command(.takeBreak("ad"))
        world.run(for: .seconds(12))
        #expect(order(world, 1).prefix(3) == ["b 0-89", "ad 0-44", "b 0-89"])
        // The other holds its last picture until the pass is over: after 4.5 s, and then after 3.
        let begins = world.shown[0].filter { $0.picture?.number == 0 }.map(\.at)
        let lengths = zip(begins, begins.dropFirst()).map { $1 - $0 }
        #expect(abs((lengths[0] - .milliseconds(4500)).seconds) < 0.04, "\(lengths)")
        #expect(abs((lengths[1] - .seconds(3)).seconds) < 0.04, "\(lengths)")
        #expect(world.longestHold(1) <= .milliseconds(35), "\(world.longestHold(1))")
    }

    @Test func nowItComesAtOnceAndTheItemGoesOnAtTheVeryPicture() {
        for ahead in stride(from: Int64(0), to: 2000, by: 130) {
            var world = playing(
                layout([["b"]], [entry("ad", ["spot"]) { $0.when = .now }]), for: .milliseconds(200 + ahead))
            world.command(.takeBreak("ad"))
            let asked = world.now
            world.run(for: .seconds(9))
            let order = order(world)
            let place = order.firstIndex(of: "spot 0-14")
            #expect(place != nil, "\(ahead): \(order)")
            guard let place else { continue }
            let began = world.shown[0].first { $0.picture?.clip == "spot" }!.at
            #expect(began - asked <= .milliseconds(420), "\(ahead): \(began - asked)")
            // What was interrupted is shown once, each picture of it.
            let parts = order[..<place] + order[(place + 1)...]
            let numbers = parts.prefix(2).flatMap { part in
                let ends = part.split(separator: " ")[1].split(separator: "-").compactMap { Int($0) }
                return Array(ends[0]...ends[1])
            }
            #expect(numbers == Array(0..<90), "\(ahead): \(order)")
            #expect(order.contains("b 0-89"), "\(order)")
            #expect(states(world) == ["ad started", "ad ended"] && world.wall.tiles[0].play.count == 1)
            #expect(world.longestHold(0) <= .milliseconds(150), "\(ahead): \(world.longestHold(0))")
        }
    }

    @Test func oneItemMayBeInterruptedAgainAndAgain() {
        var world = playing(
            layout([["b"]], [entry("ad", ["spot"]) { ($0.when, $0.every) = (.now, .seconds(1)) }]), for: .seconds(20))
        world.run(for: .seconds(1))
        let order = order(world)
        #expect(order.count { $0 == "spot 0-14" } >= 8, "\(order)")
        let numbers = order.filter { $0.hasPrefix("b") }.flatMap { part in
            let ends = part.split(separator: " ")[1].split(separator: "-").compactMap { Int($0) }
            return Array(ends[0]...ends[1])
        }
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { ($0 + 1) % 90 == $1 }, "\(order)")
    }

    @Test func itemsOfSeveralRoundsAndPiecesGoOnWhereTheyWere() {
        var item = Item(pieces: [Item.Piece(source: "a"), Item.Piece(source: "c")])
        item.rounds = 2
        for ahead in stride(from: Int64(0), to: 5500, by: 370) {
            var sequences = layout([["a"]], [entry("ad", ["spot"]) { $0.when = .now }])
            sequences.tiles[0].play = [item, Item(pieces: [Item.Piece(source: "b")])]
            var world = playing(sequences, for: .milliseconds(200 + ahead))
            world.command(.takeBreak("ad"))
            world.run(for: .seconds(10))
            let seen = world.shown[0].compactMap(\.picture).filter { $0.clip != "spot" }
            let due = ["a", "c", "a", "c", "b"].flatMap { name in (0..<clips[name]!.pictures).map { "\(name) \($0)" } }
            #expect(seen.prefix(due.count).map { "\($0.clip) \($0.number)" } == due, "\(ahead): \(order(world))")
            #expect(order(world).contains("spot 0-14"), "\(ahead): \(order(world))")
        }
    }

    @Test func togetherTheOthersStopWhereTheFirstEnds() {
        var world = playing(
            layout([["a"], ["b"], ["c", "b"]], [entry("ad", ["ad"]) { $0.isTogether = true }]), for: .milliseconds(500))
        world.command(.takeBreak("ad"))
        world.run(for: .seconds(12))
        let begins = (0..<3).map { tile in world.shown[tile].first { $0.picture?.clip == "ad" }?.at }
        #expect(begins.allSatisfy { $0 != nil && $0 == begins[0] }, "\(begins)")
        #expect(
            order(world, 0).prefix(2) == ["a 0-59", "ad 0-44"] || order(world, 2).prefix(2) == ["c 0-29", "ad 0-44"])
        for tile in 0..<3 {
            let seen = world.shown[tile].compactMap(\.picture).filter { $0.clip != "ad" }
            let slips = zip(seen, seen.dropFirst()).filter { one, next in
                one.clip == next.clip ? next.number != one.number + 1 && next.number != 0 : next.number != 0
            }
            #expect(slips.isEmpty, "\(tile): \(order(world, tile))")
        }
        #expect(states(world) == ["ad started", "ad ended"])
    }

    @Test func theClockOfAWholeGroupStandsMeanwhile() {
        for loop in [GroupLoop.each, .together] {
            for (first, second) in [(["a"], ["b"]), (["a", "c"], ["c", "b"])] {
                let breaks = [entry("ad", ["ad"]) { $0.isTogether = true }]
                func world(_ breaks: [BreakLayout]) -> Simulation {
                    playing(layout([first, second], breaks) { $0.groups[0].loop = loop }, for: .milliseconds(700))
                }
                var (interrupted, other) = (world(breaks), world([]))
                interrupted.command(.takeBreak("ad"))
                interrupted.run(for: .milliseconds(first.count == 1 ? 2400 : 1300))
                #expect(interrupted.picturesNow.allSatisfy { $0?.clip == "ad" })
                // It is told where it stands.
                interrupted.command(.pause(.toggle, .group))
                interrupted.command(.pause(.toggle, .group))
                let told = interrupted.events.compactMap {
                    if case .clock(_, _, let position, _, _) = $0.what { position } else { nil }
                }
                #expect(told.suffix(2).allSatisfy { $0 == told.last! } && told.last! <= .seconds(2), "\(told)")
                for _ in 0..<12 {
                    interrupted.run(for: .milliseconds(777))
                    let now = interrupted.wall.clocks[0].clock.position(at: interrupted.now)
                    other.run(for: now - other.wall.clocks[0].clock.position(at: other.now))
                    #expect(interrupted.picturesNow == other.picturesNow, "\(loop), \(first): at \(now.seconds)")
                }
                #expect(interrupted.missed == 0)
            }
        }
    }

    @Test func aTileAloneInABreakStaysBehindAndTheClockGoesOn() {
        var world = playing(
            layout([["a"], ["b"]], [entry("ad", ["ad"]) { ($0.isTogether, $0.tiles) = (true, ["tile1"]) }]),
            for: .milliseconds(700))
        let wall = world.now, before = world.wall.clocks[0].clock.position(at: wall)
        world.command(.takeBreak("ad"))
        world.run(for: .seconds(9))
        #expect(world.wall.clocks[0].clock.position(at: world.now) - before == world.now - wall)
    }

    @Test func filmsThatCannotBeGoneBackToInTimeAreNamed() {
        var far = OpenedFacts(kind: .video, length: .seconds(20), pictureLength: .milliseconds(40))
        far.keyPictures = [.zero, .seconds(2), .seconds(9)]
        var near = far
        near.keyPictures = (0..<10).map { .seconds(2 * $0) }
        func judge(_ change: (inout BreakLayout) -> Void) -> [BreakJudge.FarKeys] {
            let breaks = [entry("ad", ["far"]) { change(&$0) }]
            return BreakJudge(layout([["far", "near"], ["far"], ["other"]], breaks)) {
                $0 == "far" ? far : $0 == "near" ? near : nil
            }.farKeys
        }
        #expect(judge { _ in }.isEmpty)
        let named = judge { $0.when = .now }
        #expect(named.map(\.source) == ["far"] && named.first?.gap == .seconds(11))
        #expect(judge { ($0.isTogether, $0.tiles) = (true, ["tile3"]) }.isEmpty)
    }

    @Test func whatIsInterruptedHasNotComeToItsEnd() {
        var world = playing(layout([["b"]], [entry("ad", ["spot"]) { $0.when = .now }]), for: .milliseconds(500))
        world.command(.takeBreak("ad"))
        world.run(for: .seconds(6))
        let ends = world.events.compactMap { event -> String? in
            if case .itemEnd(let item, _, let reason) = event.what { "\(item.source) \(reason.rawValue)" } else { nil }
        }
        #expect(ends.prefix(3) == ["b stop", "spot eof", "b eof"], "\(ends)")
    }

    @Test func itIsLeftAtOnceByCommandAndBySequencesByHand() {
        for command in [Command.takeBreak(nil), .sequence(.append(items(["c"])))] {
            var world = playing(layout([["a", "b"]], [entry("ad", ["ad"])]), for: .milliseconds(500))
            world.command(.takeBreak("ad"))
            world.run(for: .milliseconds(1900))
            #expect(world.picturesNow[0]?.clip == "ad")
            world.command(command)
            world.run(for: .milliseconds(500))
            #expect(world.picturesNow[0]?.clip == "b")
            #expect(states(world) == ["ad started", "ad ended"])
        }
        var world = playing(layout([["a"]], []), for: .milliseconds(500))
        let answers = [Command.takeBreak("ad"), .takeBreak(nil)].map { world.wall.carryOut($0, at: world.now) }
        #expect(answers == [false, false])
        world.run(for: .seconds(1))
    }

    @Test func anotherLayoutLeavesItAloneWhereItsTileIsTheSame() {
        var world = playing(
            layout([["a", "b"], ["b"]], [entry("ad", ["ad"]) { $0.tiles = ["tile1"] }]), for: .milliseconds(500))
        world.command(.takeBreak("ad"))
        world.run(for: .milliseconds(1900))
        #expect(world.picturesNow[0]?.clip == "ad")
        // Another tile, and no break any more.
        let diff = world.apply(layout([["a", "b"], ["c"]], []))
        #expect(diff.kept == 1 && diff.changed == 1)
        world.run(for: .seconds(9))
        #expect(order(world).prefix(4) == ["a 0-59", "ad 0-44", "b 0-89", "a 0-59"], "\(order(world))")
        #expect(world.longestHold(0) <= .milliseconds(35))
        #expect(states(world) == ["ad started", "ad ended"] && world.wall.breaks.all.isEmpty)
    }

    @Test func veryShortItemsAreInterruptedToo() {
        var world = playing(layout([["flash"]], [entry("ad", ["ad"])]), for: .milliseconds(500))
        world.command(.takeBreak("ad"))
        world.run(for: .seconds(5))
        #expect(order(world).contains("ad 0-44"))
        #expect(order(world).suffix(3).allSatisfy { $0 == "flash 0-5" }, "\(order(world))")
    }

    @Test func itemsSayWhyTheyBegan() {
        var world = playing(layout([["a", "b"]], [entry("ad", ["ad"])]), for: .milliseconds(500))
        world.command(.takeBreak("ad"))
        world.run(for: .seconds(10))
        let begins = world.events.compactMap { event -> String? in
            if case .itemEnd(let item, _, _) = event.what { "\(item.source) \(item.beginning.rawValue)" } else { nil }
        }
        #expect(begins.prefix(4) == ["a start", "ad break", "b next", "a loop"], "\(begins)")
    }

    @Test func theyComeByTheClockInTheirOrder() {
        let zone = LocalTime { _ in 3600 }
        let layout = layout(
            [["a"]],
            [
                entry("noon", ["ad"]) { $0.times = [43_200] },
                entry("hours", ["spot"]) { $0.times = [39_600, 43_200, 46_800] },
            ])
        let day = CivilDate(year: 2026, month: 3, day: 1)!, noon = zone.instant(day, 43_200)
        let coming = layout.breaks(comingIn: noon - 10..<noon + 3601, zone)
        #expect(coming.map(\.name).sorted() == ["hours", "hours", "noon"] && coming.last?.instant == noon + 3600)
        #expect(layout.breaks(comingIn: noon + 1..<noon + 3600, zone).isEmpty)
    }
}

extension String {
    fileprivate var replacingSuffix: String { String(prefix { $0 != " " }) + " ended" }
}
