import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Live sources beside films, in a simulated wall.
@Suite struct LiveTests {
    private let live = FakeClip(frames: 3000, rate: 25, madeFrom: .seconds(40))
    private let film = FakeClip(frames: 60)

    private func wall(
        _ sequences: [[String]] = [["film"], ["udp://live"]], _ clips: [String: FakeClip] = [:],
        _ change: (inout Layout) -> Void = { _ in }
    ) -> Simulation {
        var layout = Layout.of(sequences)
        change(&layout)
        return Simulation(layout, clips: ["film": film, "udp://live": live].merging(clips) { $1 })
    }

    /// Returns how far a tile's frame lies behind the live edge.
    private func lag(_ wall: Simulation, _ tile: Int = 1) -> Time? {
        wall.framesNow[tile].map { wall.now - .seconds(40) - live.start(of: $0.number) }
    }

    @Test func aLiveSourceIsShownAsItComes() {
        var wall = wall()
        wall.run(for: .seconds(5))
        expect(lag(wall)!, atMost: .milliseconds(400))
        expect(wall.slips(1, cycle: ["udp://live"]), equals: 0)
    }

    @Test func noTileWaitsForALiveSource() {
        var silent = live
        silent.madeFrom = .seconds(103)
        var wall = wall([["film"], ["udp://live"]], ["udp://live": silent])
        wall.run(for: .milliseconds(100))
        expect(
            wall.wall.player.snapshot(at: .zero).hasBegun && wall.framesNow[0] != nil
                && wall.framesNow[1] == nil)
        wall.command(.seek(.by(.seconds(1)), .group))
        wall.run(for: .milliseconds(50))
        expect(wall.wall.player.snapshot(at: .zero).hasBegun && wall.framesNow[0]!.number >= 30)
        wall.run(for: .seconds(4))
        expect(wall.framesNow[1] != nil)
    }

    @Test func homeLeavesItConnected() {
        var wall = wall()
        wall.run(for: .seconds(3))
        wall.command(.focus(.number(2)))
        wall.command(.pause(.toggle, .tileAlone))
        wall.run(for: .seconds(1))
        for _ in 0..<2 {
            wall.command(.home(.group))
            wall.run(for: .seconds(2))
        }
        expect(wall.openRequests["udp://live"], equals: 1)
        expect(lag(wall)!, atMost: .milliseconds(400))
        expect(wall.framesNow[0]!.number, atMost: 61)
    }

    @Test func seeksAndRatesAreNotItsOwn() {
        var wall = wall()
        wall.run(for: .seconds(3))
        let before = lag(wall)!
        wall.command(.seek(.by(.seconds(1)), .group))
        wall.run(for: .seconds(1))
        wall.command(.rate(.to(Rate(2)), .group))
        wall.run(for: .seconds(1))
        wall.command(.focus(.number(2)))
        wall.command(.seek(.by(.seconds(-1)), .group))
        wall.run(for: .seconds(1))
        expect((lag(wall)! - before).magnitude, atMost: .milliseconds(80), "\(lag(wall)!), \(before)")
        expect(wall.slips(1, cycle: ["udp://live"]), equals: 0)
        // The seek did move the film.
        expect(wall.slips(0, cycle: ["film"]), above: 0)
    }

    private static let notSought = "a live source can't be sought"
    private static let noRate = "a live source has no rate"

    @Test(
        arguments: [
            (Change.seek(.by(.seconds(5)), .group), notSought), (.seek(.to(.seconds(5)), .tileAlone), notSought),
            (.seekToKeyFrame(near: .by(.seconds(5)), .group), notSought), (.rate(.faster, .group), noRate),
            (.rate(.to(Rate(2)), .tileAlone), noRate),
        ])
    func aCommandOfTimeForLiveTilesAloneIsRefusedWithTheReason(_ command: Change, _ reason: String) {
        var wall = wall([["udp://live"], ["udp://live"]])
        wall.run(for: .seconds(3))
        var isDone = true
        wall.act { wall, now in isDone = wall.carryOut(command, at: now) }
        expect(!isDone && wall.wall.reason(against: command, on: nil) == "tile1 is live: \(reason)", "\(command)")
        // The user of a key reads it, too.
        let now = wall.now
        expect(wall.marked { $0.commanded(at: now) }.overlay.info.last, equals: "tile1 is live: \(reason)")
        expect(wall.wall.clocks[wall.wall.clocks.main].clock.rate, equals: .one)
    }

    private func set(_ path: String, _ wall: inout Simulation) -> ControlError? {
        var error: ControlError?
        wall.act { wall, now in error = wall.changeProperty(path, .set(.number(2)), of: nil, .group, at: now) }
        return error
    }

    @Test func aPropertyOfTheTimeOfLiveTilesAloneIsRefusedWithTheReason() {
        var wall = wall([["udp://live"]])
        wall.run(for: .seconds(3))
        let group = wall.wall.clocks[wall.wall.clocks.main].name
        let cases = [
            ("speed", "tile1 is live: \(Self.noRate)"), ("tiles/tile1/speed", "tile1 is live: \(Self.noRate)"),
            ("time-pos", "tile1 is live: \(Self.notSought)"), ("percent-pos", "tile1 is live: \(Self.notSought)"),
            ("groups/\(group)/speed", "the tiles of \(group) are live: \(Self.noRate)"),
            ("groups/\(group)/time-pos", "the tiles of \(group) are live: \(Self.notSought)"),
        ]
        for (path, reason) in cases {
            let error = set(path, &wall)
            expect(error == .propertyUnavailable && error?.detail == reason, "\(path): \(error?.detail ?? "")")
        }
    }

    /// A source that is away can't be sought either.
    @Test func aLiveSourceThatIsGoneIsStillLive() {
        var wall = wall([["udp://live"]])
        wall.run(for: .seconds(3))
        wall.clips["udp://live"]?.trouble = SourceTrouble(.unreachable, "gone")
        wall.breakOff("udp://live", SourceTrouble(.unreachable, "gone"))
        for _ in 0..<5 {
            wall.run(for: .seconds(2))
            expect(set("speed", &wall)?.detail, equals: "tile1 is live: \(Self.noRate)")
            expect(
                wall.wall.reason(against: .seek(.by(.zero), .group), on: nil).hasSuffix(Self.notSought), equals: true)
        }
    }

    @Test func besideAFilmACommandOfTimeIsForTheFilm() {
        var wall = wall([["udp://live"], ["film"]])
        wall.run(for: .milliseconds(500))
        expect(set("speed", &wall) == nil && set("groups/main/speed", &wall) == nil)
        for scope in [Change.Scope.group, .tileAlone] {
            var isDone = false
            wall.act { wall, now in isDone = wall.carryOut(.seek(.by(.seconds(1)), scope), at: now) }
            expect(isDone, equals: scope == .group)
        }
        // A rate that is set while a live source plays is that of the film after it.
        var turns = self.wall([["udp://live", "film"]]) { $0.tiles[0].play[0].duration = .seconds(60) }
        turns.run(for: .seconds(3))
        expect(set("speed", &turns), equals: nil)
    }

    @Test func afterAPauseItIsNearTheEdgeAgain() {
        var wall = wall()
        wall.run(for: .seconds(3))
        wall.command(.pause(.on, .group))
        wall.run(for: .seconds(1))
        let stands = wall.framesNow[1]
        wall.run(for: .seconds(7))
        expect(wall.framesNow[1], equals: stands)
        wall.command(.pause(.off, .group))
        wall.run(for: .seconds(2))
        expect(lag(wall)!, atMost: .milliseconds(1400))
    }

    @Test func iterationsDoNotWaitForWhatHasNone() {
        var wall = wall { $0.groups[0].loop = .together }
        wall.run(for: .seconds(9))
        expect(wall.slips(0, cycle: ["film"]), equals: 0)
        expect(wall.numbers(0).count { $0 == 0 }, atLeast: 4)
        expect(wall.openRequests["udp://live"], equals: 1)
    }

    /// The stream ends after a while. The next connection resumes some frames later.
    @Test func aLiveSourceThatEndsIsConnectedAgainInItsPlace() {
        var short = live
        short.frames = 25 * 63
        var wall = wall([["film"], ["udp://live"]], ["udp://live": short])
        wall.run(for: .milliseconds(3900))
        expect(wall.framesNow[1]?.number, equals: 25 * 63 - 1)
        wall.clips["udp://live"] = live
        wall.run(for: .seconds(3))
        expect(lag(wall)!, atMost: .milliseconds(400))
        expect(wall.openRequests["udp://live"], equals: 2, "\(wall.asked.filter { $0.location == "udp://live" })")
        expect(wall.spinners[1].map(\.isThere).suffix(2), equals: [true, false])
        expect(wall.shown[1].drop { $0.frame == nil }.allSatisfy { $0.frame != nil })
        let troubles = wall.events.compactMap { event -> SourceTrouble.Kind? in
            if case .trouble(_, _, _, _, let trouble) = event.what { trouble.kind } else { nil }
        }
        expect(troubles, equals: [.unreachable])
    }

    @Test func whileItIsAwayItIsAskedForLessAndLess() {
        var short = live
        short.frames = 25 * 62
        var wall = wall([["film"], ["udp://live"]], ["udp://live": short])
        wall.run(for: .milliseconds(2500))
        wall.clips["udp://live"] = FakeClip(frames: 0, trouble: SourceTrouble(.unreachable, "gone"))
        let before = wall.openRequests["udp://live"]!
        wall.run(for: .seconds(40))
        let asked = wall.asked.filter { $0.location == "udp://live" }.map(\.at).suffix(
            wall.openRequests["udp://live"]! - before)
        expect((4...6).contains(asked.count), "\(asked.count)")
        expect(wall.framesNow[1] != nil)
    }

    /// The sender is alive, so the wall connects again without a back-off.
    @Test func aStreamThatChangesIsConnectedAgainAtOnce() throws {
        var wall = wall()
        wall.run(for: .seconds(3))
        wall.breakOff("udp://live", .streamChanged)
        let changed = wall.now
        wall.run(for: .seconds(1))
        let asked = try #require(wall.asked.last { $0.location == "udp://live" })
        expect(wall.openRequests["udp://live"] == 2 && asked.at - changed < .milliseconds(10), "\(asked.at - changed)")
        expect(lag(wall)!, atMost: .milliseconds(400))
        expect(wall.shown[1].drop { $0.frame == nil }.allSatisfy { $0.frame != nil })
    }

    /// A pushed source is read for its frames, so one without frames is not played.
    @Test func whatIsSentWithoutFramesIsReportedToBeThat() {
        var sound = live
        (sound.isSound, sound.frames) = (true, 0)
        var wall = wall([["film"], ["udp://live"]], ["udp://live": sound])
        wall.run(for: .seconds(3))
        let troubles = wall.events.compactMap { event -> SourceTrouble? in
            if case .trouble(_, _, _, _, let trouble) = event.what { trouble } else { nil }
        }
        expect(troubles.map(\.kind) == [.unsupported] && troubles[0].what.contains("no video"), "\(troubles)")
        expect((2...4).contains(wall.openRequests["udp://live"]!), "\(wall.openRequests)")
        expect(wall.openSources.count, atMost: 1)
        // The next connection may find another stream.
        wall.clips["udp://live"] = live
        wall.run(for: .seconds(8))
        expect(lag(wall) ?? .seconds(9), atMost: .milliseconds(400))
    }

    /// The iteration after the source is planned already, as if the source had an end.
    @Test(arguments: [true, false]) func aSourceMayTurnOutToBeLiveAtASecondOpening(isFound: Bool) {
        var silent = live
        silent.trouble = SourceTrouble(.damaged, "no frame could be found in it")
        silent.opensIn = .milliseconds(200)
        var wall = wall([["film"], ["udp://live"]], ["udp://live": silent])
        for _ in 0..<300 where wall.openRequests["udp://live"] ?? 0 < 2 { wall.run(for: .milliseconds(1)) }
        wall.clips["udp://live"]!.trouble = isFound ? nil : silent.trouble
        wall.run(for: .seconds(2))
        expect((wall.framesNow[1] != nil), equals: isFound)
    }

    @Test func whatFollowsItFollowsItsEnd() {
        var short = live
        short.frames = 25 * 62
        var wall = wall([["film"], ["udp://live", "film"]], ["udp://live": short])
        wall.run(for: .milliseconds(3500))
        expect(wall.framesNow[1]?.clip, equals: "film")
        let first = wall.shown[1].compactMap(\.frame).first { $0.clip == "film" }
        expect(first?.number, equals: 0)
    }

    @Test func afterAFilmItPlaysNearTheEdge() {
        var wall = wall([["film"], ["film", "udp://live"]])
        wall.run(for: .seconds(6))
        expect(wall.framesNow[1]?.clip, equals: "udp://live")
        expect(lag(wall)!, atMost: .milliseconds(1400))
        wall.command(.seek(.by(.seconds(5)), .group))
        wall.run(for: .seconds(1))
        expect(lag(wall)!, atMost: .milliseconds(1400))
    }

    /// The live source is gone for good. The film after it plays, and is not taken for a stream that ended.
    @Test(arguments: [5, 20, 60]) func aFilmBesideOneThatIsGoneIsNotTroubled(frames: Int) {
        var short = live
        short.frames = 25 * 62
        for sequence in [["udp://live", "film"], ["film", "udp://live"], ["udp://live", "film", "film"]] {
            var wall = wall([sequence], ["udp://live": short, "film": FakeClip(frames: frames)])
            wall.run(for: .milliseconds(2500))
            wall.clips["udp://live"]?.trouble = SourceTrouble(.unreachable, "gone")
            wall.run(for: .seconds(20))
            let troubled = wall.events.compactMap { event -> String? in
                if case .trouble(_, let source, _, _, let trouble) = event.what {
                    "\(source): \(trouble.what)"
                } else {
                    nil
                }
            }
            expect(!troubled.contains { $0.hasPrefix("film") }, "\(sequence): \(troubled)")
            let begun = wall.shown[0].count { $0.frame == FakeFrame(clip: "film", number: 0) }
            expect(begun, atLeast: 3, "\(sequence), \(frames): \(begun)")
        }
    }

}
