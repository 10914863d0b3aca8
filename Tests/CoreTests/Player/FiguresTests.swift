import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Measurement
@testable import Player
@testable import Scene
@testable import SimulatedWall

/// Figures of shown frames, on a wall in simulated time. The tests provide the measurements.
@Suite struct FiguresOfFrames {
    private let clips = [
        "a": FakeClip(frames: 600), "b": FakeClip(frames: 600), "c": FakeClip(frames: 600),
        "short": FakeClip(frames: 90),
    ]

    /// Returns the figures of a frame whose samples differ from the reference's by `apart`.
    private func answer(_ apart: Int) -> FiguresOrder.Answer {
        var sums = PlaneSums()
        (sums.samples, sums.squares, sums.windows, sums.similarity) = (100, UInt64(100 * apart * apart), 10, 9)
        return FiguresOrder.Answer(
            FrameFigures([sums], bits: 8), apart == 7 ? "x as y" : nil)
    }

    private func numbers(_ order: FiguresOrder?) -> [[Int]] {
        (order?.pairs ?? []).map { [$0.reference, $0.other].map(\.frame.fake.number) }
    }

    private func figures(_ world: inout Simulation) -> [[String]] {
        world.marked { _ in }.views.map { $0.marks.figures.lines }
    }

    @Test func framesOfOneInstantAreMeasuredOneOrderAtATime() {
        var world = Simulation(.of([["a"], ["b"], ["c"]]), clips: clips)
        world.act { wall, now in wall.player.note(.resized(to: Size(3840, 720)), at: now) }
        world.run(for: .seconds(1))
        expect(world.figureOrders.isEmpty)
        world.command(.figures)
        world.run(for: .seconds(2))
        let order = world.figureOrders.last
        expect(world.figureOrders.count == 1 && numbers(order).count == 2)
        expect(numbers(order).allSatisfy { $0[0] == $0[1] })
        expect(order?.pairs.map(\.other.frame.fake.clip), equals: ["b", "c"])
        // Frames that came and went meanwhile are not measured.
        world.act { wall, now in wall.take([self.answer(1), self.answer(7)], at: now) }
        world.run(for: .milliseconds(40))
        expect(world.figureOrders.count == 2 && numbers(world.figureOrders.last)[0][0] > numbers(order)[0][0] + 30)
        let lines = figures(&world)
        expect(lines[0], equals: ["the reference"])
        expect(lines[1], equals: ["PSNR 48.13 dB  SSIM 0.90000", "Y 48.13 dB"])
        expect(lines[2], equals: ["PSNR 31.23 dB  SSIM 0.90000", "Y 31.23 dB", "x as y"])
        expect(world.dropped, equals: 0)
    }

    @Test func figuresSayWhichColoursTheyDoNotTakeIntoAccount() {
        func coded(_ tags: SourceColorimetry.Tags) -> CodedTraits {
            CodedTraits(colorimetry: SourceColorimetry(tags, size: Size(1280, 720)))
        }
        var clips = clips
        clips["a"]!.coded = coded(.init(range: .limited))
        clips["b"]!.coded = coded(.init(matrix: .bt2020, range: .limited, transfer: .hlg, primaries: .bt2020))
        clips["c"]!.coded = clips["b"]!.coded
        for (layout, wanted) in [
            (
                ["a", "b"],
                ["HLG, BT.2020 beside BT.709 (assumed):", "figures compare both as SDR, by BT.2390 to 203 nits"]
            ),
            (["b", "c"], ["figures compare code values"]),
            (["a", "a"], []),
        ] {
            var world = Simulation(.of(layout.map { [$0] }), clips: clips)
            world.act { wall, now in wall.player.note(.resized(to: Size(3840, 1440)), at: now) }
            world.command(.figures)
            world.run(for: .seconds(2))
            world.act { wall, now in wall.take([self.answer(1)], at: now) }
            expect(Array(figures(&world)[1].dropFirst(2)), equals: wanted)
        }
    }

    @Test func framesAreKeptOnlyWhileSomebodyWantsThem() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        expect(world.framesNow.allSatisfy { $0!.keeping == .none })
        world.command(.figures)
        world.run(for: .seconds(3))
        expect(world.framesNow.allSatisfy { $0!.keeping == .all })
        world.command(.figures)
        world.run(for: .seconds(3))
        expect(world.framesNow.allSatisfy { $0!.keeping == .none })
        expect(figures(&world), equals: [[], []])
    }

    @Test func whatStandsIsDecodedAgainForItsFigures() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        world.command(.pause(.on, .group))
        world.run(for: .milliseconds(500))
        let before = world.framesNow.map(\.?.number)
        world.command(.figures)
        world.run(for: .seconds(1))
        expect(world.framesNow.map(\.?.number) == before && world.framesNow.allSatisfy { $0!.keeping == .all })
        expect(numbers(world.figureOrders.last), equals: [[before[0]!, before[1]!]])
        // Frames that stay are measured once.
        world.act { wall, now in wall.take([self.answer(3)], at: now) }
        world.run(for: .seconds(1))
        expect(world.figureOrders.count, equals: 1)
    }

    @Test func anImageIsOpenedAgainForItsFigures() {
        let images = ["i": FakeClip(frames: 1, isStill: true), "j": FakeClip(frames: 1, isStill: true)]
        var world = Simulation(.of([["i"], ["j"]]), clips: images)
        world.run(for: .seconds(1))
        expect(world.framesNow.allSatisfy { $0!.keeping == .none })
        world.command(.figures)
        world.run(for: .seconds(1))
        expect(world.framesNow.allSatisfy { $0!.keeping == .all })
        expect(world.figureOrders.count == 1 && numbers(world.figureOrders.last) == [[0, 0]])
        world.act { wall, now in wall.take([self.answer(3)], at: now) }
        expect(figures(&world)[1].first, equals: "PSNR 38.59 dB  SSIM 0.90000")
        // Later iterations show the image as it was opened then.
        world.run(for: .seconds(12))
        expect(world.framesNow.allSatisfy { $0!.keeping == .all } && world.dropped == 0)
        world.command(.figures)
        world.run(for: .seconds(12))
        expect(world.framesNow.allSatisfy { $0!.keeping == .none })
    }

    @Test func whatCannotBeOpenedAgainStaysAndSaysNothing() {
        let images = ["i": FakeClip(frames: 1, isStill: true), "j": FakeClip(frames: 1, isStill: true)]
        var world = Simulation(.of([["i"], ["j"]]), clips: images)
        world.run(for: .seconds(1))
        world.clips["j"]!.trouble = SourceTrouble(.unsupported, "no image any more")
        world.command(.figures)
        world.run(for: .seconds(2))
        expect(world.framesNow.map(\.?.keeping), equals: [.all, FrameKeeping.none])
        let troubles = world.events.count { if case .trouble = $0.what { true } else { false } }
        expect(figures(&world)[1] == ["no figures yet"] && troubles == 0)
    }

    @Test func answersThatComeTooLateAreOfNoUse() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.command(.figures)
        world.run(for: .seconds(2))
        world.command(.figures)
        world.command(.figures)
        world.run(for: .seconds(1))
        expect(world.figureOrders.count, equals: 1)
        world.act { wall, now in wall.take([self.answer(1)], at: now) }
        expect(figures(&world)[1], equals: ["no figures yet"])
        world.run(for: .seconds(1))
        expect(world.figureOrders.count, equals: 2)
    }

    /// A last frame that stays is compared with nothing: no order is issued, and no earlier figures are shown.
    @Test func figuresStopWhereTheShorterFilmEnds() {
        var world = Simulation(.of([["a"], ["short"]]) { $0.loop = .iterations(1) }, clips: clips)
        world.command(.figures)
        world.run(for: .seconds(2))
        world.act { wall, now in wall.take([self.answer(1)], at: now) }
        expect(figures(&world)[1][0].hasPrefix("PSNR"))
        world.run(for: .seconds(2))
        world.act { wall, now in wall.take([self.answer(1)], at: now) }
        let effects = world.figureOrders.count
        world.run(for: .seconds(2))
        expect(
            world.figureOrders.count == effects
                && figures(&world)[1].joined(separator: " ") == "no figures: tile2 has ended")
        // A seek back into the film resumes the measuring.
        world.command(.seek(.to(.seconds(1)), .group))
        world.run(for: .seconds(1))
        expect(world.figureOrders.count == effects + 1 && figures(&world)[1] == ["no figures yet"])
    }

    /// The first frame of a film that has not begun does not belong to this instant either.
    @Test func figuresBeginWhenBothFilmsHave() {
        var world = Simulation(.of([["a"], ["b"]]) { if $0.id == "tile2" { $0.offset = .seconds(-3) } }, clips: clips)
        world.command(.figures)
        world.run(for: .seconds(2))
        expect(
            world.figureOrders.isEmpty && figures(&world)[1].joined(separator: " ") == "no figures: tile2 has not begun"
        )
        world.run(for: .seconds(3))
        expect(numbers(world.figureOrders.last).allSatisfy { $0[0] == $0[1] + 90 } && !world.figureOrders.isEmpty)
    }

    /// Tiles of one rate whose frames do not start together are paired with the nearest while they are measured.
    @Test func tilesAreMeasuredFrameByFrame() {
        var world = Simulation(
            .of([["a"], ["b"]]) { if $0.id == "tile2" { $0.offset = Time(seconds: -0.11) } }, clips: clips)
        world.command(.figures)
        world.run(for: .seconds(2))
        for _ in 0..<20 {
            world.act { wall, now in wall.take([self.answer(1)], at: now) }
            world.run(for: .milliseconds(53))
            expect(numbers(world.figureOrders.last).allSatisfy { $0[0] == $0[1] + 3 })
        }
        expect(figures(&world)[1].joined(separator: " ").hasSuffix("paired as \u{2212}3 frames"))
    }

    @Test func croppedTilesAreMeasuredAsTheyAreShown() {
        var layout = Layout.of([["a"], ["b"]])
        layout.tiles[1].play[0].crop = .fractions(Fractions(0.25, 0, 0.5, 0.5))
        layout.tiles[1].play[0].decoding.flip = .horizontal
        var world = Simulation(layout, clips: clips)
        world.command(.figures)
        world.run(for: .seconds(1))
        let sides = (world.figureOrders.last?.pairs ?? []).flatMap { [$0.reference.crop, $0.other.crop] }
        expect(sides, equals: [.all, Fractions(0.25, 0, 0.5, 0.5)])
        let cropped = FiguresOrder.Answer(answer(2).figures, nil, otherPart: Rect(16, 0, 32, 18))
        world.act { wall, now in wall.take([cropped], at: now) }
        expect(figures(&world)[1].joined(separator: " ").contains("cropped to 32x18+16+0, the reference whole"))
        // A paused frame that is cropped otherwise is measured again.
        world.command(.pause(.on, .group))
        world.run(for: .seconds(1))
        world.act { wall, now in wall.take([cropped], at: now) }
        world.run(for: .seconds(1))
        world.act { wall, now in wall.take([cropped], at: now) }
        world.run(for: .seconds(1))
        let before = world.figureOrders.count
        layout.tiles[1].play[0].crop = .pixels(Rect(0, 0, 32, 18))
        world.apply(layout)
        world.run(for: .seconds(1))
        expect(world.figureOrders.count, equals: before + 1)
        expect(world.figureOrders.last?.pairs.first?.other.crop, equals: Fractions(0.5, 0, 0.5, 0.5))
    }

    @Test func aFilmWhoseVideoBeginsAfterItsSoundSaysSo() {
        let clips = [
            "a": FakeClip(frames: 600, rate: 25), "b": FakeClip(frames: 600, rate: 25, lead: .milliseconds(40)),
        ]
        var layout = Layout.of([["a"], ["b"]])
        func words() -> String {
            var world = Simulation(layout, clips: clips)
            world.command(.figures)
            world.run(for: .seconds(1))
            world.act { wall, now in wall.take([self.answer(2)], at: now) }
            return figures(&world)[1].joined(separator: " ")
        }
        let late = "its video begins 0.040 s after its sound: by timestamps, offset \u{2212}0.040 s"
        let before = words()
        expect(before.contains(late), "\(before)")
        layout.tiles[1].offset = .milliseconds(-40)
        let after = words()
        expect(!after.contains("after its sound"), "\(after)")
    }

    @Test func pairsThatCantBeMeasuredSaySo() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.command(.figures)
        world.run(for: .seconds(2))
        world.act { wall, now in wall.take([nil], at: now) }
        expect(figures(&world)[1], equals: ["no figures: these frames can't be compared"])
    }

    @Test func thePlotFillsWhileItPlaysAndAClickGoesThere() throws {
        var world = Simulation(.of([["short"], ["b"]]), clips: clips)
        world.act { wall, now in wall.player.note(.resized(to: Size(1280, 360)), at: now) }
        world.command(.figures)
        var measured: Set<Int> = []
        for _ in 0..<300 {
            world.run(for: .milliseconds(20))
            guard let order = world.figureOrders.last, world.figureOrders.count > measured.count else { continue }
            measured.insert(world.figureOrders.count)
            world.act { wall, now in wall.take(order.pairs.map { _ in self.answer(2) }, at: now) }
        }
        let view = world.marked { _ in }.views[1]
        let plot = try #require(view.marks.figures.plot)
        // Some 5 of 20 s have been played with figures.
        let filled = plot.psnr.compactMap { $0 }
        expect(filled.count > plot.psnr.count / 5 && filled.count < plot.psnr.count / 3)
        expect(Set(filled).count == 1 && world.marked { _ in }.views[0].marks.figures.plot == nil)
        let places = MarksPlaces(in: view.marksRect)
        let point = Point(places.plot.x + places.plot.width / 2, places.plot.y + 3)
        world.command(.click(point))
        world.run(for: .milliseconds(300))
        expect((295...312).contains(world.numbers(1).last!), "\(world.numbers(1).last!)")
    }

    @Test func valuesUnderThePointerStandInEachTile() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.act { wall, now in wall.player.note(.resized(to: Size(1280, 360)), at: now) }
        world.command(.figures)
        world.run(for: .seconds(2))
        let lines = world.marked { $0.pointer = Point(640 + 320, 90) }.views.map { $0.marks.figures.lines.last! }
        let number = world.framesNow[0]!.number
        expect(lines, equals: Array(repeating: "32,9: Y \(number) of 8 bits, RGB 1 2 3", count: 2))
        expect(world.marked { $0.pointer = nil }.views[0].marks.figures.lines, equals: ["the reference"])
    }

    @Test func aTileThatComparesHasTheFiguresOfItsMembers() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        world.command(.figures)
        world.command(.compare(.toggle))
        world.run(for: .seconds(2))
        expect(numbers(world.figureOrders.last).count, equals: 1)
        world.act { wall, now in wall.take([self.answer(1)], at: now) }
        expect(figures(&world).last?.first, equals: "PSNR 48.13 dB  SSIM 0.90000")
    }
}
