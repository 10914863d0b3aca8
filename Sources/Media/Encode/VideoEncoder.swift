import CFFmpeg

/// Encodes frames for a muxer. Owned by one thread at a time.
final class VideoEncoder {
    private let packets: PacketMover
    /// Duration of a frame, in the encoder's time base.
    private let frameLength: Int64

    init(_ spec: FilmSpec, into muxer: Muxer) throws(FilmTrouble) {
        frameLength = spec.timing == .live ? Int64(1000 * spec.rate.denominator / spec.rate.numerator) : 1
        let codec = try encoder(spec.format.traits.videoEncoders, kind: "video", of: spec.format)
        guard let context = CodecContext(codec) else { throw FilmTrouble(qd_ENOMEM, "making an encoder") }
        try VideoEncoder.open(context.av, codec, spec, muxer)
        packets = PacketMover(context: context, stream: try muxer.add(context.av), muxer: muxer)
    }

    private static func open(
        _ context: UnsafeMutablePointer<AVCodecContext>, _ codec: UnsafePointer<AVCodec>, _ spec: FilmSpec,
        _ muxer: Muxer
    ) throws(FilmTrouble) {
        let name = String(cString: codec.pointee.name)
        context.pointee.width = Int32(spec.size.width)
        context.pointee.height = Int32(spec.size.height)
        context.pointee.pix_fmt = spec.format.traits.pixels
        let rate = AVRational(num: Int32(spec.rate.numerator), den: Int32(spec.rate.denominator))
        context.pointee.framerate = rate
        context.pointee.time_base =
            spec.timing == .live ? AVRational(num: 1, den: 1000) : AVRational(num: rate.den, den: rate.num)
        context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        if muxer.wantsGlobalHeader { context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
        RasterConverter.tag(context, spec)
        try set(context, name, spec)
        let status = avcodec_open2(context, codec, nil)
        if status >= 0 { return }
        let isOdd = spec.size.width % 2 + spec.size.height % 2 > 0
        throw FilmTrouble(
            "the encoder \(name) takes no frames of \(spec.size.width)x\(spec.size.height)"
                + (isOdd ? "; an even width and height would be right (--size)" : ": \(words(for: status))"))
    }

    /// `number` counts from 0, by frames or milliseconds according to the timing. The encoder may keep the frame, so it
    /// must not change.
    func encode(_ codecFrame: CodecFrame, number: Int64) throws(FilmTrouble) {
        codecFrame.av.pointee.pts = number
        try packets.send(codecFrame.av, lasting: frameLength)
    }

    func finish() throws(FilmTrouble) { try packets.send(nil, lasting: frameLength) }

    private static func set(
        _ context: UnsafeMutablePointer<AVCodecContext>, _ name: String, _ spec: FilmSpec
    ) throws(FilmTrouble) {
        let own = context.pointee.priv_data
        switch name {
        case "libx264":
            av_opt_set(own, "crf", "\(spec.quality ?? 18)", 0)
            if spec.timing == .live { av_opt_set(own, "tune", "zerolatency", 0) }
            try preset(context, spec.preset, "preset", name)
        case "libvpx-vp9", "libvpx":
            av_opt_set(own, "crf", "\(spec.quality ?? 24)", 0)
            av_opt_set(own, "row-mt", "1", 0)
            av_opt_set(own, "cpu-used", "4", 0)
            context.pointee.thread_count = 4
            try preset(context, spec.preset, "deadline", name)
        case "mpeg4", "libopenh264":
            context.pointee.flags |= AV_CODEC_FLAG_QSCALE
            context.pointee.global_quality = Int32(spec.quality ?? 3) * FF_QP2LAMBDA
            try preset(context, spec.preset, nil, name)
        default:
            if spec.quality != nil {
                throw FilmTrouble("--crf: \(spec.format.traits.container) has no quality to choose")
            }
            try preset(context, spec.preset, nil, name)
        }
    }

    private static func preset(
        _ context: UnsafeMutablePointer<AVCodecContext>, _ preset: String?, _ option: String?, _ name: String
    ) throws(FilmTrouble) {
        guard let preset else { return }
        guard let option else { throw FilmTrouble("--preset: the encoder \(name) has none") }
        // libx264 checks the name only when it is opened.
        let known = [
            "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow",
            "placebo",
        ]
        let isRight = option == "deadline" || known.contains(preset)
        guard isRight, av_opt_set(context.pointee.priv_data, option, preset, 0) >= 0 else {
            let right = option == "deadline" ? "good, best or realtime" : known.joined(separator: ", ")
            throw FilmTrouble("--preset \(preset): the encoder \(name) has no such preset; \(right) would be right")
        }
    }
}

/// Returns the first of these encoders that FFmpeg's libraries have here.
func encoder(_ names: [String], kind: String, of format: FilmFormat) throws(FilmTrouble) -> UnsafePointer<AVCodec> {
    for name in names {
        if let codec = avcodec_find_encoder_by_name(name) { return codec }
    }
    throw FilmTrouble(
        "FFmpeg's libraries here have no encoder for the \(kind) of \(format.traits.container): "
            + "none of \(names.joined(separator: ", "))")
}

/// Moves packets from an encoder to its stream.
struct PacketMover {
    let context: CodecContext
    let stream: UnsafeMutablePointer<AVStream>
    let muxer: Muxer

    /// `frame`: nil at the end. `duration`: duration of packets for which the encoder states none, in the encoder's
    /// time base.
    func send(_ codecFrame: UnsafeMutablePointer<AVFrame>?, lasting duration: Int64) throws(FilmTrouble) {
        let context = context.av, status = avcodec_send_frame(context, codecFrame)
        if status != qd_EOF { try FilmTrouble.check(status, "encoding") }
        let owner = Packet(), packet = owner.av
        while true {
            let status = avcodec_receive_packet(context, packet)
            if status == qd_EAGAIN || status == qd_EOF { return }
            try FilmTrouble.check(status, "encoding")
            if packet.pointee.duration == 0 { packet.pointee.duration = duration }
            packet.pointee.stream_index = stream.pointee.index
            try muxer.begin()
            av_packet_rescale_ts(packet, context.pointee.time_base, stream.pointee.time_base)
            try muxer.write(packet)
        }
    }
}
