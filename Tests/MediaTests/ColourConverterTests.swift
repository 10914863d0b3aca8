import CFFmpeg
import Expectations
import Testing

@testable import Base
@testable import Media

@Suite struct ColourConverterTests {
    /// An uninitialized frame in that format.
    private func codecFrame(_ format: AVPixelFormat) throws -> CodecFrame {
        let codecFrame = CodecFrame()
        codecFrame.av.pointee.format = format.rawValue
        (codecFrame.av.pointee.width, codecFrame.av.pointee.height) = (64, 36)
        try #require(av_frame_get_buffer(codecFrame.av, 0) >= 0)
        return codecFrame
    }

    @Test func aFormatThatCantBeConvertedSpoilsNothingThatFollows() throws {
        let converter = ColourConverter(), pool = FrameBufferPool()
        // The formats that swscale can't read depend on its version.
        let unread = [AV_PIX_FMT_UYYVYY411, AV_PIX_FMT_Y210BE].first { sws_isSupportedInput($0) == 0 }
        let usual = try codecFrame(AV_PIX_FMT_GBRP), odd = try codecFrame(try #require(unread))
        _ = try converter.convert(usual, in: pool)
        #expect(throws: SourceTrouble.self) { _ = try converter.convert(odd, in: pool) }
        try expect(converter.convert(usual, in: pool).size, equals: Size(64, 36))
        #expect(throws: SourceTrouble.self) { _ = try converter.convert(odd, in: pool) }
    }
}
