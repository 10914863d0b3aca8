import Base
import Decoded
import Expectations
import Opened
import Testing

import class TestKit.PlaneMemory

@testable import Media

/// Detects whether successive frames show the same contents.
@Suite struct StillnessWatchTests {
    /// Grey frames of these samples, with rows longer than the frame is wide.
    private func frame(_ size: Size, _ sample: (_ x: Int, _ y: Int) -> Int) -> Frame {
        let stride = size.width + 24
        let held = PlaneMemory(bytes: stride * size.height), memory = held.base
        memory.initialize(repeating: UInt8.random(in: 0...255), count: stride * size.height)
        for y in 0..<size.height {
            for x in 0..<size.width { memory[y * stride + x] = UInt8(clamping: sample(x, y)) }
        }
        let plane = Frame.Plane(base: memory, stride: stride)
        return Frame(
            size: size, natural: size, format: .i420(Colorimetry(.bt601, .limited)), planes: [plane, plane, plane],
            owner: held)
    }

    private static let sizes = [Size(320, 180), Size(321, 179), Size(15, 9)]

    @Test(arguments: sizes) func whatCodingChangesIsNoDifference(_ size: Size) {
        let watch = StillnessWatch()
        let scene = { (x: Int, y: Int) in (x * 7 + y * 3) % 200 }
        expect(watch.judge(frame(size, scene)), equals: .unknown)
        expect(watch.judge(frame(size, scene)), equals: .same)
        // One block is coded anew, and a few samples elsewhere.
        let coded = frame(size) { x, y in scene(x, y) + (x < 16 && y < 4 ? 2 : x % 40 == 0 ? 1 : 0) }
        expect(watch.judge(coded), equals: (size.width < 16 ? .moved : .same))
        expect(watch.judge(frame(size, scene)), equals: (size.width < 16 ? .moved : .same))
    }

    @Test(arguments: [Size(320, 180), Size(321, 179)]) func aDigitOfAClockIsOne(_ size: Size) {
        for (left, top) in [(3, 5), (size.width - 7, size.height - 9), (158, 92)] {
            let watch = StillnessWatch()
            _ = watch.judge(frame(size) { _, _ in 90 })
            let digit = frame(size) { x, y in
                (left..<left + 5).contains(x) && (top..<top + 8).contains(y) && (x + y) % 2 == 0 ? 220 : 90
            }
            expect(watch.judge(digit), equals: .moved, "\(left), \(top)")
            expect(watch.judge(digit), equals: .same)
        }
    }

    @Test func theNoiseOfACameraIsOne() {
        let watch = StillnessWatch()
        var numbers = SystemRandomNumberGenerator()
        func noise() -> Frame {
            frame(Size(320, 180)) { x, y in (x + y) % 200 + Int.random(in: -1...1, using: &numbers) }
        }
        _ = watch.judge(noise())
        expect(watch.judge(noise()) == .moved && watch.judge(noise()) == .moved)
    }

    /// Frames are compared with the first of those that are alike, so a slow movement is found.
    @Test func whatChangesSlowlyMoves() {
        let watch = StillnessWatch()
        var judgements: [Stillness] = []
        for step in 0..<64 {
            judgements.append(watch.judge(frame(Size(320, 180)) { x, _ in 60 + (x < step * 2 ? 20 : 0) }))
        }
        expect(judgements.count { $0 == .moved }, above: 8, "\(judgements)")
    }

    @Test func aFrameOfAnotherSizeSaysNothing() {
        let watch = StillnessWatch()
        _ = watch.judge(frame(Size(320, 180)) { _, _ in 90 })
        expect(watch.judge(frame(Size(160, 90)) { _, _ in 90 }), equals: .unknown)
        expect(watch.judge(frame(Size(160, 90)) { _, _ in 90 }), equals: .same)
    }
}
