import Expectations
import Testing

@testable import Analysis
@testable import Base
@testable import Commands
@testable import Layout
@testable import Opened
@testable import SimulatedWall

/// Reports about breaks before anything plays.
@Suite struct BreakCheckTests: BreakTesting {
    @Test func filmsThatCannotBeGoneBackToInTimeAreNamed() {
        var far = OpenedFacts(kind: .video, length: .seconds(20), frameLength: .milliseconds(40))
        far.keyFrames = [.zero, .seconds(2), .seconds(9)]
        var near = far
        near.keyFrames = (0..<10).map { .seconds(2 * $0) }
        func judge(_ change: (inout BreakLayout) -> Void) -> [CheckFinding] {
            let breaks = [entry("ad", ["far"]) { change(&$0) }]
            return layout([["far", "near"], ["far"], ["other"]], breaks).farKeys {
                $0 == "far" ? far : $0 == "near" ? near : nil
            }
        }
        expect(judge { _ in }.isEmpty)
        let named = judge { $0.when = .now }
        expect(named.map(\.json), equals: [["break": .text("ad"), "source": .text("far"), "gap": .number(11)]])
        expect(judge { ($0.isTogether, $0.tiles) = (true, ["tile3"]) }.isEmpty)
    }

    @Test func fadesIntoThemAndOutOfThemAreNamed() {
        func judge(_ change: (inout Layout) -> Void) -> [String] {
            var layout = layout([["a", "b"], ["a"]], [entry("ad", ["spot"]) { $0.tiles = ["tile1"] }])
            layout.tiles[0].transition = .fade(.seconds(1))
            change(&layout)
            return layout.breakFades { clips[$0]?.facts }.map { fades in
                var times: [Double] = []
                for case .list(let ends)? in [fades.json["into"], fades.json["out-of"]] {
                    for case .number(let seconds) in ends { times.append(seconds) }
                }
                return "\(fades.json["break"]!.asText!) \(fades.json["tile"]!.asText!) \(times)"
            }
        }
        // A fade lasts at most half of the shorter item, here the break.
        expect(judge { _ in }, equals: ["ad tile1 [0.25, 0.25, 0.25, 0.25]"])
        expect(judge { $0.tiles[0].play[1].transition = .cut }, equals: ["ad tile1 [0.25, 0.25, 0.0, 0.25]"])
        expect(
            judge { $0.breaks[0].play[0].transition = .fade(.milliseconds(100)) },
            equals: ["ad tile1 [0.1, 0.1, 0.25, 0.25]"])
        expect(judge { $0.tiles[0].transition = .cut }.isEmpty)
        expect(judge { $0.breaks[0].tiles = nil }.map { $0.prefix(8) }, equals: ["ad tile1"])
        expect(judge { ($0.breaks[0].tiles, $0.breaks[0].isTogether) = (nil, true) }.isEmpty)
        expect(judge { $0.breaks[0].isTogether = true }.count, equals: 1)
    }
}
