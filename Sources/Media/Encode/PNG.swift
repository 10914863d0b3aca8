import Base
import CFFmpeg

/// A frame as a PNG in memory.
public enum PNG {
    /// `base`: pixels of B, G, R and an ignored byte, in rows `stride` bytes apart. Returns nil if there is no encoder
    /// or no memory.
    public static func bytes(of base: UnsafePointer<UInt8>, stride: Int, size: Size) -> [UInt8]? {
        let spec = FilmSpec(format: .frame, size: size, rate: FrameRate(25, 1))
        var codecFrame = try? RasterConverter(spec).codecFrame(of: base, stride: stride)
        defer { av_frame_free(&codecFrame) }
        guard let codecFrame else { return nil }
        return StillEncoder.bytes(of: codecFrame, AV_CODEC_ID_PNG) { context in
            av_opt_set(context.pointee.priv_data, "pred", "mixed", 0)
        }
    }
}
