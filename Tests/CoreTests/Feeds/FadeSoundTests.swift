import Expectations
import Testing

@testable import Base
@testable import Heard
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Sound over seams that fade.
@Suite struct FadeSoundTests {
    private let clips = ["a": FakeClip(frames: 60), "b": FakeClip(frames: 90)]

    /// Runs the wall for `length` and returns what is heard. A fade is written as its two clips and its length in
    /// samples.
    private func heard(_ world: inout Simulation, for length: Time) -> [String] {
        var all: [String] = []
        for _ in 0..<length.ticks / Time.milliseconds(100).ticks {
            var heard = ""
            world.act { wall, now in
                guard let plan = wall.soundScene(at: now).parts.first?.plan else { return }
                func name(_ run: SoundRun) -> String { run.isSilent ? "-" : run.source.location }
                switch plan.segment(at: plan.sample(heardAt: now)) {
                case .run(let run, _, _): heard = name(run)
                case .fade(let fade): heard = "\(name(fade.from))>\(name(fade.to)) \(fade.end - fade.toStart)"
                case .gap: heard = "-"
                }
            }
            if all.last != heard { all.append(heard) }
            world.run(for: .milliseconds(100))
        }
        return all
    }

    private func playing(_ change: (inout TileLayout) -> Void = { _ in }) -> Simulation {
        let layout = Layout.of([["a", "b"]]) {
            $0.transition = .fade(.seconds(1))
            change(&$0)
        }
        var world = Simulation(layout, clips: clips)
        world.run(for: .milliseconds(500))
        return world
    }

    @Test func bothAreHeardWhileASeamFades() {
        var world = playing()
        let all = heard(&world, for: .seconds(4))
        expect(all, equals: ["a", "a>b 48000", "b", "b>a 48000", "a>b 48000"])
    }

    @Test func besideAnItemWithoutSoundTheOtherFadesAllTheSame() {
        for (silent, due) in [
            (1, ["a", "a>- 48000", "-", "->a 48000", "a>- 48000"]),
            (0, ["-", "->b 48000", "b", "b>- 48000", "->b 48000"]),
        ] {
            var world = playing { $0.play[silent].audio = .silent }
            let all = heard(&world, for: .seconds(4))
            expect(all, equals: due)
        }
    }

    @Test func aStemThatTheOtherItemLacksFadesToo() {
        var world = playing {
            $0.play[0].audio = .stems(ItemAudio.Stems([.init("one", "/one"), .init("other", "/other")]))
        }
        var seen: Set<String> = []
        for _ in 0..<40 {
            world.run(for: .milliseconds(100))
            world.act { wall, now in
                let parts = wall.soundScene(at: now).parts
                guard parts.count == 2,
                    case .fade(let fade) = parts[1].plan.segment(
                        at: parts[1].plan.sample(heardAt: now))
                else { return }
                let sides = [fade.from, fade.to].map { $0.isSilent ? "-" : $0.source.location }
                seen.insert(sides.joined(separator: ">"))
            }
        }
        expect(seen, equals: ["/other>-", "->/other"])
    }

    @Test func whatIsSilentIsAGapUntilSomethingIsHeard() {
        var runs = ["a", "b", "c", "d"].enumerated().map { place, name in
            SoundRun(source: name, start: .seconds(2 * Int64(place)), end: .seconds(2 * Int64(place) + 3))
        }
        for place in 1...3 { runs[place].fade = .seconds(1) }
        (runs[1].isSilent, runs[2].isSilent) = (true, true)
        let plan = SoundPlan(runs: runs, clock: Clock(position: .zero, rate: .one))
        func segment(_ milliseconds: Int64) -> String {
            switch plan.segment(at: plan.sample(at: .milliseconds(milliseconds))) {
            case .run(let run, let start, let end): "\(run.source.location) \(start) \(end ?? -1)"
            case .fade(let fade):
                "\(fade.from.source.location)>\(fade.to.source.location) \(fade.toStart) \(fade.end)"
            case .gap(let until): "- \(until ?? -1)"
            }
        }
        expect(segment(500) == "a 0 96000" && segment(2500) == "a>b 96000 144000")
        for milliseconds in [Int64(3100), 4500, 5500] { expect(segment(milliseconds), equals: "- 288000") }
        expect(segment(6500) == "c>d 288000 336000" && segment(7500) == "d 288000 432000")
    }

    @Test func whereNothingFadesWhatIsSilentIsLeftOut() {
        var world = playing {
            $0.transition = .cut
            $0.play[1].audio = .silent
        }
        var sources: [String] = []
        world.act { wall, now in
            sources = wall.soundScene(at: now).parts.flatMap { $0.plan.runs.map(\.source.location) }
        }
        expect(!sources.contains("b"))
        let all = heard(&world, for: .seconds(6))
        expect(all, equals: ["a", "-", "a"])
    }
}
