import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Heard
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Tiles that are ill, since when, and when they are retried, on a simulated wall.
@Suite struct HealthTests {
    private let film = FakeClip(frames: 60)
    /// A film with its first frame about 8 s after the request.
    private let slow = FakeClip(frames: 60, opensIn: .seconds(8))

    private struct Illness {
        let id: String?
        let state: String?
        let missing: Double
        let nextTry: Double?
    }

    /// Returns the ill tiles. `missing` is -1 if it is not reported.
    private func ill(_ world: Simulation) throws -> [Illness] {
        let health = try world.wall.property("health", at: world.now).get()
        guard case .list(let ill)? = health["ill"] else { return [] }
        return ill.map { tile in
            Illness(
                id: tile["id"]?.asText, state: tile["state"]?.asText, missing: tile["missing-for"]?.asNumber ?? -1,
                nextTry: tile["next-try"]?.asNumber)
        }
    }

    /// Expects a tile that became due just now: well at first, ill after 6 s, and shown after 9 s.
    private func expectDueFromNow(_ world: inout Simulation, _ id: String) throws {
        var isWell: [Bool] = []
        func look(after time: Time) throws -> [Illness] {
            world.run(for: time)
            isWell.append(world.wall.showsWhatItCan(at: world.now))
            return try ill(world)
        }
        let early = try look(after: .seconds(4))
        expect(early.isEmpty, "\(early)")
        let late = try look(after: .seconds(2))
        expect(late.map(\.id) == [id] && abs((late.first?.missing ?? -1) - 6) < 0.1, "\(late)")
        expect(late.map(\.state), equals: ["late"])
        let atLast = try look(after: .seconds(3))
        expect(atLast.isEmpty && isWell == [true, false, true], "\(atLast), \(isWell)")
    }

    /// A tile that skips a broken file in each iteration is well, and names the file.
    @Test func aFileThatIsSkippedIsNamed() throws {
        var world = Simulation(.of([["film", "broken", "film", "broken"], ["film"]]), clips: ["film": film])
        world.clips["broken"] = FakeClip(frames: 0, trouble: SourceTrouble(.damaged, "no film"))
        func skipped() throws -> [String] {
            let health = try world.wall.property("health", at: world.now).get()
            expect(health["healthy"], equals: .flag(true))
            guard case .list(let skipped)? = health["skipped"] else { return ["none"] }
            return skipped.map { tile in
                ["id", "source", "reason"].map { tile[$0]?.asText ?? "" }.joined(separator: ", ")
            }
        }
        world.run(for: .seconds(20))
        expect(try skipped(), equals: ["tile1, broken, no film"])
        world.clips["broken"] = film
        world.act { wall, now in wall.fileChanged("broken", at: now) }
        world.run(for: .seconds(20))
        expect(try skipped(), equals: [])
    }

    @Test func aTileThatIsAddedIsDueFromThenOn() throws {
        var world = Simulation(.of([["film"]]), clips: ["film": film, "slow": slow])
        world.run(for: .seconds(60))
        let added = world.now
        world.apply(.of([["film"], ["slow"]]))
        try expectDueFromNow(&world, "tile2")
        let spinner = try #require(world.spinners[1].first)
        expect(spinner.at - added >= .milliseconds(300) && spinner.at - added < .milliseconds(340))
    }

    @Test func aFilmThatIsLoadedByHandIsDueFromThenOn() throws {
        var world = Simulation(.of([["gone"]]), clips: ["slow": slow])
        world.run(for: .seconds(60))
        let new = [Item(source: "slow")]
        world.act { wall, now in wall.carryOut(.sequence(.replace(new)), at: now) }
        try expectDueFromNow(&world, "tile1")
    }

    /// The second film's first frame takes 8 s to decode.
    @Test func aTileThatGetsItsSeatLateIsDueFromThenOn() throws {
        var layout = Layout.of([["film"], ["heavy"]])
        layout.overflow = .first
        var world = Simulation(
            layout, clips: ["film": film, "heavy": FakeClip(frames: 60, framesDecodeIn: .seconds(8))], pipelines: 2)
        world.act { wall, now in wall.player.note(.pipelines(1), at: now) }
        world.run(for: .seconds(60))
        world.act { wall, now in wall.player.note(.pipelines(2), at: now) }
        world.run(for: .seconds(4))
        let early = try ill(world)
        expect(early.isEmpty && world.wall.showsWhatItCan(at: world.now), "\(early)")
        world.run(for: .seconds(2))
        let late = try ill(world)
        expect(late.first?.id == "tile2" && abs((late.first?.missing ?? -1) - 6) < 0.1, "\(late)")
    }

    @Test func whatCanNotBePlayedIsMissingSinceItWasDue() throws {
        let odd = FakeClip(frames: 0, trouble: SourceTrouble(.unsupported, "no decoder for it"))
        var world = Simulation(.of([["gone"], ["odd"]]), clips: ["odd": odd])
        world.run(for: .seconds(40))
        let ill = try ill(world)
        expect(ill.map(\.id) == ["tile1", "tile2"] && ill.map(\.state) == ["failed", "failed"], "\(ill)")
        expect(ill.allSatisfy { abs($0.missing - 40) < 0.1 }, "\(ill)")
        expect((0.1...60).contains(ill.first?.nextTry ?? -1) && ill.last?.nextTry == nil, "\(ill)")
    }

    /// The film's last frame stays on the screen.
    @Test func aFilmThatIsGoneIsMissingThroughAllTries() throws {
        var world = Simulation(.of([["film"]]), clips: ["film": film])
        world.run(for: .seconds(5))
        world.clips["film"]!.trouble = SourceTrouble(.missing, "no such file")
        world.act { wall, now in wall.fileChanged("film", at: now) }
        world.run(for: .seconds(20))
        let early = try #require(try ill(world).first), tries = world.openRequests["film"]
        world.run(for: .seconds(20))
        let late = try #require(try ill(world).first)
        expect((15...20).contains(early.missing) && abs(late.missing - early.missing - 20) < 0.1, "\(early), \(late)")
        expect(late.state == "failed" && late.nextTry != nil)
        expect(world.openRequests["film"] != tries && world.framesNow[0] != nil)
    }

    @Test func aLiveSourceThatIsAwaySaysWhenItIsTriedAgain() throws {
        let live = FakeClip(frames: 25 * 62, rate: 25, madeFrom: .seconds(40))
        var world = Simulation(.of([["film"], ["udp://live"]]), clips: ["film": film, "udp://live": live])
        world.run(for: .milliseconds(2500))
        world.clips["udp://live"] = FakeClip(frames: 0, trouble: SourceTrouble(.unreachable, "gone"))
        world.run(for: .seconds(20))
        let ill = try ill(world)
        expect(ill.map(\.id) == ["tile2"] && ill.map(\.state) == ["stale"], "\(ill)")
        expect((15...21).contains(ill.first?.missing ?? -1), "\(ill)")
        expect((0.1...40).contains(ill.first?.nextTry ?? -1), "\(ill)")
    }

    /// Each frame of the film is due only for a moment.
    @Test func aDisplayThatStandsStillShowsNothing() throws {
        var world = Simulation(.of([["film"]]), clips: ["film": film])
        world.run(for: .seconds(2))
        world.displayStandsStill = true
        world.run(for: .seconds(4))
        try expect(ill(world).isEmpty)
        world.run(for: .seconds(2))
        let ill = try ill(world)
        expect(ill.map(\.id) == ["tile1"] && abs((ill.first?.missing ?? -1) - 6) < 0.1, "\(ill)")
        world.displayStandsStill = false
        world.run(for: .milliseconds(100))
        try expect(self.ill(world).isEmpty)
    }

    @Test func aLiveTileThatIsHeardAndGivesNoSoundIsIll() throws {
        let camera = FakeClip(frames: 25 * 600, rate: 25, madeFrom: .seconds(40))
        var world = Simulation(.of([["udp://camera"]]), clips: ["udp://camera": camera])
        let sound = world.wall.tiles[0].sound
        func note(_ condition: SoundCondition) { world.act { $0.player.note(.sounds([sound: condition]), at: $1) } }
        func states() throws -> [String] { try ill(world).compactMap(\.state) }
        world.run(for: .seconds(1))
        note(.sounding(tracks: 1))
        try expect(states().isEmpty)
        note(.stalled(tracks: 1))
        try expect(states(), equals: ["silent"])
        // A tile that is not to be heard is well.
        world.act { _ = $0.carryOut(.mute(.on, .wall), at: $1) }
        try expect(states().isEmpty)
        world.act { _ = $0.carryOut(.mute(.off, .wall), at: $1) }
        // A sound that fails is tried again for a while.
        note(.failed(source: "udp://camera", SourceTrouble(.unreachable, "its connection has ended")))
        try expect(states().isEmpty)
        world.run(for: .seconds(6))
        try expect(states(), equals: ["silent"])
        note(.sounding(tracks: 1))
        try expect(states().isEmpty)
    }

    @Test func aSoundWithoutAFrameIsIllWhereItIsNotHeard() throws {
        let lost = SourceTrouble(.unreachable, "there is no such sound input")
        var world = Simulation(.of([["pulse://mic"]]), clips: ["pulse://mic": FakeClip(frames: 900, isSound: true)])
        let sound = world.wall.tiles[0].sound
        func note(_ condition: SoundCondition) { world.act { $0.player.note(.sounds([sound: condition]), at: $1) } }
        func seconds() -> Double { world.wall.feeds[0].screen.items.current?.shown(until: world.now).seconds ?? -1 }
        world.run(for: .milliseconds(100))
        note(.failed(source: "pulse://mic", lost))
        world.run(for: .seconds(6))
        let silent = try ill(world)
        expect(silent.map(\.id) == ["tile1"] && abs((silent.first?.missing ?? -1) - 6.1) < 0.1, "\(silent)")
        expect(world.wall.property("trouble", of: 0, at: world.now), equals: .success(.text(lost.what)))
        note(.sounding(tracks: 1))
        world.run(for: .seconds(6))
        try expect(ill(world).isEmpty)
        expect(world.wall.property("trouble", of: 0, at: world.now), equals: .success(.null))
        expect(abs(seconds() - 6), below: 0.1, "\(seconds())")
        note(.failed(source: "pulse://mic", lost))
        world.run(for: .seconds(4))
        try expect(ill(world).isEmpty)
        world.act { $0.player.note(.ends, at: $1) }
        let reported = world.events.compactMap { event -> Double? in
            if case .itemEnd(let item, _, _) = event.what { item.shown(until: event.at).seconds } else { nil }
        }
        expect(reported.count == 1 && abs(reported[0] - 6) < 0.1, "\(reported)")
        let troubles = world.events.count { if case .trouble = $0.what { true } else { false } }
        expect(troubles, equals: 2, "once each time")
    }

    /// A folder whose films are gone stands in the sequence as itself, and can't be played.
    @Test(arguments: [OnError.next, .hold, .stop])
    func aTileThatHasLostItsFilmsKeepsItsLastFrame(_ onError: OnError) throws {
        var layout = Layout.of([["s/a"], ["film"]]) { $0.onError = onError }
        layout.window.input = .none
        var world = Simulation(layout, clips: ["s/a": film, "film": film])
        world.run(for: .seconds(3))
        expect(status(world), equals: "playing")
        layout.tiles[0].play = [Item(source: "s/")]
        world.apply(layout)
        world.run(for: .seconds(20))
        expect(world.framesNow[0]?.clip, equals: "s/a")
        let health = try world.wall.property("health", at: world.now).get()
        let isHealthy = onError == .stop
        expect(health["healthy"], equals: .flag(isHealthy))
        expect(status(world), equals: isHealthy ? "playing" : "ill: tile1 (no such file)")
        layout.tiles[0].play = [Item(source: "s/a")]
        world.apply(layout)
        world.run(for: .seconds(3))
        expect(status(world), equals: "playing")
    }

    private func status(_ world: Simulation) -> String {
        HealthReport(world.wall.player.snapshot(at: world.now)).status
    }

    @Test func theStatusTellsWhatTheWallDoes() {
        var world = Simulation(
            .of([["film"], ["slow"]]) { $0.loop = .iterations(1) }, clips: ["film": film, "slow": slow])
        world.run(for: .seconds(2))
        expect(status(world), equals: "without a frame: tile2")
        world.run(for: .seconds(5))
        let ill = status(world)
        expect(ill.hasPrefix("ill: tile2 (no frame for "), "\(ill)")
        world.act { wall, now in wall.player.note(.display(isOff: true), at: now) }
        world.run(for: .seconds(3))
        expect(status(world), equals: "the display is off")
        world.act { wall, now in wall.player.note(.display(isOff: false), at: now) }
        world.run(for: .seconds(4))
        expect(status(world), equals: "nothing is left to play")
    }
}
