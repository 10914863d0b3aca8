import Base
import CFFmpeg

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
        guard status >= 0 else { throw FilmTrouble(status, "finding colours") }
        // The filter's duration does not fit the encoder's time base.
        qd_set_frame_duration(codecFrame, 0)
    }
}
