import Expectations
import Foundation
import TestKit
import Testing

/// Films rendered at another rate: each output frame is the film's frame of that number.
@Suite struct RateTests {
    /// 23.976 frames a second shown at 25, with the rate written in decimals.
    @Test func aFilmInAnotherRateIsShownFrameByFrame() throws {
        let film = try RenderTests.clip(1, 100) { $0.rate = Rate(24000, 1001) }.file()
        func sums(_ item: [String: Any], _ rate: String) throws -> [String] {
            let file = Scratch.path("rate.framehash")
            let layout = try RenderTests.layout(
                tiles: [["play": [item], "loop": 1]], ["window": ["size": [320, 180]]])
            try RenderTests.render([layout, "--fps", rate, "-o", file])
            return RenderTests.sums(try String(contentsOfFile: file, encoding: .utf8))
        }
        let plain = try sums(["src": film], "24000/1001")
        expect(plain.count == 100 && Set(plain).count == 100)
        try expect(sums(["src": film, "rate": 1.0427083333], "25"), equals: plain)
    }
}
