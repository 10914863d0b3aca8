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

    @Test(arguments: [50, 300, 700]) func eachIsFetchedOnceAndJustInTime(milliseconds: Int64) throws {
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

    @Test func oneThatComesSlowlyIsShownAsOftenAsItComes() {
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

    @Test func anotherReadAheadOfAReloadTakesEffect() {
        let film = FakeClip(frames: 3000, framesDecodeIn: .milliseconds(1))
        var layout = Layout.of([["http://server/film.mp4"]])
        layout.memoryMiB = 4096
        layout.tiles[0].play[0].ahead = .seconds(1)
        var world = Simulation(layout, clips: ["http://server/film.mp4": film])
        world.run(for: .seconds(5))
        let before = (world.decoded["http://server/film.mp4"] ?? 0) - 150
        expect((15...45).contains(before), "\(before)")
        layout.tiles[0].play[0].ahead = .seconds(8)
        world.apply(layout)
        world.run(for: .seconds(5))
        let after = (world.decoded["http://server/film.mp4"] ?? 0) - 300
        expect((200...250).contains(after), "\(after)")
    }
}
