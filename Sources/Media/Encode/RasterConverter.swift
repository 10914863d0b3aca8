import Base
import CFFmpeg
import CYUV

/// Converts 32-bit pixels (libyuv's ARGB) to frames for an encoder. Belongs to one thread.
///
/// YUV is BT.709 in limited range, and RGB is sRGB. Both are tagged.
final class RasterConverter {
    private let spec: FilmSpec
    private let palette: PaletteFilter?

    init(_ spec: FilmSpec) throws(FilmTrouble) {
        self.spec = spec
        palette = spec.format == .gif ? try PaletteFilter(spec.size) : nil
    }

    /// Tags the stream with the meaning of its colours.
    static func tag(_ codec: UnsafeMutablePointer<AVCodecContext>, _ spec: FilmSpec) {
        guard spec.format.traits.pixels == AV_PIX_FMT_YUV420P else { return }
        if let colours = spec.colours {
            (codec.pointee.color_range, codec.pointee.colorspace) = (colours.range.number, colours.matrix.number)
            return
        }
        codec.pointee.color_range = AVCOL_RANGE_MPEG
        codec.pointee.colorspace = AVCOL_SPC_BT709
        codec.pointee.color_primaries = AVCOL_PRI_BT709
        codec.pointee.color_trc = AVCOL_TRC_BT709
        codec.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
    }

    /// Copies the pixels, so they may change when it returns.
    func codecFrame(of base: UnsafePointer<UInt8>, stride: Int) throws(FilmTrouble) -> CodecFrame {
        let (width, height) = (Int32(spec.size.width), Int32(spec.size.height))
        let pixels = palette == nil ? spec.format.traits.pixels : AV_PIX_FMT_BGRA
        let made = CodecFrame(spec.size, pixels.rawValue), codecFrame = made.av
        let status = av_frame_get_buffer(codecFrame, 0)
        guard status >= 0, let first = qd_plane(codecFrame, 0) else { throw FilmTrouble(status, "making a frame") }
        switch pixels {
        case AV_PIX_FMT_YUV420P: HighDefinitionColours.convert(base, stride: stride, into: codecFrame)
        case AV_PIX_FMT_BGRA: ARGBCopy(base, Int32(stride), first, qd_stride(codecFrame, 0), width, height)
        default:
            ARGBToRAW(base, Int32(stride), first, qd_stride(codecFrame, 0), width, height)
            // The encoder of PNG writes a chunk sRGB for these.
            codecFrame.pointee.color_primaries = AVCOL_PRI_BT709
            codecFrame.pointee.color_trc = AVCOL_TRC_IEC61966_2_1
        }
        try palette?.convert(codecFrame)
        return made
    }
}

/// Finds 256 colours for each frame and draws the frame with them, by libavfilter's palettegen and paletteuse. Belongs
/// to one thread.
///
/// The graph holds one frame at a time, so each palette depends on one frame alone. Dithering is off, since it flickers
/// from palette to palette.
final class PaletteFilter {
    private let graph: FilterGraph
    private var count: Int64 = 0

    /// Loads libavfilter at the first call.
    init(_ size: Size) throws(FilmTrouble) {
        guard let library = FilterLibrary.shared, library.get_by_name("paletteuse") != nil else {
            throw FilmTrouble("FFmpeg's libraries here have no libavfilter, which finds the colours of a gif")
        }
        let input =
            "video_size=\(size.width)x\(size.height):pix_fmt=\(AV_PIX_FMT_BGRA.rawValue):time_base=1/25"
            + ":pixel_aspect=1/1"
        let filters =
            "split[frame][seen];[seen]palettegen=stats_mode=single:reserve_transparent=0[palette];"
            + "[frame][palette]paletteuse=new=1:dither=none"
        do throws(FilterGraph.Failure) {
            graph = try FilterGraph(library, .frames, input: input, filters: filters)
        } catch {
            throw FilmTrouble(error.status, "finding colours")
        }
    }

    /// Replaces the content of a frame, 32-bit pixels, by a palette and the pixels' places in it.
    func convert(_ codecFrame: UnsafeMutablePointer<AVFrame>) throws(FilmTrouble) {
        codecFrame.pointee.pts = count
        count += 1
        var status = graph.push(codecFrame)
        if status >= 0 { status = graph.pull(codecFrame) }
        try FilmTrouble.check(status, "finding colours")
        // The filter's duration does not fit the encoder's time base.
        qd_set_frame_duration(codecFrame, 0)
    }
}
