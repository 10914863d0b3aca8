import Expectations
import Foundation
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Frames per second, as a fraction.
private struct RateExample: CustomStringConvertible {
    let numerator: Int64
    let denominator: Int64

    init(_ numerator: Int64, _ denominator: Int64 = 1) { (self.numerator, self.denominator) = (numerator, denominator) }

    var value: Double { Double(numerator) / Double(denominator) }
    var frame: Time { start(of: 1) }
    var description: String { "\(numerator)/\(denominator)" }

    func start(of frame: Int64) -> Time { Time(frame, ofUnits: denominator, over: numerator) }

    static let common = [
        RateExample(24000, 1001), RateExample(24), RateExample(25), RateExample(30000, 1001), RateExample(30),
        RateExample(48),
        RateExample(50), RateExample(60000, 1001), RateExample(60), RateExample(120000, 1001), RateExample(120),
    ]
}

/// The frame that is due if rates and times are written in decimals.
@Suite struct DueFrames {
    private static let timeline = Timeline(items: [Item(source: "a")], loop: .forever)

    /// Returns the number of the frame due at a group time. The slot holds the expected frame and its neighbours.
    private func due(_ expected: Int64, of film: RateExample, at rate: Rate, _ now: Time) -> Int64? {
        let slot = Slot(id: 1, RunID(iteration: 0), of: Self.timeline, start: .zero)
        for number in max(0, expected - 1)...expected + 1 {
            let start = film.start(of: number)
            let frame = Slot.TimedFrame(
                offset: start.lasting(at: rate), pts: start, serial: Int(number),
                frame: FakeFrame(clip: "a", number: Int(number)).frame)
            _ = slot.append(frame, to: film.start(of: number + 1).lasting(at: rate), at: .zero)
        }
        _ = slot.advance(to: now, keeping: .max)
        return Int64(slot.frames[slot.dueIndex].serial)
    }

    /// Every pair of common rates, and the rate between them, written with 3 to 12 decimals. Each output frame shows
    /// the film's frame of that number for four hours, or until the rounding error reaches the tolerance.
    @Test(arguments: RateExample.common.indices)
    func aRateInDecimalsMapsFrameToFrameForHours(index: Int) throws {
        let film = RateExample.common[index]
        var hours = 0
        for output in RateExample.common {
            let exact = output.value / film.value
            guard (Rate.slowest.value...Rate.fastest.value).contains(exact) else { continue }
            for decimals in 3...12 {
                let written = try #require(Double(String(format: "%.\(decimals)f", exact)))
                let rate = Rate(written)
                // Rounding error of a frame's start, as a share of a frame, for each frame before it.
                let drift = max(1e-13, abs(exact - written) / written)
                let last = Int64(min(4 * 3600 * output.value, 0.9 / 128 / drift))
                guard last > Int64(output.value) else { continue }
                if Double(last) > 3599 * output.value { hours += 1 }
                var item = Group(name: "main", .each, .longest)
                item.dueTolerance = film.frame.lasting(at: rate).dueTolerance
                var clock = item
                clock.dueTolerance = film.frame.dueTolerance
                clock.setRate(.to(rate), at: .zero)
                item.go(at: .zero, after: .zero)
                clock.go(at: .zero, after: .zero)
                let frames = [1, 2, 3, 7, 84, 85, 1000] + (1...40).map { last * $0 / 40 }
                for frame in frames where frame <= last {
                    let now = output.start(of: frame)
                    expect(
                        due(frame, of: film, at: rate, item.dueTime(at: now)), equals: frame,
                        "\(film) as \(output), rate \(written), frame \(frame)")
                    expect(
                        due(frame, of: film, at: .one, clock.dueTime(at: now)), equals: frame,
                        "\(film) as \(output), speed \(written), frame \(frame)")
                }
            }
        }
        // With eight decimals or more, each pair holds for at least an hour.
        expect(hours, atLeast: 5 * 8)
    }

    /// At no rate is a frame shown visibly early.
    @Test func theToleranceIsASmallPartOfAFrame() {
        for rate in RateExample.common + [RateExample(1), RateExample(240), RateExample(1000)] {
            let tolerance = rate.frame.dueTolerance
            expect(tolerance > .zero && tolerance * 120 < rate.frame && tolerance <= .milliseconds(1), "\(rate)")
        }
        expect(Time.zero.dueTolerance == .zero && (-Time.seconds(1)).dueTolerance == .zero)
    }

    @Test func aRateKeepsTwelveDecimals() {
        expect(Rate(1.0427083333).trillionths == 1_042_708_333_300 && Rate(1.0427083333).value == 1.0427083333)
        expect(Rate(1.5) * Rate(0.5) == Rate(0.75) && Rate(0.75) / Rate(0.5) == Rate(1.5))
        expect(Rate(millionths: 1_100_000) == Rate(1.1) && Rate(1.042708333333).millionths == 1_042_708)
        expect(Rate(.infinity) > .fastest && Rate(-.infinity) < .slowest && Rate(.nan) < .slowest)
    }
}

/// The same rule for every command that moves a clock, on a wall in simulated time.
@Suite struct DueFramesOfAWall {
    private static let clips = [
        // 23.976 frames a second.
        "film": FakeClip(frames: 240, rate: 24000, seconds: 1001),
        "next": FakeClip(frames: 250, rate: 25),
    ]
    /// Rate at which "film" plays at 25 frames a second.
    private static let rate = Rate(1.0427083333)

    private func frame(_ number: Int64) -> Time { Time(number, ofUnits: 1, over: 25) }

    private func world(_ items: [String] = ["film", "next"], in start: Time = .zero, out end: Time? = nil) -> Simulation
    {
        let layout = Layout.of([items]) { tile in
            for index in tile.play.indices where items[index] == "film" {
                tile.play[index].rate = Self.rate
                tile.play[index].segments[0].start = start
                tile.play[index].segments[0].end = end
            }
        }
        var world = Simulation(layout, clips: Self.clips)
        world.run(for: .seconds(1))
        world.command(.pause(.on, .group))
        world.run(for: .seconds(1))
        return world
    }

    private func seek(_ world: inout Simulation, to position: Time) {
        world.act { wall, now in
            wall.player.change(at: now) { $0.tileFeeds.transport.seek($0.clocks.main, to: position, at: now) }
        }
        world.run(for: .milliseconds(700))
    }

    /// Also across the seam: the film lasts 240 frames at 25 a second, and the next clip begins with its first frame.
    @Test func aJumpToAFrameOfTheOutputShowsThatFrame() {
        var world = world()
        for number in [1, 2, 3, 84, 85, 200, 238, 239, 240, 241, 5, 240] as [Int64] {
            seek(&world, to: frame(number))
            let due = number < 240 ? ("film", Int(number)) : ("next", Int(number) - 240)
            expect(world.framesNow[0].map { "\($0.clip) \($0.number)" }, equals: "\(due.0) \(due.1)")
        }
    }

    @Test func stepsGoFrameByFrameBothWaysAndOverTheSeam() {
        var world = world()
        seek(&world, to: frame(236))
        var seen: [Int] = []
        func step(_ by: Int) {
            world.command(.step(by: by, .group))
            world.run(for: .milliseconds(700))
            let frame = world.framesNow[0]
            seen.append((frame?.number ?? -1) + (frame?.clip == "next" ? 240 : 0))
        }
        for _ in 0..<7 { step(1) }
        for _ in 0..<7 { step(-1) }
        expect(seen, equals: [237, 238, 239, 240, 241, 242, 243, 242, 241, 240, 239, 238, 237, 236])
    }

    /// The frames of two tiles begin nearly together, so every step changes both.
    @Test func aStepOfAnyTileMovesAllWhoseFramesBeginTogether() {
        let layout = Layout.of([["film"], ["next"]]) { tile in
            if tile.play[0].segments[0].source == "film" { tile.play[0].rate = Self.rate }
        }
        var world = Simulation(layout, clips: Self.clips)
        world.run(for: .seconds(1))
        world.command(.pause(.on, .group))
        world.run(for: .seconds(1))
        seek(&world, to: frame(60))
        for (by, number) in [(1, 61), (1, 62), (-1, 61), (-1, 60), (-1, 59), (1, 60)] {
            world.command(.stepOfAny(by: by))
            world.run(for: .milliseconds(700))
            expect(world.framesNow.map { $0?.number }, equals: [number, number])
        }
    }

    /// The command shows the last frame of the item, not the next item.
    @Test func theEndOfAnItemIsItsLastFrame() {
        var world = world()
        world.command(.end(.group))
        world.run(for: .seconds(1))
        expect(world.framesNow[0].map { "\($0.clip) \($0.number)" }, equals: "film 239")
    }

    /// Both points are decimals, slightly before the frame boundaries that are meant.
    @Test func inAndOutPointsAreTheFramesThatWereMeant() {
        let start = Time(seconds: 1.0427), end = Time(seconds: 2.0854)
        expect(start < Self.clips["film"]!.start(of: 25) && end > Self.clips["film"]!.start(of: 49))
        var world = world(in: start, out: end)
        seek(&world, to: .zero)
        expect(world.framesNow[0]?.number, equals: 25)
        seek(&world, to: frame(24))
        expect(world.framesNow[0].map { "\($0.clip) \($0.number)" }, equals: "film 49")
        seek(&world, to: frame(25))
        expect(world.framesNow[0].map { "\($0.clip) \($0.number)" }, equals: "next 0")
        expect(world.dropped, equals: 0)
    }

    /// Frames A to B, both included, repeat. No frame outside of them is shown.
    @Test func anABLoopIsPlayedFrameByFrame() {
        var world = world()
        seek(&world, to: frame(10))
        world.command(.abLoop(.next, .group))
        seek(&world, to: frame(29))
        world.command(.abLoop(.next, .group))
        world.run(for: .seconds(1))
        world.command(.pause(.off, .group))
        let before = world.shown[0].count
        world.run(for: .seconds(5))
        let seen = world.shown[0].dropFirst(before).compactMap { $0.frame?.number }
        expect(Set(seen) == Set(10...29) && seen.count > 100)
        expect(zip(seen, seen.dropFirst()).allSatisfy { $1 == $0 + 1 || ($0, $1) == (29, 10) })
        expect(world.dropped, equals: 0)
    }
}
