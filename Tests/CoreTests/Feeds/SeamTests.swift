import Base
import Expectations
import Layout
import Player
import Testing

@testable import SimulatedWall

/// Seams of whole walls in simulated time, which a camera would have to watch for minutes.
@Suite struct SeamsInSimulatedTime {
    private let frame = Time(1, ofUnits: 1, over: 30)

    @Test func fiftyShortItemsInUnlikeCodecsFollowEachOther() {
        let names = (0..<50).map { "clip\($0)" }
        let clips = Dictionary(
            uniqueKeysWithValues: names.map { ($0, FakeClip(frames: 6, opensIn: .milliseconds(15))) })
        let layout = Layout.of((0..<4).map { Array(names[($0 * 12)...] + names[..<($0 * 12)]) })
        var world = Simulation(layout, clips: clips)
        world.decoderOpensIn = .milliseconds(25)
        world.run(for: .seconds(30))
        for tile in 0..<4 {
            expect(world.slips(tile, cycle: layout.tiles[tile].play.map { $0.segments[0].source }), equals: 0)
            expect(world.longestHold(tile), atMost: frame + .milliseconds(1))
        }
        expect(world.dropped, equals: 0)
    }

    /// A machine that is busy while the film begins skips frames. The iterations after it are whole.
    @Test func aShortLoopDoesNotRepeatTheFramesThatWereMissed() {
        let clip = FakeClip(frames: 12, framesDecodeIn: .milliseconds(60))
        var world = Simulation(Layout.of([["a"]]), clips: ["a": clip])
        world.run(for: .milliseconds(700))
        world.clips["a"]?.framesDecodeIn = .milliseconds(3)
        world.run(for: .seconds(3))
        let begin = world.now
        world.run(for: .seconds(2))
        let numbers = Set(world.shown[0].filter { $0.at > begin }.compactMap { $0.frame?.number })
        expect(numbers, equals: Set(0..<12))
    }

    @Test func aStillThatIsShownAgainIsNoSeam() {
        let clips = [
            "still": FakeClip(frames: 1, isStill: true), "other": FakeClip(frames: 1, isStill: true),
        ]
        func seams(_ play: [String]) -> Int {
            var world = Simulation(Layout.of([play]) { $0.play[0].duration = .seconds(1) }, clips: clips)
            world.run(for: .seconds(12))
            return world.events.count { if case .seam = $0.what { true } else { false } }
        }
        expect(seams(["still"]), equals: 0)
        expect(seams(["still", "other"]), atLeast: 2)
    }

    @Test(arguments: [Until.longest, .shortest])
    func aHundredIterationsTogetherKeepTheirPairingThoughOneOpensSlowly(until: Until) {
        var layout = Layout.of([["a"], ["b", "c"], ["slow"]])
        layout.groups[0].loop = .together
        layout.groups[0].until = until
        layout.tiles[1].offset = .milliseconds(200)
        let clips = [
            "a": FakeClip(frames: 60), "b": FakeClip(frames: 30, rate: 25), "c": FakeClip(frames: 20, rate: 24),
            "slow": FakeClip(frames: 50, opensIn: .seconds(2)),
        ]
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(220))
        let begins = [0, 2].map { tile in
            world.shown[tile].filter { $0.frame?.number == 0 && $0.at > .seconds(110) }.map(\.at)
        }
        expect(begins[0].count, atLeast: 100)
        expect(begins[0], equals: begins[1])
        // The offset tile enters each iteration at its sixth frame (0.2 s at 25 a second).
        let second = Dictionary(uniqueKeysWithValues: world.shown[1].compactMap { s in s.frame.map { (s.at, $0) } })
        for begin in begins[0] { expect(second[begin], equals: FakeFrame(clip: "b", number: 5)) }
    }

    @Test func inPointsInTheMiddleOfALongGroupOfFramesAreNotLate() {
        let layout = Layout.of((0..<4).map { ["long\($0)", "other\($0)"] }) { tile in
            tile.play[0].segments[0].start = Time(180, ofUnits: 1, over: 30)
            tile.play[0].segments[0].end = Time(240, ofUnits: 1, over: 30)
        }
        var clips: [String: FakeClip] = [:]
        for tile in 0..<4 {
            clips["long\(tile)"] = FakeClip(frames: 250, framesDecodeIn: .milliseconds(4), gop: 250)
            clips["other\(tile)"] = FakeClip(frames: 30)
        }
        var world = Simulation(layout, clips: clips)
        // The clock waits at most half a second for the first frames.
        world.run(for: .seconds(2))
        let droppedAtStart = world.dropped
        world.run(for: .seconds(30))
        expect(world.dropped, equals: droppedAtStart)
    }

    @Test func aLateWarmUpKeepsTheLastFrameAndSaysWhy() {
        let layout = Layout.of([["a", "late"], ["b"]])
        let clips = [
            "a": FakeClip(frames: 30), "late": FakeClip(frames: 30, opensIn: .seconds(4)),
            "b": FakeClip(frames: 60),
        ]
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(20))
        expect(world.slips(1, cycle: ["b"]), equals: 0)
        expect(world.longestHold(1), atMost: frame + .milliseconds(1))
        expect(!world.shown[0].drop { $0.frame == nil }.contains { $0.frame == nil })
        let late = world.events.compactMap { event -> String? in
            if case .seam("tile1", _, _, let late, let reason) = event.what, late > .seconds(1) { reason } else { nil }
        }
        expect(late.first, equals: "its source was not open in time")
    }

    @Test func afterAStopItGoesOnWhereTheClockIs() {
        let layout = Layout.of([["a"], ["b", "c"], ["short"]])
        let clips = [
            "a": FakeClip(frames: 60), "b": FakeClip(frames: 45), "c": FakeClip(frames: 100, rate: 25),
            "short": FakeClip(frames: 7),
        ]
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(10))
        // The wall did not run for 61 s, as when the machine sleeps.
        world.now += .seconds(61)
        let before = world.shown.map(\.count)
        let dropped = world.dropped
        world.run(for: .seconds(1))
        for tile in 0..<3 {
            expect(world.shown[tile].count - before[tile], atMost: 32, "\(tile)")
        }
        let (lost, likely) = (world.dropped - dropped, 3 * 61 * 27...3 * 62 * 30)
        expect(likely.contains(lost), "\(lost)")
        let due = Int((world.now - .seconds(100)).ticks * 30 / Time.seconds(1).ticks) % 60
        let apart = abs((world.frameNow("tile1")?.number ?? 30) - due)
        expect(min(apart, 60 - apart), atMost: 1)
    }

    /// The wall stops at many places of an item, also while the next source is being opened.
    @Test(arguments: ["/film.mp4", "http://server/film.mp4"], [5, 60, 150, 400])
    func afterAStopAnItemThatOpensSlowlyIsOnTheClock(_ source: String, opensIn milliseconds: Int64) {
        for phase in seeds(42, from: 0) {
            let clips = [source: FakeClip(frames: 60, opensIn: .milliseconds(milliseconds))]
            var world = Simulation(Layout.of([[source]]), clips: clips)
            world.decoderOpensIn = .milliseconds(40)
            world.run(for: .seconds(8) + .milliseconds(Int64(phase) * 50))
            let before = offset(world)
            world.now += .seconds(12)
            world.run(for: .seconds(3))
            let apart = (offset(world) - before + 60) % 60
            expect(min(apart, 60 - apart), atMost: 1, "stopped after \(phase * 50) ms of the item")
        }
        /// Frames that the tile is ahead of a clock that began at zero.
        func offset(_ world: Simulation) -> Int {
            let due = Int((world.now - .seconds(100)).ticks * 30 / Time.seconds(1).ticks) % 60
            return ((world.frameNow("tile1")?.number ?? 30) - due + 60) % 60
        }
    }

    @Test func aDamagedItemInTheMiddleDisturbsNobody() {
        let layout = Layout.of([["a", "bad", "b"], ["c"]])
        let clips = [
            "a": FakeClip(frames: 30), "b": FakeClip(frames: 30), "c": FakeClip(frames: 60),
            "bad": FakeClip(frames: 0, trouble: SourceTrouble(.damaged, "no frame in it")),
        ]
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(20))
        expect(world.slips(0, cycle: ["a", "b"]), equals: 0)
        expect(world.slips(1, cycle: ["c"]), equals: 0)
        expect(world.dropped, equals: 0)
        let troubles = world.events.count { if case .trouble = $0.what { true } else { false } }
        expect(troubles, equals: 1)
    }

    @Test func sixteenTilesHaveAFrameOfTheirOwnWithinTwoSeconds() {
        let layout = Layout.of((0..<16).map { ["clip\($0)"] })
        let clips = Dictionary(
            uniqueKeysWithValues: (0..<16).map {
                ("clip\($0)", FakeClip(frames: 90, opensIn: .milliseconds(20)))
            })
        var world = Simulation(layout, clips: clips)
        world.decoderOpensIn = .milliseconds(30)
        world.run(for: .seconds(60))
        for tile in 0..<16 {
            expect(world.shown[tile].first { $0.frame != nil }.map { $0.at < .seconds(102) } ?? false)
            expect(world.numbers(tile).count, above: 100)
        }
    }

    @Test(arguments: [Overflow.first, .largest]) func theFirstOrTheLargestPlay(overflow: Overflow) {
        var layout = Layout.of((0..<6).map { ["clip\($0)"] })
        layout.overflow = overflow
        layout.grid.columns = 7
        layout.tiles[5].place = .cell(column: 5, row: 0, columns: 2, rows: 1)
        let clips = Dictionary(uniqueKeysWithValues: (0..<6).map { ("clip\($0)", FakeClip(frames: 60)) })
        var world = Simulation(layout, clips: clips, pipelines: 2)
        world.run(for: .seconds(10))
        let playing = (0..<6).filter { world.numbers($0).count > 100 }
        expect(playing, equals: (overflow == .first ? [0, 1] : [0, 5]))
    }

    @Test func afterManyLoopsNothingIsLeftBehind() {
        var world = Simulation(
            .of([["a", "b"], ["short"]]),
            clips: [
                "a": FakeClip(frames: 15), "b": FakeClip(frames: 15), "short": FakeClip(frames: 15),
            ])
        world.run(for: .seconds(50))
        let open = world.openSources.count
        world.run(for: .seconds(950))
        expect(world.openSources.count, atMost: open)
        expect(world.slips(0, cycle: ["a", "b"]), equals: 0)
        expect(world.slips(1, cycle: ["short"]), equals: 0)
    }
}

@Suite struct StillsInSimulatedTime {
    @Test func aSequenceOfStillsGoesOnByItself() {
        let layout = Layout.of([["red", "green", "blue"]]) { tile in
            for index in tile.play.indices { tile.play[index].duration = .milliseconds(400) }
        }
        let clips = Dictionary(
            uniqueKeysWithValues: ["red", "green", "blue"].map { ($0, FakeClip(frames: 1, isStill: true)) })
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(4))
        expect((9...11).contains(world.shown[0].count { $0.frame != nil }))
        expect(world.longestHold(0), atMost: .milliseconds(401))
    }
}
