import Analysis
import Base
import Expectations
import Testing

@testable import Layout
@testable import SimulatedWall

/// Tiles that a machine does not decode in time, by what their films take.
@Suite struct DecodeJudgeTests {
    private struct Case {
        var loads: [Double?]
        var threads = 1
        var pipelines = 4
        var cores = 2
        var overflow = Overflow.first
        /// Index of each tile that is not decoded in time, with the beginning of the reason.
        var faults: [Int: String]
        var needed: Double
    }

    private static let cases = [
        Case(loads: [0.2, 0.3], faults: [:], needed: 0.5),
        Case(loads: [nil, 0.3], faults: [:], needed: 0.3),
        Case(
            loads: [0.9, 0.8, 0.2], faults: [2: "2.mp4 takes 0.20 of 2 cores, and the tiles before it take 1.70"],
            needed: 1.9),
        Case(loads: [0.9, 0.95, 0.8], faults: [1: "1.mp4 takes 0.95 of 2 cores"], needed: 2.65),
        Case(
            loads: [1.2], faults: [0: "0.mp4 takes 1.20 s of processor time for each second, more than one core"],
            needed: 1.2),
        Case(loads: [1.2], threads: 2, faults: [:], needed: 1.2),
        Case(
            loads: [2.2], threads: 2,
            faults: [0: "0.mp4 takes 2.20 s of processor time for each second, more than 2 cores"], needed: 2.2),
        // Tiles that never play take nothing.
        Case(loads: [0.9, 0.8, 0.7], pipelines: 2, faults: [:], needed: 1.7),
        // Tiles take turns: the most expensive ones play together at times.
        Case(
            loads: [0.9, 0.2, 0.95], pipelines: 2, overflow: .rotate(every: .seconds(10)),
            faults: [2: "2.mp4 takes 0.95 of 2 cores, and the tiles before it take 0.90"], needed: 1.85),
    ]

    @Test(arguments: cases.indices) func theTilesThatAreTooManyAreNamed(_ number: Int) {
        let test = Self.cases[number]
        var layout = Layout.of(test.loads.indices.map { ["\($0).mp4"] })
        layout.overflow = test.overflow
        var loads: [Int: DecodeJudge.Load] = [:]
        for (tile, cores) in test.loads.enumerated() {
            loads[tile] = cores.map { DecodeJudge.Load(source: "\(tile).mp4", cores: $0, threads: test.threads) }
        }
        let judge = DecodeJudge(layout, loads, pipelines: test.pipelines, cores: test.cores)
        for tile in test.loads.indices {
            let fault = judge.fault(of: tile)
            expect((fault == nil) == (test.faults[tile] == nil), "\(number), \(tile): \(fault ?? "")")
            if let begin = test.faults[tile] { expect(fault?.hasPrefix(begin) == true, "\(fault ?? "")") }
        }
        expect(abs(judge.needed - test.needed), below: 1e-9)
    }

    /// Tiles of one feed are decoded once.
    @Test func aFeedThatTilesShareCountsOnce() {
        let layout = Layout.of([["a.mp4"], ["a.mp4"], ["a.mp4"]])
        let load = DecodeJudge.Load(source: "a.mp4", cores: 0.8, threads: 1)
        let judge = DecodeJudge(layout, [0: load, 1: load, 2: load], pipelines: 4, cores: 1)
        expect(judge.needed, equals: 0.8)
        expect(layout.tiles.indices.allSatisfy { judge.fault(of: $0) == nil })
    }
}
