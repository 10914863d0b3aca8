import Expectations
import Testing

@testable import Base
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Still images on servers are fetched when they are due. The last image stays until the next one arrives.
@Suite struct PolledStillTests {
    private func world(_ sequence: [String], every duration: Time, takes: Time, for time: Time) -> Simulation {
        var layout = Layout.of([sequence])
        for item in layout.tiles[0].play.indices { layout.tiles[0].play[item].duration = duration }
        let still = FakeClip(frames: 1, opensIn: takes, isStill: true)
        var world = Simulation(
            layout,
            clips: [
                "http://cam/1.jpg": still, "http://cam/2.jpg?x=1": still, "http://cam/snap": still,
                "film": FakeClip(frames: 120),
            ])
        world.run(for: time)
        return world
    }

    private func asked(_ world: Simulation, _ location: String) -> [Time] {
        world.asked.filter { $0.location == location }.map(\.at)
    }

    private func begun(_ world: Simulation, _ location: String) -> [Time] {
        world.events.compactMap { event in
            if case .itemStart(_, _, let source) = event.what, source == location { event.at } else { nil }
        }
    }

    @Test(arguments: [50, 300, 700]) func aPolledStillIsFetchedOnceAndJustInTime(milliseconds: Int64) throws {
        let takes = Time.milliseconds(milliseconds)
        for sequence in [["http://cam/1.jpg"], ["http://cam/snap"], ["http://cam/1.jpg", "http://cam/2.jpg?x=1"]] {
            let world = world(sequence, every: .seconds(1), takes: takes, for: .seconds(60))
            let asked = world.asked.map(\.at)
            expect((58...62).contains(asked.count), "\(sequence): \(asked.count)")
            // The wall learns from the first few how long a fetch takes.
            for (fetched, next) in zip(asked, asked.dropFirst()).dropFirst(4) {
                expect(
                    (next - fetched - .seconds(1)).magnitude, below: .milliseconds(60), "\(sequence): \(next.seconds)")
            }
            for location in sequence {
                let starts = begun(world, location), asked = self.asked(world, location)
                for start in starts.dropFirst(4) {
                    let fetched = try #require(asked.last { $0 < start })
                    expect(
                        start - fetched, atMost: takes * 3 / 2 + .milliseconds(200),
                        "\(sequence): \((start - fetched).seconds)")
                }
            }
            expect(world.shown[0].drop { $0.frame == nil }.allSatisfy { $0.frame != nil })
        }
    }

    /// An image after a film is not fetched together with the film.
    @Test func theFirstIsFetchedWhenItIsDueToo() throws {
        let world = world(
            ["film", "http://cam/1.jpg"], every: .seconds(2), takes: .milliseconds(100), for: .seconds(15))
        for start in begun(world, "http://cam/1.jpg") {
            let fetched = try #require(asked(world, "http://cam/1.jpg").last { $0 < start })
            expect(start - fetched, atMost: .milliseconds(1300), "\((start - fetched).seconds)")
        }
        expect(asked(world, "http://cam/1.jpg").count, atMost: 3)
    }

    @Test func aPolledStillThatComesSlowlyIsShownAsOftenAsItComes() {
        let world = world(["http://cam/1.jpg"], every: .seconds(1), takes: .milliseconds(1600), for: .seconds(60))
        expect((30...40).contains(world.asked.count), "\(world.asked.count)")
        expect(begun(world, "http://cam/1.jpg").count, atLeast: 25)
    }

    @Test func aShortOneIsFetchedAnewAsWell() {
        let world = world(["http://cam/1.jpg"], every: .milliseconds(400), takes: .milliseconds(60), for: .seconds(20))
        expect((45...52).contains(world.asked.count), "\(world.asked.count)")
    }

    /// Polls for a long time, with one server gone for a while.
    @Test func fourOfThemArePolledOnAndOn() {
        let names = (1...4).map { "http://cam/\($0).jpg" }
        var layout = Layout.of(names.map { [$0] })
        for tile in layout.tiles.indices { layout.tiles[tile].play[0].duration = .seconds(1) }
        let still = FakeClip(frames: 1, opensIn: .milliseconds(80), isStill: true)
        var world = Simulation(layout, clips: Dictionary(uniqueKeysWithValues: names.map { ($0, still) }))
        world.run(for: .seconds(600))
        world.clips[names[0]]?.trouble = SourceTrouble(.unreachable, "gone")
        world.run(for: .seconds(120))
        world.clips[names[0]]?.trouble = nil
        world.run(for: .seconds(880))
        for name in names.dropFirst() {
            expect((1590...1610).contains(world.openRequests[name] ?? 0), "\(world.openRequests)")
        }
        expect((1400...1500).contains(world.openRequests[names[0]] ?? 0), "\(world.openRequests)")
        expect(world.openSources.count <= 4 && names.allSatisfy { world.openRequestsUnderWay($0) <= 1 })
        expect(world.framesNow.allSatisfy { $0 != nil })
    }

    // MARK: old and frozen images

    private func camera(every duration: Time = .seconds(1), _ change: (inout Layout) -> Void = { _ in }) -> Simulation {
        var layout = Layout.of([["http://cam/1.jpg"]])
        layout.tiles[0].play[0].duration = duration
        layout.staleAfter = .after(.seconds(3))
        change(&layout)
        let still = FakeClip(frames: 1, opensIn: .milliseconds(80), isStill: true)
        return Simulation(layout, clips: ["http://cam/1.jpg": still])
    }

    private func ill(_ world: Simulation) -> [String] {
        guard case .success(let health) = world.wall.property("health", at: world.now),
            case .list(let ill)? = health["ill"]
        else { return ["?"] }
        return ill.map { "\($0["state"]?.asText ?? "") \($0["reason"]?.asText ?? "")" }
    }

    private func reported(_ world: Simulation) -> [String] {
        world.events.compactMap { event in
            switch event.what {
            case .stale(_, _, let time): "stale \(fixed(time.seconds, 0))"
            case .frozen(_, _, let time): "frozen \(fixed(time.seconds, 0))"
            case .recovered(_, _, let time, let from): "recovered \(fixed(time.seconds, 0)) \(from.rawValue)"
            case .trouble(_, _, _, _, let trouble): trouble.what
            default: nil
            }
        }
    }

    /// The server sends errors, and then accepts connections without an answer.
    @Test func anOldImageIsDimmedAndStatesThePresentFault() {
        var world = camera()
        world.run(for: .seconds(10))
        expect(world.dims[0] == nil && ill(world).isEmpty)
        world.clips["http://cam/1.jpg"]?.trouble = SourceTrouble(.unreachable, "refused")
        world.run(for: .seconds(6))
        expect(world.dims[0]?.map(\.isThere), equals: [true])
        expect(ill(world), equals: ["stale refused"])
        world.clips["http://cam/1.jpg"]?.trouble = nil
        world.run(for: .seconds(6))
        expect(world.dims[0]?.map(\.isThere) == [true, false] && ill(world).isEmpty)
        world.clips["http://cam/1.jpg"]?.opensIn = .seconds(600)
        world.run(for: .seconds(7))
        expect(ill(world).first?.hasPrefix("stale no answer for "), equals: true, "\(ill(world))")
        expect(world.dims[0]?.map(\.isThere), equals: [true, false, true])
        world.run(for: .seconds(30))
        expect(ill(world).first?.hasPrefix("stale no answer"), equals: true, "\(ill(world))")
        let events = reported(world)
        expect(events.count { $0.hasPrefix("stale") } == 2 && events.count { $0 == "refused" } == 1, "\(events)")
        expect(events.count { $0.hasPrefix("recovered") }, equals: 1, "\(events)")
        expect(world.framesNow.allSatisfy { $0 != nil })
    }

    /// An image that is fetched each minute is not old before the next one is due.
    @Test func anImageIsNotOldBeforeTheNextOneIsDue() {
        var world = camera(every: .seconds(20))
        world.run(for: .seconds(130))
        expect(world.dims[0] == nil && ill(world).isEmpty && reported(world).isEmpty, "\(reported(world))")
        world.clips["http://cam/1.jpg"]?.trouble = SourceTrouble(.unreachable, "refused")
        world.run(for: .seconds(40))
        expect(world.dims[0]?.map(\.isThere), equals: [true])
    }

    @Test func imagesThatStayEqualAreFrozen() {
        var world = camera { $0.frozenAfter = .after(.seconds(5)) }
        world.run(for: .seconds(10))
        expect(reported(world).isEmpty, "\(reported(world))")
        world.clips["http://cam/1.jpg"]?.isFrozen = world.now..<world.now + .seconds(10)
        world.run(for: .seconds(8))
        expect(ill(world).first?.hasPrefix("frozen"), equals: true, "\(ill(world))")
        expect(world.dims[0] == nil && world.reasons[0]?.last?.texts.first?.hasPrefix("the same frame") == true)
        world.run(for: .seconds(5))
        expect(ill(world).isEmpty)
        let events = reported(world)
        expect(events.count == 2 && events[0].hasPrefix("frozen") && events[1].hasSuffix("frozen"), "\(events)")
    }

    @Test func anotherReadAheadOfAReloadTakesEffect() {
        let film = FakeClip(frames: 3000, framesDecodeIn: .milliseconds(1))
        var layout = Layout.of([["http://server/film.mp4"]])
        layout.memoryMiB = 4096
        layout.tiles[0].play[0].fetching.ahead = .seconds(1)
        var world = Simulation(layout, clips: ["http://server/film.mp4": film])
        world.run(for: .seconds(5))
        let before = (world.decoded["http://server/film.mp4"] ?? 0) - 150
        expect((15...45).contains(before), "\(before)")
        layout.tiles[0].play[0].fetching.ahead = .seconds(8)
        world.apply(layout)
        world.run(for: .seconds(5))
        let after = (world.decoded["http://server/film.mp4"] ?? 0) - 300
        expect((200...250).contains(after), "\(after)")
    }
}
