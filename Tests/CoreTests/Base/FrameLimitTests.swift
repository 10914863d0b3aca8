import Expectations
import Testing

@testable import Base

/// Limits of the size of frames.
@Suite struct FrameLimitTests {
    private func isPlayed(_ width: Int, _ height: Int, _ limit: FrameLimit, planar: Bool = true, still: Bool = false)
        -> Bool
    {
        limit.refusal(of: Size(width, height), isPlanar: planar, isStill: still) == nil
    }

    @Test func aLayoutThatSaysNothingPlaysWhatCamerasMake() {
        for (width, height) in [(16, 16), (7680, 4320), (8192, 4320), (4320, 8192), (4096, 4096)] {
            expect(isPlayed(width, height, .usual), "\(width)x\(height)")
        }
        expect(isPlayed(8192, 8192, .usual, planar: false, still: true))
        expect(isPlayed(4096, 4096, .usual, planar: false))
    }

    @Test func sidesAreBoundedByTheLayout() {
        expect(!isPlayed(8193, 16, .usual) && !isPlayed(16, 8193, .usual))
        let small = FrameLimit(size: Size(1920, 1080), memory: 256 << 20)
        expect(isPlayed(1920, 1080, small) && !isPlayed(1080, 1920, small) && !isPlayed(1922, 1080, small))
        expect(small.pixels, equals: 1920 * 1080)
        expect(small.refusal(of: Size(4000, 4000), isPlanar: true, isStill: true)?.contains("max-pixels"), equals: true)
    }

    @Test func framesAreBoundedByTheMemory() {
        expect(!isPlayed(8192, 8192, .usual) && !isPlayed(8192, 8192, .usual, planar: false))
        let little = FrameLimit(size: Size(8192, 8192), memory: 16 << 20)
        expect(isPlayed(3840, 2160, little, planar: false) && !isPlayed(8192, 4320, little))
        expect(isPlayed(8192, 4320, little, still: true) && !isPlayed(8192, 8192, little, planar: false, still: true))
        let words = little.refusal(of: Size(8000, 4000), isPlanar: true, isStill: false)
        expect(words?.contains("too large for \"memory\"; set it to at least 138"), equals: true, "\(words ?? "")")
        expect(little.pixels, equals: 8192 * 8192)
    }
}
