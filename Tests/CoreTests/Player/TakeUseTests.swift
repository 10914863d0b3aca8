import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Heard
@testable import Layout
@testable import Player
@testable import Scene
@testable import SimulatedWall

/// Takes that play under the songs to which they were sung.
@Suite struct TakeUseTests {
    @Test(arguments: [.ended(.seconds(3)), .failed("No space left on device", kept: .seconds(2))] as [Event.TakeState])
    func aTakeIsUsedUnderItsSong(end: Event.TakeState) throws {
        var world = TakeTests.simulation()
        world.act { wall, _ in wall.takesCanBeRecorded(isOffered: true) }
        world.command(.record(.on))
        let session = try #require(world.wall.takes.session)
        let isThere = world.wall.carryOut(.useTake, at: world.now)
        expect(!isThere)
        world.act { wall, now in
            wall.take("/t/x.flac", of: session, .started(start: .seconds(1), source: "b"), at: now)
            wall.take("/t/x.flac", of: session, end, at: now)
        }
        let isUsed = world.wall.carryOut(.useTake, at: world.now)
        expect(isUsed)
        let runs = world.wall.soundScene(at: world.now).parts.flatMap(\.plan.runs)
        expect(runs.allSatisfy { ($0.source.location == "/t/x.flac") == $0.source.isSeparateFile })
        let reported = world.events.filter { if case .take = $0.what { true } else { false } }
        expect(reported.count, equals: 2)
        expect(world.wall.property("last-take", at: world.now), equals: .success(.text("/t/x.flac")))
    }

    @Test func theEndOfATakeShowsItsFile() throws {
        var world = TakeTests.simulation()
        world.act { wall, _ in wall.takesCanBeRecorded(isOffered: true) }
        world.command(.record(.on))
        let session = try #require(world.wall.takes.session)
        world.act { wall, now in
            wall.take("/t/x.flac", of: session, .started(start: .seconds(1), source: "b"), at: now)
            wall.take("/t/x.flac", of: session, .ended(.seconds(3)), at: now)
        }
        // The text is shown although no command came lately.
        expect(world.marked { _ in }.overlay.info, equals: ["recorded: x.flac"])
    }

    @Test func whileItRecordsTheLevelIsShownAndASilenceOfThreeSeconds() throws {
        var world = TakeTests.simulation()
        world.act { wall, _ in wall.takesCanBeRecorded(isOffered: true) }
        world.command(.record(.on))
        let session = try #require(world.wall.takes.session)
        func hear(_ peak: Float) { world.act { $0.recordingHas(peak: peak, of: session.number, at: $1) } }
        func marks() -> Marks? {
            world.marked { _ in }.views.compactMap(\.marks).first { $0.states.contains(.recording) }
        }
        hear(0.5)
        expect(marks()?.performance.level, equals: InputLevel(peak: 0.5))
        world.run(for: .milliseconds(2900))
        hear(0)
        expect(marks()?.performance.level?.step == 0 && marks()?.reasons == [])
        world.run(for: .milliseconds(200))
        expect(marks()?.reasons, equals: [.noSignal])
        hear(0.01)
        expect(marks()?.reasons, equals: [])
        // A level of another session does not count.
        world.act { $0.recordingHas(peak: 1, of: session.number + 1, at: $1) }
        expect(marks()?.performance.level, equals: InputLevel(peak: 0.01))
    }

    @Test func aTakeInUseIsSavedWithItsSong() throws {
        let text = """
            { "tiles": [ { "play": [ "a.mp4", { "src": "b.mp4", "audio": { "stems": [ { "name": "v", "src": "v.ogg" } ] } } ] } ] }
            """
        guard case .layout(let layout) = LayoutReader.read(Array(text.utf8), path: "/w/wall.json") else {
            throw CancellationError()
        }
        var world = Simulation(layout, clips: ["/w/a.mp4": FakeClip(frames: 90), "/w/b.mp4": FakeClip(frames: 90)])
        world.run(for: .milliseconds(100))
        for (source, item) in [("/w/a.mp4", 0), ("/w/b.mp4", 1)] {
            world.act { wall, _ in wall.takesCanBeRecorded(isOffered: true) }
            world.command(.record(.on))
            let session = try #require(world.wall.takes.session)
            world.act { wall, now in
                wall.take("/t/x.flac", of: session, item: item, .started(start: .zero, source: source), at: now)
                wall.take("/t/x.flac", of: session, .ended(.seconds(1)), at: now)
            }
            world.command(.goToItem(item))
            world.run(for: .milliseconds(200))
            let isUsed = world.wall.carryOut(.useTake, at: world.now)
            expect(isUsed)
        }
        let changes = LayoutTextChanges(from: world.wall.givenLayout, to: world.wall.presentLayout, in: "/w")
        let saved = try LayoutPatch.patched(Array(text.utf8), with: changes)
        guard case .layout(let again) = LayoutReader.read(saved, path: "/w/wall.json") else {
            throw CancellationError()
        }
        let stems = again.tiles[0].play.map { $0.audio.stems.map { "\($0.name) \($0.source)" } }
        expect(stems, equals: [["song /w/a.mp4", "take /t/x.flac"], ["v /w/v.ogg", "take /t/x.flac"]])
        expect(again.tiles[0].play.map { $0.segments[0].source }, equals: ["/w/a.mp4", "/w/b.mp4"])
        // A second save changes nothing.
        expect(try LayoutPatch.patched(saved, with: changes), equals: saved)
    }

    /// A take keeps its position whatever the offset of the stems beside it, and stays when a layout changes the stems.
    @Test func aTakeLiesWhereItWasSungAndStays() throws {
        func layout(volume: Int) -> Layout {
            var layout = Layout.of([["a"]])
            var stems = ItemAudio.Stems([ItemAudio.Stem("vocals", "v.ogg"), ItemAudio.Stem("take", "b.ogg")])
            (stems.offset, stems.files[0].volume) = (.milliseconds(300), volume)
            layout.tiles[0].play[0].audio = .stems(stems)
            return layout
        }
        var world = Simulation(layout(volume: 100), clips: ["a": FakeClip(frames: 90)])
        world.run(for: .milliseconds(100))
        world.act { wall, _ in wall.takesCanBeRecorded(isOffered: true) }
        world.command(.record(.on))
        let session = try #require(world.wall.takes.session)
        world.act { wall, now in
            wall.take("/t/x.flac", of: session, .started(start: .seconds(1), source: "a"), at: now)
            wall.take("/t/x.flac", of: session, .ended(.seconds(2)), at: now)
        }
        let isUsed = world.wall.carryOut(.useTake, at: world.now)
        expect(isUsed)
        world.apply(layout(volume: 80))
        expect(world.wall.tiles[0].play[0].audio.stems.map(\.name), equals: ["vocals", "take", "take2"])
        expect(world.wall.tiles[0].play[0].audio.stems.map(\.volume), equals: [80, 100, 100])
        let from = world.wall.soundScene(at: world.now).parts.map { $0.plan.runs[0].from }
        let early = Time.zero - .milliseconds(300)
        expect(from, equals: [early, early, .zero])
    }

    private func takes(_ world: inout Simulation, _ source: String, item: Int) throws {
        world.act { wall, _ in wall.takesCanBeRecorded(isOffered: true) }
        world.command(.record(.on))
        let session = try #require(world.wall.takes.session)
        world.act { wall, now in
            wall.take("/t/x.flac", of: session, item: item, .started(start: .zero, source: source), at: now)
            // A take that is still being written can't be used.
            _ = wall.carryOut(.useTake, at: now)
            wall.take("/t/x.flac", of: session, .ended(.seconds(1)), at: now)
        }
        let isUntouched = world.wall.tiles[0].play.allSatisfy { $0.audio.stems.isEmpty }
        expect(isUntouched)
    }

    @Test func aTakeIsUsedUnderTheItemThatItWasSungTo() throws {
        for sung in 0...2 {
            var layout = Layout.of([["a", "a", "a"]])
            layout.tiles[0].play[1].audio = .track(2)
            var world = Simulation(layout, clips: ["a": FakeClip(frames: 90)])
            world.run(for: .milliseconds(100))
            try takes(&world, "a", item: sung)
            let isUsed = world.wall.carryOut(.useTake, at: world.now)
            expect(isUsed)
            let stems = world.wall.tiles[0].play.map { $0.audio.stems.map(\.name) }
            expect(stems, equals: (0...2).map { $0 == sung ? ["song", "take"] : [] })
            expect(sung != 1 || world.wall.tiles[0].play[1].audio.stems[0].track == .number(2))
        }
    }

    @Test func aTakeThatIsUsedInABreakIsThereAfterIt() throws {
        var layout = Layout.of([["a", "b"]])
        var entry = BreakLayout(name: "ad", play: [Item(source: "b")])
        entry.when = .now
        layout.breaks = [entry]
        var world = Simulation(layout, clips: ["a": FakeClip(frames: 90), "b": FakeClip(frames: 60)])
        world.run(for: .seconds(1))
        try takes(&world, "a", item: 0)
        world.command(.playBreak("ad"))
        world.run(for: .milliseconds(500))
        let isUsed = world.wall.carryOut(.useTake, at: world.now)
        expect(isUsed)
        world.run(for: .seconds(3))
        expect(world.wall.tiles[0].play.map { $0.audio.stems.count }, equals: [2, 0])
    }

    @Test func underSeveralFilmsThereIsNoPlaceForATake() throws {
        var layout = Layout.of([["a"]])
        layout.tiles[0].play[0].segments.append(.init(source: "b"))
        var world = Simulation(layout, clips: ["a": FakeClip(frames: 90), "b": FakeClip(frames: 60)])
        world.run(for: .milliseconds(100))
        try takes(&world, "a", item: 0)
        let isUsed = world.wall.carryOut(.useTake, at: world.now)
        expect(!isUsed)
        expect(world.wall.tiles[0].play[0].audio.stems.isEmpty)
    }

    /// The microphone is recorded beside a camera only if the layout asks for it.
    @Test func aCameraIsRecordedWithItsOwnSound() throws {
        func recorded(_ source: String, _ change: (inout Layout) -> Void = { _ in }) throws -> TakeSource {
            var layout = Layout.of([[source]])
            layout.tiles[0].isMuted = true
            change(&layout)
            let camera = FakeClip(frames: 9000, rate: 25, madeFrom: .seconds(40))
            var world = Simulation(layout, clips: ["udp://a": camera, "film": FakeClip(frames: 900)])
            world.run(for: .seconds(2))
            world.act { wall, _ in wall.takesCanBeRecorded(isOffered: true) }
            world.command(.record(.on))
            let session = try #require(world.wall.takes.session), now = world.now
            world.act { wall, _ in
                let scene = wall.player.snapshot(at: now).soundScene(of: session.tile)
                expect(scene.parts.map(\.gain), equals: [1])
                expect(scene.parts.first?.plan.runs.first?.source.location, equals: source)
                expect(wall.soundScene(at: now).parts.map(\.gain), equals: [0])
            }
            return session.source
        }
        expect(try recorded("udp://a"), equals: .ownSound)
        expect(try recorded("udp://a") { $0.audio.input = "mic" }, equals: .microphone("mic"))
        expect(try recorded("udp://a") { $0.audio.monitorsInput = true }, equals: .microphone(nil))
        expect(try recorded("film"), equals: .microphone(nil))
    }
}
