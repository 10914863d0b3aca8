import Base
import CFFmpeg

/// An empty packet, freed in deinit. Belongs to one thread. Memory for so little is always there, or Swift itself ends
/// the program.
final class Packet {
    let av = av_packet_alloc()!

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = av
        av_packet_free(&packet)
    }
}

/// A copy of a stream's codec parameters, freed in deinit. Immutable.
final class CodecParameters: @unchecked Sendable {
    let av = avcodec_parameters_alloc()!

    init(of stream: UnsafeMutablePointer<AVStream>) { avcodec_parameters_copy(av, stream.pointee.codecpar) }

    deinit {
        var parameters: UnsafeMutablePointer<AVCodecParameters>? = av
        avcodec_parameters_free(&parameters)
    }
}

extension AVCodecParameters {
    /// Text that is equal for streams that one decoder can decode in succession, extradata included.
    var identity: String {
        let extra = UnsafeRawBufferPointer(start: extradata, count: Int(max(0, extradata_size)))
        return "\(codec_id.rawValue) \(codec_tag) \(format) \(width)x\(height) \(profile) \(level) \(video_delay) "
            + "\(field_order.rawValue) \(bits_per_coded_sample) \(color_space.rawValue) \(color_range.rawValue) "
            + "\(color_trc.rawValue) \(color_primaries.rawValue) \(Array(extra))"
    }
}

/// A decoder or an encoder, closed in deinit. Belongs to one thread.
final class CodecContext {
    let av: UnsafeMutablePointer<AVCodecContext>

    /// nil if there is no memory.
    convenience init?(_ codec: UnsafePointer<AVCodec>) {
        guard let context = avcodec_alloc_context3(codec) else { return nil }
        self.init(context)
    }

    /// Opens a decoder for a stream of video, sound or subtitles, as `what` says, with these parameters and this time
    /// base. `codec`: nil for FFmpeg's usual decoder. `prepare`: sets its options.
    convenience init(
        decoding what: String, _ parameters: UnsafePointer<AVCodecParameters>, _ timeBase: AVRational,
        by codec: UnsafePointer<AVCodec>? = nil, _ prepare: (UnsafeMutablePointer<AVCodecContext>) -> Void
    ) throws(SourceTrouble) {
        let id = parameters.pointee.codec_id, name = String(cString: avcodec_get_name(id))
        guard let codec = codec ?? avcodec_find_decoder(id) else {
            throw SourceTrouble(.unsupported, "no decoder for its \(what): \(name)")
        }
        let doing = "opening the decoder \(name)"
        guard let context = avcodec_alloc_context3(codec) else {
            throw SourceTrouble(code: qd_ENOMEM, at: .file, doing: doing)
        }
        self.init(context)
        var status = avcodec_parameters_to_context(av, parameters)
        av.pointee.pkt_timebase = timeBase
        prepare(av)
        if status >= 0 { status = avcodec_open2(av, codec, nil) }
        if status < 0 { throw SourceTrouble(code: status, at: .file, doing: doing) }
    }

    private init(_ context: UnsafeMutablePointer<AVCodecContext>) { av = context }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = av
        avcodec_free_context(&context)
    }
}
