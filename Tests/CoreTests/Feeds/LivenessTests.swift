import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Live tiles whose frames are old, in a simulated wall.
@Suite struct LivenessTests {
    private let live = FakeClip(frames: 25 * 600, rate: 25, madeFrom: .seconds(40))

    private func wall(
        _ sources: [String] = ["udp://a"], pipelines: Int = 4, clips: [String: FakeClip] = [:],
        _ change: (inout Layout) -> Void = { _ in }
    ) -> Simulation {
        var layout = Layout.of(sources.map { [$0] })
        change(&layout)
        let known = Dictionary(uniqueKeysWithValues: sources.map { ($0, live) })
        return Simulation(layout, clips: known.merging(clips) { $1 }, pipelines: pipelines)
    }

    private func silent(from begin: Time, for length: Time) -> FakeClip {
        var clip = live
        clip.isSilent = begin..<begin + length
        return clip
    }

    /// Returns when the newest frame of a tile was shown.
    private func newest(_ world: Simulation, _ tile: Int = 0) -> Time { world.shown[tile].last!.at }

    private func ill(_ world: Simulation) -> [(id: String, reason: String, missing: Double)] {
        tiles(world).map { ($0["id"]?.asText ?? "", $0["reason"]?.asText ?? "", $0["missing-for"]?.asNumber ?? -1) }
    }

    private func states(_ world: Simulation) -> [String] { tiles(world).map { $0["state"]?.asText ?? "" } }

    private func tiles(_ world: Simulation) -> [PropertyValue] {
        guard case .success(let health) = world.wall.property("health", at: world.now),
            case .list(let ill)? = health["ill"]
        else { return [] }
        return ill
    }

    private func reported(_ world: Simulation) -> [String] {
        world.events.compactMap { event in
            switch event.what {
            case .stale(let tile, let source, let time): "stale \(tile) \(source) \(fixed(time.seconds, 1))"
            case .frozen(let tile, let source, let time): "frozen \(tile) \(source) \(fixed(time.seconds, 1))"
            case .recovered(let tile, let source, let time, let from):
                "recovered \(tile) \(source) \(fixed(time.seconds, 1)) \(from.rawValue)"
            case .trouble(_, let source, _, _, let trouble): "trouble \(source): \(trouble.what)"
            default: nil
            }
        }
    }

    // MARK: stale

    @Test func aTileWithoutNewFramesIsDimmedAndSaysSinceWhen() throws {
        var world = wall(clips: ["udp://a": silent(from: .seconds(102), for: .milliseconds(7500))])
        world.run(for: .seconds(4))
        let last = newest(world)
        world.run(for: .milliseconds(5500))
        expect(world.dims[0]!.map(\.isThere), equals: [true])
        expect((world.dims[0]![0].at - last - .seconds(5)).magnitude, below: .milliseconds(5))
        world.run(for: .seconds(3))
        let seconds = world.reasons[0]!
        expect(seconds.map(\.texts).dropLast(), equals: (5...7).map { ["no new frame for \($0) s"] })
        for (place, reason) in seconds.dropLast().enumerated() {
            expect((reason.at - last - .seconds(Int64(5 + place))).magnitude, below: .milliseconds(5))
        }
        // The tile is bright again with the first new frame, not later.
        let first = try #require(world.shown[0].first { $0.at > last })
        expect(world.dims[0]!.map(\.isThere) == [true, false] && seconds.last?.texts == [])
        expect(
            (world.dims[0]![1].at - first.at).magnitude, atMost: .milliseconds(1), "\(world.dims[0]![1].at - first.at)")
        let gone = fixed((first.at - last).seconds, 1)
        expect(reported(world), equals: ["stale tile1 udp://a 5.0", "recovered tile1 udp://a \(gone) away"])
    }

    @Test func eachTileHasItsOwnLimit() {
        var clips: [String: FakeClip] = [:]
        for name in ["udp://a", "udp://b", "udp://c"] { clips[name] = silent(from: .seconds(102), for: .seconds(60)) }
        var world = wall(["udp://a", "udp://b", "udp://c"], clips: clips) {
            $0.staleAfter = .after(.seconds(20))
            $0.tiles[0].staleAfter = .after(.milliseconds(1500))
            $0.tiles[1].staleAfter = TimeLimit.never
        }
        world.run(for: .seconds(4))
        expect(world.dims[0]?.count == 1 && world.dims[2] == nil)
        world.run(for: .seconds(30))
        expect(world.dims[1] == nil && world.dims[2]?.count == 1)
        expect((world.dims[2]![0].at - newest(world, 2) - .seconds(20)).magnitude, below: .milliseconds(5))
        // The limit of another layout applies at once.
        var layout = Layout.of([["udp://a"], ["udp://b"], ["udp://c"]])
        layout.staleAfter = .never
        world.apply(layout)
        world.run(for: .milliseconds(1))
        expect(world.dims[0]!.last?.isThere == false && world.dims[2]!.last?.isThere == false)
    }

    @Test(arguments: [true, false]) func visitorsSeeItDimmedAndNothingElse(isForVisitors: Bool) {
        var world = wall(clips: ["udp://a": silent(from: .seconds(102), for: .seconds(60))]) {
            $0.window.input = isForVisitors ? .none : .all
        }
        world.run(for: .seconds(20))
        expect(world.dims[0]!.map(\.isThere), equals: [true])
        expect(world.spinners[0].isEmpty == isForVisitors && (world.reasons[0] == nil) == isForVisitors)
    }

    /// A camera sends two frames a second, and once none for over a second.
    @Test func aSlowCameraDoesNotSeemToWait() {
        var slow = live
        (slow.rate, slow.isSilent) = (2, .seconds(108) ..< .milliseconds(109_300))
        let fast = silent(from: .seconds(108), for: .milliseconds(1300))
        var world = wall(["udp://a", "udp://b"], clips: ["udp://a": slow, "udp://b": fast])
        world.run(for: .seconds(20))
        let late = world.spinners.map { $0.filter { $0.at > .seconds(103) }.map(\.isThere) }
        expect(late[0].isEmpty && late[1] == [true, false], "\(late)")
    }

    @Test func aLiveTileHasNoPlaceInTime() {
        var world = wall(["udp://a", "film"], clips: ["film": FakeClip(frames: 600)])
        world.run(for: .seconds(3))
        let now = world.now
        let marks = world.marked { $0.commanded(at: now) }.views.map(\.marks)
        expect(marks[0].progress == nil && marks[1].progress != nil)
    }

    @Test func aPauseMakesNoFrameOld() {
        var world = wall()
        world.run(for: .seconds(3))
        world.command(.pause(.on, .group))
        world.run(for: .seconds(60))
        expect(world.dims[0] == nil && ill(world).isEmpty)
        world.command(.pause(.off, .group))
        world.run(for: .seconds(5))
        expect(world.dims[0] == nil && ill(world).isEmpty && reported(world).isEmpty)
    }

    @Test func aFilmThatStandsIsNotStale() {
        var world = wall(["film"], clips: ["film": FakeClip(frames: 60)]) { $0.tiles[0].loop = .iterations(1) }
        world.run(for: .seconds(60))
        expect(world.dims[0] == nil && reported(world).isEmpty)
    }

    // MARK: health

    /// The camera's server accepts connections and sends nothing.
    @Test func aDeadCameraStaysIllUntilANewFrameIsPresented() throws {
        var world = wall()
        world.run(for: .seconds(3))
        world.clips["udp://a"] = silent(from: world.now, for: .seconds(90))
        world.run(for: .seconds(1))
        let last = newest(world)
        for second in 2...89 {
            world.run(for: .seconds(1))
            // The read is given up, and the new connection brings no frame.
            if second % 20 == 10 { world.breakOff("udp://a", SourceTrouble(.timeout, "no answer in time")) }
            let ill = ill(world)
            guard second >= 6 else { continue }
            try #require(ill.map(\.id) == ["tile1"], "after \(second) s: \(ill)")
            expect(abs(ill[0].missing - (world.now - last).seconds), below: 0.01, "after \(second) s: \(ill)")
        }
        world.run(for: .seconds(70))
        expect(ill(world).isEmpty)
        let back = try #require(world.shown[0].first { $0.at > last }).at
        expect(
            reported(world).last, equals: "recovered tile1 udp://a \(fixed((back - last).seconds, 1)) away",
            "\(reported(world))")
        expect(reported(world).count { $0.hasPrefix("recovered") }, equals: 1)
    }

    @Test func aFilmThatComesIsBack() {
        var world = wall(["film"], clips: ["film": FakeClip(frames: 0, trouble: SourceTrouble(.missing, "gone"))])
        world.run(for: .seconds(10))
        world.clips["film"] = FakeClip(frames: 60)
        world.run(for: .seconds(20))
        let reported = reported(world)
        expect(
            reported.count == 2 && reported[0] == "trouble film: gone" && reported[1].hasPrefix("recovered tile1 film"),
            "\(reported)")
    }

    /// Buffered frames play on for a while after the connection was lost.
    @Test func framesFromBeforeALossAreNoSignOfLife() {
        let source = "http://s/film"
        var world = wall([source], clips: [source: FakeClip(frames: 600)])
        func recoveries() -> Int { reported(world).count { $0.hasPrefix("recovered") } }
        world.run(for: .seconds(3))
        world.clips[source]?.trouble = SourceTrouble(.unreachable, "refused")
        world.breakOff(source, SourceTrouble(.unreachable, "reading: the connection was lost"))
        let newest = newest(world)
        world.run(for: .seconds(6))
        expect(self.newest(world) > newest && recoveries() == 0, "\(reported(world))")
        world.clips[source]?.trouble = nil
        world.run(for: .seconds(12))
        expect(recoveries(), equals: 1, "\(reported(world))")
    }

    // MARK: seats

    @Test func aLiveTileThatLosesItsSeatIsDimmedUntilItPlaysAgain() throws {
        var world = wall(["udp://a", "udp://b", "udp://c"], pipelines: 2) { $0.overflow = .rotate(every: .seconds(16)) }
        world.run(for: .milliseconds(2500))
        expect(world.dims[0] == nil)
        world.run(for: .seconds(40))
        // A tile that plays all the time is never dimmed. The others are dimmed while they have no seat.
        expect(world.dims[0] == nil)
        for (tile, name) in [(1, "tile2"), (2, "tile3")] {
            let seats = world.events.compactMap { event -> (Time, Bool)? in
                if case .seat(name, let has) = event.what { (event.at, has) } else { nil }
            }.drop { !$0.1 }
            try #require(seats.count >= 4)
            for (lost, has) in seats where !has {
                expect(world.dims[tile]!.contains { $0.isThere && ($0.at - lost).magnitude < .milliseconds(50) })
            }
            for (begin, has) in seats.dropFirst() where has {
                guard let first = world.shown[tile].first(where: { $0.at > begin }) else { continue }
                expect(world.dims[tile]!.contains { !$0.isThere && ($0.at - first.at).magnitude < .milliseconds(5) })
            }
            expect(world.reasons[tile]!.contains { $0.texts == ["waits for a decoder"] })
        }
        expect(reported(world).isEmpty, "\(reported(world))")
    }

    @Test func healthNamesATileThatWaitsForADecoder() {
        var world = wall(["udp://a", "udp://b"], pipelines: 2) { $0.overflow = .first }
        world.run(for: .seconds(3))
        world.act { wall, now in wall.player.note(.pipelines(1), at: now) }
        world.run(for: .seconds(4))
        expect(ill(world).isEmpty)
        world.run(for: .seconds(4))
        expect(ill(world).map(\.id) == ["tile2"] && ill(world).first?.reason == "waits for a decoder")
        expect(states(world), equals: ["waiting"])
        expect(abs((ill(world).first?.missing ?? 0) - 8), below: 0.1, "\(ill(world))")
        world.act { wall, now in wall.player.note(.pipelines(2), at: now) }
        world.run(for: .seconds(2))
        expect(
            ill(world).isEmpty && world.dims[1]?.last?.isThere == false && reported(world).isEmpty, "\(reported(world))"
        )
    }

    /// The wall does not request the sound of a closed connection.
    @Test func noSoundIsWantedOfAConnectionThatTheWallHasClosed() {
        var world = wall(["udp://a", "udp://b"], pipelines: 1) { $0.overflow = .rotate(every: .seconds(2)) }
        var heard = 0
        for step in 0..<6000 {
            world.run(for: .milliseconds(2))
            if step % 1500 == 700 { world.command(.focus(.next)) }
            let (now, origins) = (world.now, world.liveOrigins)
            world.act { wall, _ in
                for run in wall.soundScene(at: now).parts.flatMap(\.plan.runs) {
                    heard += 1
                    expect(run.source.origin.map(origins.contains) ?? false, "\(run)")
                }
            }
        }
        expect(heard, above: 1000)
    }

    @Test func aWallOfLiveTilesSaysOnceWhatPlaysAllOfThem() throws {
        var world = wall(["udp://a", "udp://b", "udp://c"], pipelines: 2)
        let begin = world.now
        world.run(for: .seconds(30))
        let words = ["3 live tiles share 2 pipelines; --pipelines 3 plays all of them"]
        expect(world.notices.map(\.lines), equals: [words, []])
        expect(world.notices[0].at - begin, below: .seconds(1))
        expect((world.notices[1].at - world.notices[0].at - .seconds(10)).magnitude, below: .milliseconds(20))
        for (sources, input, pipelines) in [
            (["udp://a", "udp://b", "film"], WindowInput.all, 2), (["udp://a", "udp://b", "udp://c"], .none, 2),
            (["udp://a", "udp://b", "udp://c"], .all, 3),
        ] {
            var quiet = wall(sources, pipelines: pipelines, clips: ["film": FakeClip(frames: 60)]) {
                $0.window.input = input
            }
            quiet.run(for: .seconds(5))
            expect(quiet.notices.isEmpty, "\(quiet.notices)")
        }
    }

    // MARK: frozen

    @Test func framesThatShowOneFrameAreReported() throws {
        var clip = live
        clip.isFrozen = .seconds(104) ..< .seconds(114)
        var world = wall(["udp://a", "udp://b"], clips: ["udp://a": clip, "udp://b": clip]) {
            $0.tiles[0].frozenAfter = .after(.seconds(3))
        }
        world.run(for: .milliseconds(6900))
        expect(reported(world).isEmpty && ill(world).isEmpty)
        world.run(for: .milliseconds(2100))
        expect(reported(world), equals: ["frozen tile1 udp://a 3.0"])
        expect(ill(world).map(\.id) == ["tile1"] && states(world) == ["frozen"])
        expect(
            ill(world).first?.reason == "frozen: the same frame for 5 s"
                || ill(world).first?.reason == "frozen: the same frame for 4 s")
        expect(world.dims[0] == nil && world.reasons[0]!.last!.texts[0].hasPrefix("the same frame for "))
        world.run(for: .seconds(8))
        expect(
            reported(world).count == 2 && reported(world)[1] == "recovered tile1 udp://a 10.0 frozen",
            "\(reported(world))")
        expect(ill(world).isEmpty && world.reasons[0]!.last!.texts.isEmpty && world.reasons[1] == nil)
    }

    /// Without a decoder no frames are compared, so the tile is not reported as frozen.
    @Test func aTileThatLosesItsSeatIsNotFrozen() {
        var clip = live
        clip.isFrozen = .seconds(101) ..< .seconds(400)
        var layout = Layout.of([["udp://a"], ["udp://b"]])
        (layout.overflow, layout.frozenAfter) = (.rotate(every: .seconds(10)), .after(.seconds(2)))
        var world = Simulation(layout, clips: ["udp://a": clip, "udp://b": clip], pipelines: 1)
        world.run(for: .seconds(60))
        var frozen: Set<String> = []
        for event in world.events {
            switch event.what {
            case .frozen(let tile, _, _): expect(frozen.insert(tile).inserted, "reported twice")
            case .recovered(let tile, _, _, .freeze): frozen.remove(tile)
            case .seat(let tile, false): expect(!frozen.contains(tile))
            default: break
            }
        }
        expect(world.events.contains { if case .frozen = $0.what { true } else { false } })
    }

    @Test func whatIsNotAskedForIsNotCompared() {
        var world = wall(["udp://a", "film"], clips: ["film": FakeClip(frames: 600)])
        world.run(for: .seconds(3))
        func isWatched(_ world: Simulation) -> [Bool] {
            let playout = world.wall.player.playout(at: .zero)
            return (0..<2).map { world.wall.pool.lease(of: $0).map(playout.watchesStillness) ?? false }
        }
        expect(isWatched(world), equals: [false, false])
        var layout = Layout.of([["udp://a"], ["film"]])
        layout.frozenAfter = .after(.seconds(1))
        world.apply(layout)
        expect(isWatched(world).count { $0 }, equals: 1, "what is live alone")
    }
}
