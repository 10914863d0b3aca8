import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Seams over which one item fades into the next.
@Suite struct FadeTests {
    private let clips = [
        "a": FakeClip(frames: 60), "b": FakeClip(frames: 90), "c": FakeClip(frames: 75),
        "short": FakeClip(frames: 12), "still": FakeClip(frames: 1, isStill: true),
        "ad": FakeClip(frames: 45), "blind": FakeClip(frames: 60, knowsItsLength: false),
        "gone": FakeClip(frames: 30, trouble: SourceTrouble(.missing, "no such file")),
    ]
    private static let second = Transition.fade(.seconds(1))

    private func layout(
        _ sequences: [[String]], _ transition: Transition = second, _ change: (inout Layout) -> Void = { _ in }
    ) -> Layout {
        var layout = Layout.of(sequences) { $0.transition = transition }
        change(&layout)
        return layout
    }

    private func playing(_ layout: Layout, pipelines: Int = 4, for time: Time) -> Simulation {
        var world = Simulation(layout, clips: clips, pipelines: pipelines)
        world.run(for: time)
        return world
    }

    /// One fade: its clips, the frames of each, and the weights.
    private struct Seam {
        let from: String
        let to: String
        var left: [Int]
        var came: [Int]
        var weights: [Int]
        let begin: Time
        var end: Time
    }

    private func seams(_ world: Simulation, _ tile: Int = 0) -> [Seam] {
        var seams: [Seam] = []
        for fade in world.fades[tile] ?? [] {
            if let last = seams.last, last.weights.last! <= fade.weight, last.to == fade.to.clip,
                fade.at - last.end < .milliseconds(100)
            {
                let place = seams.count - 1
                if last.left.last != fade.from.number { seams[place].left.append(fade.from.number) }
                if last.came.last != fade.to.number { seams[place].came.append(fade.to.number) }
                seams[place].weights.append(fade.weight)
                seams[place].end = fade.at
            } else {
                seams.append(
                    Seam(
                        from: fade.from.clip, to: fade.to.clip, left: [fade.from.number], came: [fade.to.number],
                        weights: [fade.weight], begin: fade.at, end: fade.at))
            }
        }
        return seams
    }

    /// Expects `frames` frames of each clip, at 30 a second, each shown once, with weights from 0 to full.
    private func expectWhole(_ seam: Seam, lasting frames: Int, _ note: Comment) {
        let last = (clips[seam.from]?.frames ?? 0) - 1
        expect(seam.left, equals: Array(last - frames + 1...last), note)
        expect(seam.came, equals: Array(0..<frames), note)
        expect(seam.weights.first!, atMost: 9 * 30 / frames, note)
        expect(seam.weights.last!, atLeast: 256 - 9 * 30 / frames, note)
    }

    private func ends(_ world: Simulation) -> [String] {
        world.events.compactMap { event in
            guard case .itemEnd(let item, _, let reason) = event.what else { return nil }
            return "\(item.source) \(item.presented)/\(item.dropped) \(reason)"
        }
    }

    @Test func eachFrameOfBothIsSeen() {
        let world = playing(layout([["a", "b"]]), for: .seconds(14))
        let seams = seams(world)
        expect(seams.map(\.from).prefix(6), equals: ["a", "b", "a", "b", "a", "b"])
        for seam in seams.prefix(6) { expectWhole(seam, lasting: 30, "\(seam)") }
        expect(world.dropped == 0 && world.longestHold(0) <= .milliseconds(35))
        // An iteration is shorter by both of its fades.
        let iterations = zip(seams, seams.dropFirst(2)).map { $1.begin - $0.begin }
        expect(iterations.allSatisfy { ($0 - .seconds(3)).magnitude <= .milliseconds(2) }, "\(iterations)")
        expect(ends(world).prefix(4), equals: ["a 60/0 eof", "b 90/0 eof", "a 60/0 eof", "b 90/0 eof"])
    }

    @Test func onAsManyPipelinesAsTilesThatAllEndTogether() {
        let world = playing(
            layout([["a", "b"], ["a", "c"], ["a", "b"], ["a", "c"]]), pipelines: 4, for: .seconds(20))
        expect(world.mostLeases <= 4 && world.dropped == 0)
        for tile in 0..<4 {
            expect(world.longestHold(tile), atMost: .milliseconds(35), "\(tile)")
            let seams = seams(world, tile)
            expect(seams.count, atLeast: 11)
            for seam in seams.dropLast() { expectWhole(seam, lasting: 30, "\(tile): \(seam)") }
        }
    }

    @Test(arguments: [["a"], ["short"], ["blind", "a"]]) func loopsFadeToo(_ clips: [String]) {
        let world = playing(layout([clips]), for: .seconds(12))
        expect(world.dropped == 0 && world.longestHold(0) <= .milliseconds(35))
        let seams = seams(world)
        expect(seams.count, atLeast: 5)
        // A fade lasts at most half of the shorter item.
        let frames = clips == ["short"] ? 6 : 30
        for seam in seams.dropFirst().dropLast() { expectWhole(seam, lasting: frames, "\(seam)") }
    }

    @Test func anItemSaysHowItBeginsAndTheTileAllElse() {
        var layout = layout([["a", "b"]], .cut)
        layout.tiles[0].play[1].transition = Self.second
        expect(seams(playing(layout, for: .seconds(9))).map(\.to), equals: ["b", "b"])
        layout.tiles[0].transition = Self.second
        layout.tiles[0].play[1].transition = .cut
        layout.tiles[0].play[0].rounds = 2
        let world = playing(layout, for: .seconds(11))
        // Fades join the two rounds, and the end of an iteration to the next.
        expect(seams(world).map { "\($0.from)\($0.to)" }, equals: ["aa", "ba", "aa", "ba"])
        expect(world.dropped, equals: 0)
    }

    @Test func theFirstItemAndTheLastFrameDoNotFade() {
        var layout = layout([["a", "b"]])
        layout.tiles[0].loop = .iterations(2)
        let world = playing(layout, for: .seconds(9))
        expect(seams(world).map { "\($0.from)\($0.to)" }, equals: ["ab", "ba", "ab"])
        expect(world.frameNow("tile1"), equals: FakeFrame(clip: "b", number: 89))
        // 2 + 3 + 2 + 3 s, less three fades of one second.
        expect(world.shown[0].last!.at - world.shown[0][1].at, below: .milliseconds(7010))
        expect(ends(world), equals: ["a 60/0 eof", "b 90/0 eof", "a 60/0 eof", "b 90/0 eof"])
    }

    @Test func stillsFadeAtTheRateOfTheDisplay() {
        var layout = layout([["still", "a"]])
        layout.tiles[0].play[0].duration = .seconds(3)
        let seams = seams(playing(layout, for: .seconds(9)))
        expect(seams.map(\.from).prefix(2), equals: ["still", "a"])
        for seam in seams.prefix(3) { expect(seam.weights.count, atLeast: 58, "\(seam.weights)") }
    }

    @Test func whatFailedFadesNowhere() {
        let world = playing(layout([["a", "gone", "b"]]), for: .seconds(12))
        expect(seams(world).allSatisfy { $0.to == "a" && $0.from == "b" })
        expect(world.dropped == 0 && world.longestHold(0) <= .milliseconds(35))
    }

    @Test func noLongerThanMemoryHolds() {
        // 1 MiB holds 25 frames of the tile's size.
        var layout = layout([["a", "b"]])
        layout.memoryMiB = 1
        var big = clips
        for name in ["a", "b"] { big[name]!.natural = Size(192, 144) }
        layout.window.size = Size(192, 144)
        var world = Simulation(layout, clips: big)
        world.run(for: .seconds(12))
        expect(world.dropped == 0 && world.longestHold(0) <= .milliseconds(35))
        let seams = seams(world).dropLast()
        expect(seams.count, atLeast: 4)
        for seam in seams { expect((12...17).contains(seam.left.count), "\(seam)") }
    }

    // MARK: jumps

    @Test func aClockThatStandsInAFadeShowsBothAtTheirInstant() {
        for milliseconds in stride(from: Int64(1040), through: 1960, by: 180) {
            var world = playing(layout([["a", "b"]]), for: .milliseconds(500))
            world.command(.pause(.toggle, .group))
            world.command(.seek(.to(.milliseconds(milliseconds)), .group))
            world.run(for: .seconds(1))
            let fade = world.fades[0]?.last
            expect(fade?.from.number, equals: Int(milliseconds * 30 / 1000), "\(milliseconds): \(fade as Any)")
            expect(fade?.to.number, equals: Int((milliseconds - 1000) * 30 / 1000))
            expect((fade?.weight ?? 0) - Int(Double(milliseconds - 1000) * 0.256), atMost: 1)
        }
    }

    @Test func stepsGoOverItFrameByFrameAndBack() {
        var world = playing(layout([["a", "b"]]), for: .milliseconds(1700))
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(1))
        for _ in 0..<30 {
            world.command(.step(by: 1, .group))
            world.run(for: .milliseconds(200))
        }
        expect(world.frameNow("tile1")?.number ?? 0, above: 45)
        for _ in 0..<60 {
            world.command(.step(by: -1, .group))
            world.run(for: .milliseconds(200))
        }
        expect(world.frameNow("tile1")?.clip, equals: "a")
        for _ in 0..<55 {
            world.command(.step(by: 1, .group))
            world.run(for: .milliseconds(200))
        }
        expect(world.frameNow("tile1")?.clip, equals: "b")
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(6))
        expectWhole(seams(world).last { $0.weights.last! > 240 }!, lasting: 30, "after all")
    }

    // MARK: groups, breaks, layouts

    @Test func groupsThatLoopTogetherFadeIntoEachIteration() {
        var layout = layout([["a"], ["b"]])
        layout.groups[0].loop = .together
        let world = playing(layout, for: .seconds(12))
        let (short, long) = (seams(world, 0), seams(world, 1))
        expect(short.count >= 4 && long.count == short.count)
        for (a, b) in zip(short, long) { expect((a.begin - b.begin).magnitude, atMost: .milliseconds(1)) }
        // The tile that waits fades from its last frame.
        expect(short.allSatisfy { $0.left == [59] })
        for seam in long.dropLast() { expectWhole(seam, lasting: 30, "\(seam)") }
        expect(world.dropped, equals: 0)
    }

    /// The clock waits for the first frames, and the fade needs both iterations.
    @Test(arguments: [Int64(1990), 2000, 2010, 2500, 3500, 4000, 5999])
    func aGroupThatLoopsTogetherMayBeginInAFade(milliseconds: Int64) {
        var layout = layout([["b"]])
        layout.groups[0].loop = .together
        var world = Simulation(layout, clips: clips, start: .milliseconds(milliseconds))
        let began = world.now
        world.run(for: .seconds(1))
        let leases = world.events.count { if case .lease = $0.what { true } else { false } }
        expect(leases, atMost: 6)
        let first = world.shown[0].first { $0.frame != nil }?.at ?? .distantFuture
        expect(first - began, atMost: .milliseconds(150))
    }

    @Test func breaksComeAndGoInFades() {
        for when in [BreakLayout.When.itemEnd, .now] {
            for ahead in stride(from: Int64(100), to: 4000, by: 260) {
                var ad = BreakLayout(name: "ad", play: [Item(source: "ad")])
                ad.when = when
                var world = playing(
                    layout([["a", "b"]], .fade(.milliseconds(400))) { $0.breaks = [ad] }, for: .milliseconds(ahead))
                world.command(.playBreak("ad"))
                world.run(for: .seconds(12))
                let note: Comment = "\(when) at \(ahead)"
                expect(world.dropped == 0 && world.longestHold(0) <= .milliseconds(35), note)
                let seams = seams(world)
                expect(seams.contains { $0.to == "ad" } && seams.contains { $0.from == "ad" }, note)
                let kinds = world.events.compactMap {
                    if case .breakChange(_, let state) = $0.what { state.rawValue } else { nil }
                }
                expect(kinds, equals: ["started", "ended"], note)
                // Each frame of the interrupted item is shown once in a round.
                var last: FakeFrame?
                for frame in world.shown[0].compactMap(\.frame) {
                    if let last, last.clip == frame.clip, frame.number != 0 {
                        expect(frame.number, equals: last.number + 1, note)
                    }
                    last = frame
                }
            }
        }
    }

    @Test func breaksComeAndGoWhereFadesMeet() {
        // Each fade begins where the one before it ends.
        var ad = BreakLayout(name: "ad", play: [Item(source: "ad")])
        ad.every = .seconds(6)
        let world = playing(layout([["a", "a"]], Self.second) { $0.breaks = [ad] }, for: .seconds(40))
        let states = world.events.compactMap { event in
            if case .breakChange(_, let state) = event.what { state.rawValue } else { nil }
        }
        expect(states.count >= 6 && zip(states, states.dropFirst()).allSatisfy { $0 != $1 }, "\(states)")
        let shown = world.events.count { event in
            if case .itemStart(_, _, let source) = event.what { source == "ad" } else { false }
        }
        expect(abs(shown - states.count / 2), atMost: 1, "\(shown) of \(states.count)")
        expect(world.dropped, equals: 0)
    }

    @Test func whatABreakInterruptsIsNotMixedWithItself() {
        for isTogether in [false, true] {
            var ad = BreakLayout(name: "ad", play: [Item(source: "ad")])
            (ad.when, ad.isTogether) = (.now, isTogether)
            var world = playing(
                layout([["b", "c"], ["a", "c"]], .fade(.milliseconds(400))) { $0.breaks = [ad] },
                for: .milliseconds(700))
            world.command(.playBreak("ad"))
            world.run(for: .seconds(12))
            for tile in 0..<2 {
                for seam in seams(world, tile) { expect(seam.from != seam.to, "\(isTogether), \(tile): \(seam)") }
            }
            expect(world.dropped, equals: 0)
        }
    }

    @Test func aSoundAfterAFilmComesWhenItsFramesAreOver() {
        var all = clips
        all["sound"] = FakeClip(frames: 90, isSound: true)
        var world = Simulation(layout([["a", "sound"]]), clips: all)
        world.run(for: .seconds(3))
        expect(world.shown[0].compactMap(\.frame).map(\.number), equals: Array(0..<60))
        expect(world.dropped, equals: 0)
        expect(ends(world).first, equals: "a 60/0 eof", "\(ends(world))")
    }

    @Test func roundsThatFadeAreCountedWhole() {
        var layout = layout([["a", "b"]])
        layout.tiles[0].play[0].rounds = 2
        expect(ends(playing(layout, for: .seconds(9))).prefix(2), equals: ["a 120/0 eof", "b 90/0 eof"])
    }

    @Test func anotherSequenceComesOutOfTheLastFrameOfTheOneBefore() {
        var world = playing(layout([["a"]]), for: .milliseconds(700))
        world.apply(layout([["b"]]))
        world.run(for: .milliseconds(1500))
        let seams = seams(world)
        expect(seams.count == 1 && seams.first?.from == "a" && seams.first?.left.count == 1, "\(seams)")
        expect(seams.first.map { $0.came.count >= 29 && $0.weights.last! > 245 } ?? false)
        world.apply(layout([["c"]], .cut))
        world.run(for: .milliseconds(500))
        expect(self.seams(world).count, equals: 1)
    }

    // MARK: the timeline

    @Test func everyRunIsFoundWhereItBegins() {
        var random = Seeded(state: 7)
        for _ in 0..<300 {
            let items = (0..<Int.random(in: 1...4, using: &random)).map { _ -> Item in
                let segments = (0..<Int.random(in: 1...3, using: &random)).map { Item.Segment(source: "\($0)") }
                var item = Item(segments: Item.Segments(segments)!)
                item.rounds = Int.random(in: 1...3, using: &random)
                if Bool.random(using: &random) {
                    item.transition = Bool.random(using: &random) ? .cut : .fade(.milliseconds(700))
                }
                return item
            }
            var timeline = Timeline(
                items: items, loop: .forever,
                transition: .fade(.milliseconds(Int64.random(in: 0...2000, using: &random))))
            for item in items.indices {
                for run in timeline.sequence.runs(ofItem: item) {
                    timeline.learn(.milliseconds(Int64.random(in: 0...3, using: &random) * 400), of: run)
                }
            }
            guard let length = timeline.iterationLength, length > .zero else { continue }
            var run: RunID? = RunID(iteration: 1)
            while let present = run {
                run = timeline.next(after: present)
                // A segment that is as long as its fade never plays alone.
                guard let offset = timeline.offset(of: present),
                    let end = run.map({ timeline.offset(of: $0) }) ?? length, end > offset
                else { continue }
                expect(timeline.position(at: offset, inIteration: 1), equals: .run(present, start: offset))
                expect(
                    timeline.position(at: end - Time(ticks: 1), inIteration: 1), equals: .run(present, start: offset))
            }
            expect(timeline.position(at: length, inIteration: 1), equals: .over(length: length))
        }
    }
}
