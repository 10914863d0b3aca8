import Base
import CFFmpeg

/// Encodes pixels as images in memory: B, G, R and an ignored byte, in rows `stride` bytes apart. Returns nil if there
/// is no encoder or no memory.
enum StillEncoder {
    static func png(of base: UnsafePointer<UInt8>, stride: Int, size: Size) -> [UInt8]? {
        let spec = FilmSpec(format: .frame, size: size, rate: FrameRate(25, 1))
        guard let codecFrame = try? RasterConverter(spec).codecFrame(of: base, stride: stride) else { return nil }
        return bytes(of: codecFrame, AV_CODEC_ID_PNG) { context in
            av_opt_set(context.pointee.priv_data, "pred", "mixed", 0)
        }
    }

    /// The JPEG's quantizer; less means a better and larger file.
    private static let quality: Int32 = 2

    /// At full chroma resolution and high quality.
    static func jpeg(of base: UnsafePointer<UInt8>, stride: Int, size: Size) -> [UInt8]? {
        let (width, height) = (Int32(size.width), Int32(size.height))
        guard
            let context = qd_sws_make(
                width, height, AV_PIX_FMT_BGR0, width, height, AV_PIX_FMT_YUVJ444P,
                qd_SWS_BICUBIC | qd_SWS_ACCURATE_RND | qd_SWS_FULL_CHR_H_INP)
        else { return nil }
        defer { qd_sws_free(context) }
        let pixels = CodecFrame(size, AV_PIX_FMT_BGR0.rawValue), frame = CodecFrame(size, AV_PIX_FMT_YUVJ444P.rawValue)
        qd_set_plane(pixels.av, 0, UnsafeMutablePointer(mutating: base), Int32(stride))
        guard qd_sws_scale_frame(context, frame.av, pixels.av) >= 0 else { return nil }
        frame.av.pointee.quality = quality * FF_QP2LAMBDA
        return bytes(of: frame, AV_CODEC_ID_MJPEG) { context in
            context.pointee.color_range = AVCOL_RANGE_JPEG
            context.pointee.flags |= AV_CODEC_FLAG_QSCALE
            context.pointee.global_quality = quality * FF_QP2LAMBDA
        }
    }

    /// `prepare`: sets options of the encoder before it is opened.
    private static func bytes(
        of frame: CodecFrame, _ codec: AVCodecID, _ prepare: (UnsafeMutablePointer<AVCodecContext>) -> Void
    ) -> [UInt8]? {
        guard let codec = avcodec_find_encoder(codec), let owner = CodecContext(codec) else { return nil }
        let (context, codecFrame, owned) = (owner.av, frame.av, Packet())
        let packet = owned.av
        (context.pointee.width, context.pointee.height) = (codecFrame.pointee.width, codecFrame.pointee.height)
        context.pointee.pix_fmt = AVPixelFormat(codecFrame.pointee.format)
        context.pointee.time_base = AVRational(num: 1, den: 25)
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        prepare(context)
        guard avcodec_open2(context, codec, nil) >= 0, avcodec_send_frame(context, codecFrame) >= 0,
            avcodec_send_frame(context, nil) >= 0, avcodec_receive_packet(context, packet) >= 0
        else { return nil }
        return Array(UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
    }
}
