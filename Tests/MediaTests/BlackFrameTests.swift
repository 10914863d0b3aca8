import Base
import Decoded
import Expectations
import Media
import Testing

import class TestKit.PlaneMemory

@Suite struct BlackFrameTests {
    private let size = Size(640, 360)

    /// A frame with this level in its first plane, but for a square of 40 pixels in the middle.
    private func frame(_ format: Frame.Format, bytes: Int, _ level: UInt8, middle: UInt8) -> Frame {
        let stride = size.width * bytes + 32
        let held = PlaneMemory(bytes: stride * size.height), memory = held.base
        memory.initialize(repeating: 255, count: stride * size.height)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let isMiddle = abs(y - size.height / 2) <= 20 && abs(x - size.width / 2) <= 20
                for byte in 0..<min(bytes, 3) { memory[y * stride + x * bytes + byte] = isMiddle ? middle : level }
            }
        }
        return Frame(
            size: size, natural: size, format: format, planes: [.init(base: memory, stride: stride)],
            owner: held)
    }

    @Test func whatNobodyCanSeeIsBlack() {
        let cases: [(Frame.Format, Int, black: UInt8, grey: UInt8)] = [
            (.i420(.init(.bt709, .limited)), 1, 16, 40), (.i420(.init(.bt601, .full)), 1, 0, 24),
            (.i444(.init(.bt709, .limited)), 1, 16, 40), (.bgra(.opaque), 4, 0, 24),
        ]
        for (format, bytes, black, grey) in cases {
            expect(frame(format, bytes: bytes, black, middle: black).isBlack, "\(format)")
            expect(frame(format, bytes: bytes, black + 6, middle: black + 10).isBlack, "noise in \(format)")
            expect(!frame(format, bytes: bytes, grey, middle: grey).isBlack, "\(format)")
            expect(!frame(format, bytes: bytes, black, middle: 200).isBlack, "a star in \(format)")
        }
        // Other tiles may show through it.
        expect(!frame(.bgra(.translucent), bytes: 4, 0, middle: 0).isBlack)
    }
}
