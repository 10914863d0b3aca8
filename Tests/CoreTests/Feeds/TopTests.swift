import Expectations
import Testing

@testable import Base
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Items on top of a sequence, and the sequence below them.
@Suite struct TopTests: BreakTesting {
    private static func item(_ lengths: [Int64], rounds: Int = 1, _ transition: Transition? = nil) -> Item {
        var item = Item(segments: Item.Segments(lengths.map { Item.Segment(source: "\($0)") })!)
        (item.rounds, item.transition) = (rounds, transition)
        return item
    }

    /// A timeline of which all lengths are known: each source is named by its length in milliseconds.
    private static func known(_ items: [Item], _ loop: Loop, _ transition: Transition, _ layers: [Layer])
        -> Timeline
    {
        var timeline = Timeline(items: items, loop: loop, transition: transition)
        for layer in layers { timeline.push(layer) }
        for run in timeline.allRuns {
            timeline.learn(.milliseconds(Int64(timeline.segment(of: run).source) ?? 0), of: run)
        }
        return timeline
    }

    private static let sequences: [[Item]] = [
        [item([2000])], [item([2000]), item([1000])], [item([900, 700, 800]), item([1200])],
        [item([1000], rounds: 3), item([700], .cut)], [item([1000]), item([0]), item([600, 500], rounds: 2)],
    ]
    private static let tops: [[Item]] = [
        [item([500])], [item([900]), item([400], rounds: 2)], [item([0])], [item([700], .cut), item([300, 500])],
    ]

    /// Returns each place at which the items of a layer can be left: behind an item, or within a run.
    private static func places(in items: [Item], iteration: Int, layer: Int = 0) -> [Layer.Place] {
        items.indices.flatMap { item -> [Layer.Place] in
            let runs = (0..<items[item].rounds).flatMap { round in
                items[item].segments.indices.map {
                    RunID(iteration: iteration, item: item, round: round, segment: $0, layer: layer)
                }
            }
            return [Layer.Place(RunID(iteration: iteration, item: item, layer: layer))]
                + runs.flatMap { run -> [Layer.Place] in
                    let length = Int64(items[item].segments[run.segment].source) ?? 0
                    return [length / 3, length - 40].filter { $0 > 0 }.map {
                        Layer.Place(run, cutOffset: .milliseconds($0), resumesAt: .milliseconds($0))
                    }
                }
        }
    }

    /// Each run begins where the one before it ends, less the fade between them, and is found at each instant from
    /// there to the next.
    @Test func eachInstantHasItsRun() {
        for items in Self.sequences {
            for shown in Self.tops {
                for transition in [Transition.cut, .fade(.milliseconds(300))] {
                    for loop in [Loop.forever, .iterations(1)] {
                        for place in Self.places(in: items, iteration: 0) {
                            let top = Layer(shown, at: place, isCut: false, transition)
                            check(Self.known(items, loop, transition, [top]))
                        }
                    }
                }
            }
        }
    }

    /// The same holds for a layer on top of a layer.
    @Test func eachInstantHasItsRunUnderTwoLayersToo() {
        for items in Self.sequences {
            for (shown, above) in zip(Self.tops, Self.tops.reversed()) {
                for transition in [Transition.cut, .fade(.milliseconds(300))] {
                    for loop in [Loop.forever, .iterations(1)] {
                        for place in Self.places(in: items, iteration: 0) {
                            for upper in Self.places(in: shown, iteration: 0, layer: 1) {
                                let layers = [
                                    Layer(shown, named: "a", at: place, isCut: false, transition),
                                    Layer(above, named: "b", at: upper, isCut: false, transition),
                                ]
                                let timeline = Self.known(items, loop, transition, layers)
                                expect(timeline.layers.map(\.place), equals: [place, upper])
                                check(timeline)
                            }
                        }
                    }
                }
            }
        }
    }

    private func check(_ timeline: Timeline) {
        var runs: [(run: RunID, begin: Time)] = []
        var next: RunID? = RunID(iteration: 0)
        var end = Time.zero
        while let run = next {
            let fade = timeline.fade(before: run)
            guard let offset = timeline.offset(of: run), let length = timeline.length(of: run) else {
                Issue.record("no offset of \(run)")
                return
            }
            let begin = offset + timeline.entry(of: run)
            if begin != end - fade {
                Issue.record("\(run) begins at \(begin), not at \(end - fade): \(timeline.layers)")
            }
            if length > .zero { runs.append((run, begin)) }
            end = offset + (timeline.cutOffset(of: run) ?? length)
            if let before = timeline.run(before: timeline.next(after: run) ?? RunID(iteration: 1)), before != run {
                Issue.record("before what follows \(run) is \(before): \(timeline.layers)")
            }
            next = timeline.next(after: run)
        }
        let last = timeline.takesPart(inIteration: 1) ? timeline.fade(before: RunID(iteration: 1)) : .zero
        expect(timeline.length(ofIteration: 0), equals: end - last)
        for (place, run) in runs.enumerated() {
            let until = place + 1 < runs.count ? runs[place + 1].begin : end - last
            for instant in [run.begin, run.begin + (until - run.begin) / 2, until - Time(ticks: 1)]
            where instant < until && instant >= run.begin {
                let found = timeline.position(at: instant, inIteration: 0)
                let start = run.begin - timeline.entry(of: run.run)
                if found != .run(run.run, start: start) {
                    Issue.record("at \(instant): \(found), not \(run.run) from \(start): \(timeline.layers)")
                }
            }
        }
        // The other iterations have nothing on top.
        var plain = timeline
        plain.pop(to: 0)
        expect(timeline.length(ofIteration: 1), equals: plain.length(ofIteration: 1))
        for instant in stride(from: Int64(0), to: 4000, by: 130) {
            let (a, b) = (Time.milliseconds(instant), Time.milliseconds(instant))
            expect(timeline.position(at: a, inIteration: 1) == plain.position(at: b, inIteration: 1))
        }
    }

    /// The frames that are decoded of a film when it is interrupted are kept. They are shown while the film is decoded
    /// from its last key frame, which takes longer than the break. With one pipeline for film and break, both seams are
    /// without a gap.
    @Test(arguments: Array(stride(from: Int64(1000), to: 2200, by: 150)))
    func anInterruptedFilmReturnsOnOnePipelineWithoutASeam(ahead: Int64) {
        var clips = clips
        clips["slow"] = FakeClip(frames: 90, framesDecodeIn: .milliseconds(9), gop: 90)
        var world = Simulation(
            layout([["slow"]], [entry("flash", ["flash"]) { $0.when = .now }]), clips: clips, pipelines: 1)
        world.run(for: .milliseconds(ahead))
        world.command(.playBreak("flash"))
        world.run(for: .seconds(6))
        let shown = frames(world, without: ["flash"])
        expect(Array(shown.prefix(90)), equals: (0..<90).map { "slow \($0)" }, "\(order(world))")
        expect(order(world).contains("flash 0-5"), "\(order(world))")
        expect(world.longestHold(0), atMost: .milliseconds(35), "\(ahead): \(world.longestHold(0))")
        expect(world.mostLeases == 1 && states(world) == ["flash started", "flash ended"])
    }

    /// A film that is decoded to its end when it is interrupted is cut all the same.
    @Test(arguments: Array(stride(from: Int64(1900), to: 2700, by: 50)))
    func aFilmIsCutNearItsEndToo(ahead: Int64) {
        var world = playing(layout([["b", "a"]], [entry("ad", ["ad"]) { $0.when = .now }]), for: .milliseconds(ahead))
        world.command(.playBreak("ad"))
        world.run(for: .seconds(6))
        expect(Array(frames(world, without: ["ad"]).prefix(150)), equals: whole(["b", "a"]), "\(order(world))")
        expect(world.longestHold(0), atMost: .milliseconds(35), "\(ahead): \(world.longestHold(0)), \(order(world))")
    }

    /// A song that a break cuts in two goes on in the song's time, whether its image or its film is interrupted.
    @Test(arguments: [Int64(1500), 2600, 4700, 6000])
    func aSongGoesOnInItsOwnTime(ahead: Int64) throws {
        var cover = Item.Segment(source: "still"), film = Item.Segment(source: "b")
        (cover.duration, cover.songStart) = (.seconds(4), .seconds(10))
        (film.start, film.songStart) = (.milliseconds(500), .seconds(14))
        var layout = layout([["a"]], [entry("ad", ["ad"]) { $0.when = .now }])
        layout.tiles[0].play = [Item(segments: Item.Segments(cover, [film]))]
        var world = playing(layout, for: .milliseconds(ahead))
        let tile = world.wall.tiles.order[0]
        func place() -> SongPlan.Place? {
            world.wall.player.snapshot(at: world.now).songPlan(of: tile)?.place(at: world.now)
        }
        let before = try #require(place())
        world.command(.playBreak("ad"))
        var times = [before.media]
        var seen: Set<String> = []
        for _ in 0..<40 {
            world.run(for: .milliseconds(50))
            guard let place = place() else { continue }
            seen.insert(place.run.source)
            if place.run.source != "ad" { times.append(place.media) }
        }
        expect(seen.contains("ad"), "\(seen)")
        for (a, b) in zip(times, times.dropFirst()) where b > a {
            expect(b - a, atMost: .milliseconds(101), "\(ahead): from \(a) to \(b)")
        }
        expect((times.last ?? .zero) > before.media, "\(ahead): \(times)")
    }
}
