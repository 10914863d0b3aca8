import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Heard
@testable import Layout
@testable import Player
@testable import Scene
@testable import SimulatedWall

@Suite struct SoundRulesTests {
    @Test(arguments: [(0, 0), (50, 0.125), (100, 1), (-5, 0), (200, 1)] as [(Int, Float)])
    func volumesSoundEven(volume: Int, gain: Float) {
        expect(Loudness.gain(ofVolume: volume), equals: gain)
    }

    @Test func aCrossfadeKeepsItsPower() {
        var (up, down) = (Ramp(at: 0), Ramp(at: 1))
        up.turn(to: 1)
        down.turn(to: 0)
        for _ in 0..<Ramp.usualLength {
            let (a, b) = (up.next(), down.next())
            expect(abs(a * a + b * b - 1), below: 1e-4)
        }
        expect(up.value == 1 && down.value == 0)
        expect(down.isSilent && !up.isMoving)
    }

    @Test func aRampHasNoStepEvenWhereItIsTurnedInItsMiddle() {
        var ramp = Ramp(at: 0)
        var (last, largest) = (ramp.value, Float(0))
        for sample in 0..<4000 {
            if sample == 100 { ramp.turn(to: 1) }
            if sample == 500 { ramp.turn(to: 0.3) }
            if sample == 700 { ramp.turn(to: 0) }
            let value = ramp.next()
            largest = max(largest, abs(value - last))
            last = value
        }
        expect(largest, below: 0.003)
        expect(last, equals: 0)
    }

    @Test(arguments: [(0, 0), (14_699, 1), (7_349, 0), (7_350, 1), (-7_350, 0), (-7_351, -1), (-14_700, -1)])
    func samplesAreTheNearest(ticks: Int64, sample: Int64) {
        expect(SoundGrid.sample(at: Time(ticks: ticks)), equals: sample)
    }

    @Test func aRunThatTheNextOneCutsIsOver() {
        let plan = SoundPlan(
            runs: [
                SoundRun(source: "a", start: .zero, end: .seconds(2)), SoundRun(source: "b", start: .seconds(2)),
                SoundRun(source: "c", start: .seconds(5), end: .seconds(6)),
            ], clock: Clock(position: .zero, rate: Rate(2)))
        let table: [(Int64, SoundPlan.Segment)] = [
            (-1, .gap(until: 0)), (0, .run(plan.runs[0], start: 0, end: 48_000)),
            (47_999, .run(plan.runs[0], start: 0, end: 48_000)),
            (48_000, .run(plan.runs[1], start: 48_000, end: 120_000)),
            (120_000, .run(plan.runs[2], start: 120_000, end: 144_000)), (144_000, .gap(until: nil)),
        ]
        for (sample, place) in table { expect(plan.segment(at: sample), equals: place, "at \(sample)") }
    }
}

@Suite struct AudioStateTests {
    private func layout(_ tiles: Int, _ mode: AudioMode = .focus) -> Layout {
        var layout = Layout.ofMedia((1...tiles).map { "\($0).mp4" })
        layout.audio.mode = mode
        return layout
    }

    private func heard(_ wall: Wall) -> [TileID] {
        wall.tiles.order.filter {
            if case .heard = wall.player.snapshot(at: .zero).verdict(on: $0) { true } else { false }
        }
    }

    @Test func exactlyTheFocusIsHeardAndMutingItPromotesNobody() {
        var wall = Wall(layout: layout(4), pipelines: 4)
        expect(heard(wall), equals: [0])
        wall.carryOut(.focus(.number(3)), at: .zero)
        expect(heard(wall), equals: [2])
        wall.carryOut(.focus(.number(7)), at: .zero)
        expect(heard(wall), equals: [2])
        wall.carryOut(.mute(.toggle, .tile), at: .zero)
        expect(heard(wall), equals: [])
        expect(wall.player.snapshot(at: .zero).verdict(on: 2), equals: .unheard(.muted))
        wall.carryOut(.focus(.next), at: .zero)
        expect(heard(wall), equals: [3])
        wall.carryOut(.focus(.next), at: .zero)
        expect(heard(wall), equals: [0])
        wall.carryOut(.focus(.previous), at: .zero)
        expect(heard(wall), equals: [3])
        wall.carryOut(.mute(.toggle, .wall), at: .zero)
        expect(wall.player.snapshot(at: .zero).verdict(on: 3), equals: .unheard(.wallMuted))
        let reported = wall.finishChange(at: .seconds(1)).events.compactMap { event -> String? in
            if case .focus(let tile) = event.what { tile } else { nil }
        }
        expect(reported, equals: ["tile3", "tile4", "tile1", "tile4"])
    }

    @Test func aMixHearsEveryUnmutedTile() {
        var layout = layout(3, .mix)
        layout.tiles[1].isMuted = true
        var wall = Wall(layout: layout, pipelines: 4)
        expect(heard(wall), equals: [0, 2])
        wall.carryOut(.volume(.by(-95), .wall), at: .zero)
        expect(wall.audioState.volume, equals: 5)
        wall.carryOut(.volume(.by(-95), .wall), at: .zero)
        expect(wall.player.snapshot(at: .zero).verdict(on: 0), equals: .unheard(.volumeZero))
    }

    @Test func oneTileAloneIsHeardAndThenAllAgain() {
        var layout = layout(3, .mix)
        layout.tiles[1].isMuted = true
        var wall = Wall(layout: layout, pipelines: 4)
        wall.carryOut(.solo(.toggle), at: .zero)
        expect(heard(wall) == [0] && wall.player.snapshot(at: .zero).verdict(on: 2) == .unheard(.notFocused))
        // Solo follows the focus; a muted tile stays muted.
        wall.carryOut(.focus(.number(3)), at: .zero)
        expect(heard(wall), equals: [2])
        wall.carryOut(.focus(.number(2)), at: .zero)
        expect(heard(wall), equals: [])
        wall.carryOut(.solo(.toggle), at: .zero)
        expect(heard(wall), equals: [0, 2])
    }

    @Test func theDelayIsChangedByHandAndStays() {
        var layout = layout(2)
        layout.audio.delayMilliseconds = 40
        var wall = Wall(layout: layout, pipelines: 4)
        for (change, delay) in [(Change.Amount.by(10), 50), (.by(-60), -10), (.to(5000), 1000), (.to(-30), -30)] {
            wall.carryOut(.audioDelay(change), at: .zero)
            expect(wall.soundScene(at: .zero).delay, equals: .milliseconds(Int64(delay)))
        }
        expect(
            wall.player.tileFeeds.transport.startDelay == .milliseconds(30)
                && wall.player.tileFeeds.transport.soundLag == .zero)
        expect(wall.property("audio-delay", at: .zero), equals: .success(.number(-0.03)))
        layout.tiles[1].label = "Other"
        wall.apply(layout, at: .zero)
        expect(wall.audioState.delayMilliseconds, equals: -30)
        layout.audio.delayMilliseconds = 20
        wall.apply(layout, at: .zero)
        expect(wall.audioState.delayMilliseconds, equals: 20)
        expect(wall.set("audio-delay", to: .number(0.125), at: .zero), equals: nil)
        expect(wall.audioState.delayMilliseconds, equals: 125)
    }

    /// Returns the state marks of each tile.
    private func marks(_ wall: inout Wall) -> [[Marks.StateMark]] {
        var visibility = MarksVisibility()
        visibility.commanded(at: .zero)
        var scene = wall.composeScene(at: .zero).scene
        _ = wall.mark(&scene, visibility.visibility(at: .zero).marks, at: .zero)
        return scene.views.map { $0.marks.states.filter { $0 != .paused } }
    }

    @Test(arguments: [AudioMode.focus, .mix])
    func whoIsHeardAndWhoIsMutedIsMarked(_ mode: AudioMode) {
        var layout = layout(4, mode)
        layout.tiles[2].isMuted = true
        var wall = Wall(layout: layout, pipelines: 4)
        let others: [Marks.StateMark] = mode == .mix ? [.heard] : []
        expect(marks(&wall), equals: [[.heard], others, [.muted], others])
        wall.carryOut(.solo(.on), at: .zero)
        expect(marks(&wall), equals: [[.heard], [], [.muted], []])
        wall.carryOut(.solo(.off), at: .zero)
        wall.carryOut(.mute(.on, .tile), at: .zero)
        expect(marks(&wall), equals: [[.muted], others, [.muted], others])
        wall.carryOut(.focus(.number(2)), at: .zero)
        expect(marks(&wall), equals: [[.muted], [.heard], [.muted], others])
        wall.player.note(.sounds([1: .soundless]), at: .zero)
        expect(marks(&wall), equals: [[.muted], [.focus], [.muted], others])
        wall.carryOut(.mute(.on, .wall), at: .zero)
        expect(marks(&wall), equals: Array(repeating: [.muted], count: 4))
    }

    @Test func aClickFocusesTheTileOnTop() {
        var wall = Wall(layout: layout(4), pipelines: 4)
        wall.carryOut(.focus(.at(Point(1000, 600))), at: .zero)
        expect(wall.focus, equals: 3)
        wall.carryOut(.focus(.at(Point(-5, 600))), at: .zero)
        expect(wall.focus, equals: 3)
    }

    @Test func whoeverHearsNothingIsReportedWhy() {
        var wall = Wall(layout: layout(2), pipelines: 4)
        expect(wall.whyUnheard(0) == nil && wall.whyUnheard(1) == .notFocused)
        wall.player.note(.sounds([0: .soundless]), at: .zero)
        expect(wall.whyUnheard(0), equals: .soundless)
        wall.player.note(.sounds([0: .noTrack(tracks: 1)]), at: .zero)
        expect(wall.whyUnheard(0), equals: .noTrack)
        wall.player.note(.outage(.sinkMuted), at: .zero)
        expect(wall.whyUnheard(0), equals: .sinkMuted)
        wall.player.note(.outage(.switchedOff), at: .zero)
        expect(wall.whyUnheard(0), equals: .switchedOff)
        wall.player.note(.outage(.noServer), at: .zero)
        expect(wall.whyUnheard(0), equals: .noServer)
        wall.carryOut(.mute(.toggle, .tile), at: .zero)
        expect(wall.whyUnheard(0), equals: .muted)
    }

    @Test func aSoundThatCanNotBeOpenedIsReportedOnce() {
        var wall = Wall(layout: layout(2), pipelines: 4)
        let condition = SoundCondition.failed(source: "x.wav", SourceTrouble(.missing, "no such file"))
        let reported: [[SoundID: SoundCondition]] = [[0: condition], [:], [0: condition, .bed: condition]]
        for conditions in reported { wall.player.note(.sounds(conditions), at: .zero) }
        expect(wall.whyUnheard(0), equals: .unplayable)
        let tiles = wall.finishChange(at: .seconds(1)).events.compactMap { event -> String? in
            guard case .trouble(let tile, let source, _, _, _) = event.what else { return nil }
            return "\(tile ?? "bed") \(source)"
        }
        expect(tiles, equals: ["tile1 x.wav", "bed x.wav"])
    }

    @Test func wrongSamplesAreReportedOnceForEachTileAndSource() {
        var wall = Wall(layout: layout(2), pipelines: 4)
        for sound: SoundID in [0, 0, 1, .bed] { wall.player.note(.mendedSound(sound, of: "x.wav"), at: .zero) }
        let tiles = wall.finishChange(at: .seconds(1)).events.compactMap { event -> String? in
            guard case .trouble(let tile, let source, _, _, let trouble) = event.what else { return nil }
            return "\(tile ?? "bed") \(source) \(trouble.kind)"
        }
        expect(tiles, equals: ["tile1 x.wav damaged", "tile2 x.wav damaged", "bed x.wav damaged"])
        expect(wall.whyUnheard(0), equals: nil, "it is heard")
    }

    @Test func tracksGoRound() {
        var wall = Wall(layout: layout(2), pipelines: 4)
        var heard: [Int?] = []
        wall.carryOut(.track(.next), at: .zero)
        expect(wall.tiles[0].track, equals: nil)
        wall.player.note(.sounds([0: .sounding(tracks: 3)]), at: .zero)
        for _ in 0..<4 {
            wall.carryOut(.track(.next), at: .zero)
            heard.append(wall.tiles[0].track)
        }
        expect(heard, equals: [2, 3, 1, 2])
    }
}

@Suite struct SoundSceneTests {
    @Test(arguments: [(-1.0, 1, 0), (-0.25, 1, 0.75), (0, 1, 1), (0.5, 0.5, 1), (1, 0, 1)] as [(Double, Float, Float)])
    func aBalanceTakesFromTheOtherSide(balance: Double, left: Float, right: Float) {
        var layout = Layout.of([["a"], ["b"]])
        (layout.tiles[0].balance, layout.tiles[1].balance) = (balance, -1)
        var world = Simulation(layout, clips: ["a": FakeClip(frames: 60), "b": FakeClip(frames: 60)])
        world.run(for: .seconds(1))
        let gains = world.wall.soundScene(at: world.now).parts.map(\.gain)
        expect(gains.map(\.left) == [left, 0] && gains.map(\.right) == [right, 0], "\(gains)")
    }

    @Test func aLoopsRunsFollowEachOtherExactly() {
        var world = Simulation(
            .ofMedia(["a", "b"]), clips: ["a": FakeClip(frames: 60), "b": FakeClip(frames: 61)])
        world.run(for: .seconds(9))
        let soundScene = world.wall.soundScene(at: world.now)
        expect(soundScene.parts.map(\.sound), equals: [0, 1])
        expect(soundScene.parts.map(\.gain), equals: [1, 0])
        expect(soundScene.title, equals: "a")
        for (part, length) in zip(soundScene.parts, [Time.seconds(2), Time(61, ofUnits: 1, over: 30)]) {
            let now = part.plan.sample(heardAt: world.now)
            guard case .run(let run, _, let end?) = part.plan.segment(at: now) else {
                Issue.record("nothing plays")
                continue
            }
            let count = part.plan.clock.position(at: world.now).ticks / length.ticks
            expect(run.start, equals: length * count)
            expect(end, equals: SoundGrid.sample(at: length * (count + 1)))
        }
    }

    private func began(_ world: Simulation) -> Time? {
        world.events.first { if case .clock(_, .playing, _, _, _) = $0.what { true } else { false } }?.at
    }

    @Test func aNegativeDelayHoldsTheFramesAndNotTheSound() throws {
        var layout = Layout.ofMedia(["a"])
        layout.audio.delayMilliseconds = -200
        var world = Simulation(layout, clips: ["a": FakeClip(frames: 60)])
        world.run(for: .seconds(1))
        let start = try #require(began(world))
        let second = try #require(world.shown[0].first { $0.frame?.number == 1 })
        expect(second.at, equals: start + .milliseconds(200) + Time(1, ofUnits: 1, over: 30))
        expect(world.wall.health[0].health.dropped == 0 && world.wall.health[0].health.late == 0)
        let clock = try #require(world.wall.soundScene(at: world.now).parts.first).plan.clock
        // The sound's clock runs later than the group's by the delay.
        expect(clock.position(at: start + .milliseconds(200)), equals: .zero)
        expect(clock.position(at: start + .milliseconds(700)), equals: .milliseconds(500))
        // The end of a pause holds the frames again.
        world.command(.pause(.toggle, .group))
        let standing = world.framesNow
        world.command(.pause(.toggle, .group))
        world.run(for: .milliseconds(190))
        expect(world.framesNow, equals: standing)
        world.run(for: .milliseconds(60))
        expect(world.framesNow != standing)
    }

    @Test func aDelayHearsARunOutThatIsOver() throws {
        var layout = Layout.ofMedia(["a"])
        layout.audio.delayMilliseconds = 500
        var world = Simulation(layout, clips: ["a": FakeClip(frames: 60)])
        world.run(for: .seconds(1))
        let start = try #require(began(world))
        for step in 0..<60 {
            world.run(for: .milliseconds(100))
            let plan = try #require(world.wall.soundScene(at: world.now).parts.first).plan
            let heard = plan.clock.position(at: world.now - .milliseconds(500))
            guard case .run(let run, _, _) = plan.segment(at: plan.sample(at: heard)) else {
                Issue.record("silence at \(heard), step \(step), since \(start)")
                continue
            }
            expect(run.start, equals: .seconds(heard.ticks / Time.ticksPerSecond / 2 * 2))
            expect(plan.runs.count, below: 5)
        }
    }

    @Test func itemsSayWhichSound() {
        var layout = Layout.ofMedia(["a"])
        var other = ItemAudio.OtherSound()
        (other.source, other.channel, other.offset, other.volume) = ("song", .left, .milliseconds(100), 50)
        layout.tiles[0].play[0].audio = .other(other)
        var world = Simulation(layout, clips: ["a": FakeClip(frames: 60)])
        world.run(for: .seconds(1))
        let run = world.wall.soundScene(at: world.now).parts.first?.plan.runs.first
        expect(run?.source.location == "song" && run?.source.choice.channel == .left && run?.gain == 0.125)
        expect(run?.from, equals: .milliseconds(-100))
    }
}
