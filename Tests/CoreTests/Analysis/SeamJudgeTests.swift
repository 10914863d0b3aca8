import Expectations
import Foundation
import Testing

@testable import Analysis
@testable import Base
@testable import Layout
@testable import Opened

@Suite struct SeamJudgeTests {
    private static let bright = Glance(brightness: [200, 100, 50, 150])
    private static let next = Glance(brightness: [190, 110, 60, 140])
    private static let black = Glance(brightness: [0, 3, 2, 0])
    private static let other = Glance(brightness: [50, 200, 220, 20])

    private static func source(
        _ length: Time = .seconds(2), codec: String = "h264", _ change: (inout SourceInspection) -> Void = { _ in }
    ) -> SourceInspection {
        var source = SourceInspection(
            facts: OpenedFacts(kind: .video, length: length), codec: codec, startsWithKeyFrame: true, rate: [30, 1],
            sounds: [.init(start: .zero, end: length)])
        source.facts.codec = codec
        change(&source)
        return source
    }

    private static func stretch(
        first: Glance = bright, second: Glance = next, last: Glance = Glance(brightness: [210, 90, 40, 160]),
        firstLit: Time? = .zero, lastLit: Time? = .seconds(2)
    ) -> StretchInspection {
        StretchInspection(
            first: first, second: second, last: last, lastStart: .milliseconds(1967), firstLit: firstLit,
            lastLit: lastLit)
    }

    private static func layout(_ plays: [[Item]], loop: Loop = .forever) -> Layout {
        let tiles = plays.enumerated().map { index, play -> TileLayout in
            var tile = TileLayout(id: "t\(index)", place: .cell(column: index, row: 0, columns: 1, rows: 1), play: play)
            tile.loop = loop
            return tile
        }
        var layout = Layout(title: "", tiles: tiles)
        layout.grid.columns = plays.count
        return layout
    }

    private static func item(_ sources: String...) -> Item {
        Item(segments: Item.Segments(sources.map { Item.Segment(source: $0) })!)
    }

    private static func judge(
        _ layout: Layout, _ sources: [String: SourceInspection], _ stretches: [String: StretchInspection] = [:],
        pipelines: Int = 4
    ) -> SeamJudge {
        var inspections = Inspections()
        inspections.sources = sources
        for segment in layout.tiles.flatMap({ $0.play.flatMap(\.segments) }) {
            inspections.stretches[segment] =
                sources[segment.source] == nil ? nil : stretches[segment.source] ?? stretch()
        }
        return SeamJudge(layout, inspections, pipelines: pipelines)
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        var name: String
        var source: SourceInspection
        var stretch = SeamJudgeTests.stretch()
        var codes: [SeamReason.Code]
        var words: String
        var command: String?
        var testDescription: String { name }
    }

    static let faults = [
        Fault(name: "nothing", source: source(), codes: [], words: ""),
        Fault(
            name: "sound shorter", source: source { $0.sounds[0].end = .milliseconds(1700) }, codes: [.soundShorter],
            words: "300 ms shorter", command: "apad,atrim=end=2\""),
        Fault(
            name: "sound longer", source: source { $0.sounds[0].end = .milliseconds(2400) }, codes: [.soundLonger],
            words: "400 ms longer", command: "-c:v copy"),
        Fault(
            name: "sound about as long", source: source { $0.sounds[0].end = .milliseconds(2010) }, codes: [], words: ""
        ),
        Fault(
            name: "sound late", source: source { $0.sounds[0].start = .milliseconds(80) }, codes: [.soundLate],
            words: "80 ms after", command: "adelay=delays=80:all=1"),
        Fault(name: "no sound", source: source { $0.sounds = [] }, codes: [], words: ""),
        Fault(
            name: "no key frame", source: source { $0.startsWithKeyFrame = false }, codes: [.noKeyFrame],
            words: "not a key frame", command: "-c:v libx264"),
        Fault(
            name: "black first", source: source(), stretch: stretch(first: black, firstLit: .milliseconds(100)),
            codes: [.blackFirst], words: "until 0.1 s", command: "trim=start=0.1,"),
        Fault(
            name: "black last", source: source(), stretch: stretch(last: black, lastLit: .milliseconds(1900)),
            codes: [.blackLast], words: "from 1.9 s", command: "trim=end=1.9,"),
        Fault(
            name: "black for long", source: source(),
            stretch: stretch(first: black, second: black, last: black, firstLit: nil, lastLit: nil), codes: [],
            words: ""),
        Fault(
            name: "another scene", source: source(), stretch: stretch(last: other), codes: [.loopApart],
            words: "does not lead"),
        Fault(
            name: "the first again", source: source(), stretch: stretch(last: bright), codes: [.loopRepeats],
            words: "shown twice", command: "trim=end=1.967,"),
        Fault(
            name: "a standing frame", source: source(), stretch: stretch(second: bright, last: bright), codes: [],
            words: ""),
        Fault(
            name: "variable rate",
            source: source { $0.unevenFrames = .milliseconds(33)...Time.milliseconds(67) }, codes: [.unevenRate],
            words: "33 ms to 67 ms", command: "fps=30/1"),
    ]

    @Test(arguments: faults) func aLoopIsSeamlessOrSaysWhyNot(_ fault: Fault) throws {
        let judge = Self.judge(Self.layout([[Self.item("a.mp4")]]), ["a.mp4": fault.source], ["a.mp4": fault.stretch])
        let seams = judge.seams()
        try #require(seams.count == 1)
        expect(seams[0].kind == .loop && seams[0].at == .seconds(2))
        expect(seams[0].reasons.map(\.code), equals: fault.codes)
        expect(seams[0].reasons.allSatisfy { $0.words.contains(fault.words) })
        let commands = judge.mends().map(\.command)
        expect(commands.count, equals: (fault.command == nil ? 0 : 1))
        if let command = fault.command { expect(commands[0].contains(command), "\(commands[0])") }
    }

    @Test func whatIsWrongWithOneFileIsMendedByOneCommand() throws {
        let source = Self.source { $0.sounds[0].end = .milliseconds(1700) }
        let judge = Self.judge(
            Self.layout([[Self.item("it's.mp4")]]), ["it's.mp4": source],
            ["it's.mp4": Self.stretch(first: Self.black, firstLit: .milliseconds(500))])
        expect(
            judge.mends().map(\.command),
            equals: [
                "ffmpeg -i 'it'\\''s.mp4' -map 0:v:0 -map 0:a? -vf \"setpts=PTS-STARTPTS,trim=start=0.5,setpts=PTS-STARTPTS\" "
                    + "-c:v libx264 -crf 16 "
                    + "-af \"asetpts=PTS-STARTPTS,atrim=start=0.5,asetpts=PTS-STARTPTS,apad,atrim=end=1.5\" "
                    + "-c:a aac 'it'\\''s-mended.mp4'"
            ])
    }

    /// A command for HDR keeps its light levels. The levels of a display that states no black begin at 0.
    @Test func hdrIsMendedAsHDR() {
        func encoder(_ change: (inout LightLevels) -> Void) -> String {
            var colours = SourceColorimetry(
                SourceColorimetry.Tags(matrix: .bt2020, transfer: .pq, primaries: .bt2020), size: Size(64, 36))
            change(&colours.light)
            let source = Self.source {
                ($0.colours, $0.unevenFrames) = (colours, .milliseconds(20)...(.milliseconds(90)))
            }
            let judge = Self.judge(Self.layout([[Self.item("a.mp4")]]), ["a.mp4": source], ["a.mp4": Self.stretch()])
            let command = judge.mends().map(\.command).joined()
            let words = command.components(separatedBy: " -crf ")[0].components(separatedBy: "\" -c:v ")
            return words.count == 2 ? words[1] : command
        }
        expect(encoder { _ in }, equals: "libx265 -tag:v hvc1")
        expect(encoder { $0.maxCLL = 800 }, equals: "libx265 -tag:v hvc1 -x265-params \"max-cll=800,0\"")
        let all = encoder { ($0.masteringPeak, $0.masteringBlack, $0.maxCLL, $0.maxFALL) = (1000, 0.005, 800, 200) }
        expect(all.hasSuffix("WP(15635,16450)L(10000000,50):max-cll=800,200\""), "\(all)")
        expect(encoder { $0.masteringPeak = 600 }.hasSuffix("L(6000000,0)\""))
        // The film's own primaries, unless the display has others.
        expect(all.contains("G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)"), "\(all)")
        let p3 = encoder { ($0.masteringPeak, $0.masteringPrimaries) = (1000, .displayP3) }
        expect(p3.contains("G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,0)"), "\(p3)")
    }

    @Test func everySeamOfASequenceHasItsPlace() {
        var twice = Self.item("b")
        twice.rounds = 3
        let layout = Self.layout([[Self.item("a", "a2"), twice, Self.item("c")]])
        let sources = Dictionary(uniqueKeysWithValues: ["a", "a2", "b", "c"].map { ($0, Self.source()) })
        let seams = Self.judge(layout, sources).seams()
        expect(seams.map(\.kind), equals: [.segment, .next, .round, .next, .loop])
        expect(seams.map(\.at), equals: [2, 4, 6, 10, 12].map { Time.seconds($0) })
        expect(seams.map(\.item), equals: [0, 1, 1, 2, 0])
        expect(seams.allSatisfy { $0.isSeamless })
    }

    @Test func withoutALoopThereIsNoSeamAtTheEnd() {
        expect(Self.judge(Self.layout([[Self.item("a")]], loop: .iterations(1)), ["a": Self.source()]).seams().isEmpty)
    }

    @Test func aChangeOfCodecAfterAVeryShortItemWantsAPipelineToSpare() {
        let layout = Self.layout([[Self.item("a"), Self.item("b")]])
        let sources = ["a": Self.source(.milliseconds(100)), "b": Self.source(codec: "vp9")]
        func codes(_ pipelines: Int) -> [[SeamReason.Code]] {
            Self.judge(layout, sources, pipelines: pipelines).seams().map { $0.reasons.map(\.code) }
        }
        expect(codes(1), equals: [[.noPipeline], []])
        expect(codes(2), equals: [[], []])
    }

    @Test(arguments: [
        (Overflow.rotate(every: .seconds(10)), [1, 2, 3, 4]), (.first, [4]), (.largest, [4]),
    ])
    func moreTilesThanPipelinesSaysWhoWaits(_ overflow: Overflow, _ waiting: [Int]) {
        var layout = Self.layout((0..<5).map { [Self.item("\($0)")] })
        layout.overflow = overflow
        let sources = Dictionary(uniqueKeysWithValues: (0..<5).map { ("\($0)", Self.source()) })
        func waits(_ pipelines: Int) -> [Int] {
            let judge = Self.judge(layout, sources, pipelines: pipelines)
            return layout.tiles.indices.filter { judge.wait(of: $0) != nil }
        }
        expect(waits(4), equals: waiting)
        expect(waits(5).isEmpty)
    }

    @Test func tilesThatShareAFeedShareAPipeline() {
        let layout = Self.layout((0..<5).map { _ in [Self.item("a")] })
        let judge = Self.judge(layout, ["a": Self.source()], pipelines: 1)
        expect(layout.tiles.indices.allSatisfy { judge.wait(of: $0) == nil })
    }

    @Test func aSourceThatCannotBePlayedIsNoSeamlessNeighbour() {
        let layout = Self.layout([[Self.item("a"), Self.item("gone")]])
        let codes = Self.judge(layout, ["a": Self.source()]).seams().map { $0.reasons.map(\.code) }
        expect(codes, equals: [[.broken], [.broken]])
    }

    // MARK: lengths

    @Test func segmentsHaveOneLengthWithTheirRates() {
        var item = Self.item("a", "a", "a")
        for (index, (start, end, rate)) in [(0, 500, 1.0), (500, 1000, 0.5), (1000, 1500, 1.0)].enumerated() {
            item.segments[index].start = .milliseconds(Int64(start))
            item.segments[index].end = .milliseconds(Int64(end))
            item.segments[index].rate = Rate(rate)
        }
        let layout = Self.layout([[item]])
        expect(layout.longestIteration { _ in OpenedFacts(kind: .video, length: .seconds(2)) }, equals: .seconds(2))
        expect(layout.longestIteration { _ in OpenedFacts(kind: .video, length: nil) }, equals: .seconds(2))
    }

    @Test func theLongestTileCountsUnlessTheShortestEndsTheIteration() {
        var layout = Self.layout([[Self.item("a")], [Self.item("b"), Self.item("b")]])
        let facts = { (source: String) -> OpenedFacts? in
            OpenedFacts(kind: .video, length: source == "a" ? .seconds(3) : .seconds(2))
        }
        expect(layout.longestIteration(facts), equals: .seconds(4))
        layout.groups[0].loop = .together
        layout.groups[0].until = .shortest
        expect(layout.longestIteration(facts), equals: .seconds(3))
        expect(layout.longestIteration { _ in OpenedFacts(kind: .video, length: nil) }, equals: nil)
    }

    @Test func theShorterTilesOfAGroupThatLoopsTogetherHoldTheirLastFrames() throws {
        var layout = Self.layout([[Self.item("a")], [Self.item("b")], [Self.item("c")]])
        let sources = [
            "a": Self.source(.milliseconds(1900)), "b": Self.source(.seconds(3)), "c": Self.source(.milliseconds(3010)),
        ]
        expect(Self.judge(layout, sources).seams().allSatisfy { $0.isSeamless })
        layout.groups[0].loop = .together
        var seams = Self.judge(layout, sources).seams()
        expect(seams.map { $0.reasons.map(\.words) }, equals: [["holds its last frame 1.1 s"], [], []])
        expect(seams[0].reasons.map(\.code) == [.holds] && seams[0].reasons[0].remedy == nil)
        // The tile begins 1 s into its film, so it ends 1 s earlier.
        layout.tiles[1].offset = .seconds(1)
        seams = Self.judge(layout, sources).seams()
        expect(seams[1].reasons.map(\.words), equals: ["holds its last frame 1.0 s"])
        layout.groups[0].until = .shortest
        expect(Self.judge(layout, sources).seams().allSatisfy { $0.isSeamless })
    }

    /// Each tile is judged once, so eight times the tiles take about eight times as long.
    @Test func manyTilesAreJudgedInTimeThatGrowsWithThem() {
        func duration(of count: Int) -> Int {
            var layout = Self.layout((0..<count).map { [Self.item("\($0)")] })
            layout.groups[0].loop = .together
            let sources = Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", Self.source()) })
            return leastNanoseconds(times: 3) { _ in
                expect(Self.judge(layout, sources).seams().count, equals: count)
            }
        }
        expect(duration(of: 2048), below: duration(of: 256) * 24)
    }

    // MARK: traces

    @Test func aTraceTellsWhatWasMeasured() {
        let trace = """
            {"t":0.1,"event":"start","version":1}
            {"t":2.0,"event":"seam","tile":"a","pass":1,"item":0,"round":0,"how":"continued","late-ms":1.5,"reason":null}
            {"t":4.0,"event":"seam","tile":"a","pass":2,"item":0,"round":0,"how":"continued","late-ms":40,"reason":"slow"}
            {"t":4.0,"event":"seam","tile":"x","pass":2,"item":0,"round":0,"how":"continued","late-ms":99,"reason":null}
            """
        let seams = TraceSummary.read([Array(trace.utf8)], tiles: ["a", "b"])?.seams
        expect(seams?.map(\.count), equals: [2, 0])
        expect(seams?[0].late == 1 && seams?[0].worst == 40 && seams?[0].reasons == ["slow"])
        expect(TraceSummary.read([Array("{ nonsense\n".utf8)], tiles: ["a"]), equals: nil)
        expect(TraceSummary.read([[]], tiles: ["a"]), equals: nil)
    }

    @Test func aStillThatIsShownAgainIsNoSeam() {
        let still = SourceInspection(
            facts: OpenedFacts(kind: .still, length: nil), codec: "png", startsWithKeyFrame: true)
        var twice = Self.item("still")
        twice.rounds = 2
        func kinds(_ items: [Item]) -> [PredictedSeam.Kind] {
            Self.judge(Self.layout([items]), ["still": still, "other": still, "a": Self.source()]).seams().map(\.kind)
        }
        expect(kinds([Self.item("still")]).isEmpty && kinds([twice]).isEmpty)
        expect(kinds([Self.item("still"), Self.item("other")]), equals: [.next, .loop])
        expect(kinds([Self.item("still"), Self.item("a")]), equals: [.next, .loop])
    }

    @Test func whoTakesTurnsIsReportedWhatWouldPlayAll() {
        let layout = Self.layout([[Self.item("a")], [Self.item("b")], [Self.item("c")]])
        let judge = Self.judge(layout, ["a": Self.source()], pipelines: 1)
        let words = layout.tiles.indices.compactMap { judge.wait(of: $0)?.words }
        expect(words.count == 2 && words.allSatisfy { $0.hasSuffix("; --pipelines 3, or auto, plays all of them") })
        expect(PipelineShortage(layout, pipelines: 3).words, equals: nil)
        expect(
            PipelineShortage(layout, pipelines: 1).words?.contains("share 1 pipeline: 2 at a time stand still"),
            equals: true)
        expect(PipelineShortage(layout, pipelines: 3).notice, equals: nil)
        expect(
            PipelineShortage(layout, pipelines: 1).notice,
            equals: "1 of 3 play at a time; --pipelines 3 plays all of them")
    }

    @Test func eachShortageIsReportedOnce() {
        let (small, large) = (Self.layout([[Self.item("a")]]), Self.layout([[Self.item("a")], [Self.item("b")]]))
        var message = ShortageMessage()
        func words(_ layout: Layout) -> Bool { message.next(layout, pipelines: 1) != nil }
        expect([small, large, large, small, large].map(words), equals: [false, true, false, false, true])
    }
}
