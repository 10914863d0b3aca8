import CFFmpeg

/// An encoder and the stream that it writes. Owned by one thread at a time.
struct StreamEncoder {
    let codec: CodecContext
    private let stream: UnsafeMutablePointer<AVStream>
    private let muxer: Muxer
    /// Duration of a video frame, in the encoder's time base; 0 for sound.
    private let frameLength: Int64

    enum Kind {
        /// Frames, whose times count frames or milliseconds according to the timing.
        case video
        /// Stereo at the grid's rate.
        case sound
    }

    /// Takes the first of the format's encoders that FFmpeg's libraries have here.
    init(of kind: Kind, _ spec: FilmSpec, into muxer: Muxer) throws(FilmTrouble) {
        let traits = spec.format.traits, names = kind == .video ? traits.videoEncoders : traits.soundEncoders
        guard let codec = names.lazy.compactMap({ avcodec_find_encoder_by_name($0) }).first else {
            throw FilmTrouble(
                "FFmpeg's libraries here have no encoder for the \(kind) of \(traits.container): "
                    + "none of \(names.joined(separator: ", "))")
        }
        guard let context = CodecContext(codec) else { throw FilmTrouble(qd_ENOMEM, "making an encoder") }
        context.av.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        if muxer.wantsGlobalHeader { context.av.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
        let name = String(cString: codec.pointee.name)
        switch kind {
        case .video:
            frameLength = spec.timing == .live ? Int64(1000 * spec.rate.denominator / spec.rate.numerator) : 1
            try StreamEncoder.open(context, name, spec)
        case .sound:
            frameLength = 0
            SoundFrames.prepare(context.av, traits.samples ?? SoundFrames.format(for: codec))
            context.av.pointee.bit_rate = StreamEncoder.bitRateOfSound
            try FilmTrouble.check(avcodec_open2(context.av, nil, nil), "opening the encoder \(name)")
        }
        (self.codec, self.muxer, stream) = (context, muxer, try muxer.add(context.av))
    }

    private static let bitRateOfSound: Int64 = 192_000

    private static func open(_ codec: CodecContext, _ name: String, _ spec: FilmSpec) throws(FilmTrouble) {
        let context = codec.av
        (context.pointee.width, context.pointee.height) = (Int32(spec.size.width), Int32(spec.size.height))
        context.pointee.pix_fmt = spec.format.traits.pixels
        let rate = AVRational(num: Int32(spec.rate.numerator), den: Int32(spec.rate.denominator))
        context.pointee.framerate = rate
        context.pointee.time_base =
            spec.timing == .live ? AVRational(num: 1, den: 1000) : AVRational(num: rate.den, den: rate.num)
        context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        RasterConverter.tag(context, spec)
        try set(codec, name, spec)
        let status = avcodec_open2(context, nil, nil)
        if status >= 0 { return }
        let isOdd = spec.size.width % 2 + spec.size.height % 2 > 0
        throw FilmTrouble(
            "the encoder \(name) takes no frames of \(spec.size.width)x\(spec.size.height)"
                + (isOdd ? "; an even width and height would be right (--size)" : ": \(words(for: status))"))
    }

    private static func set(_ codec: CodecContext, _ name: String, _ spec: FilmSpec) throws(FilmTrouble) {
        let context = codec.av, own = context.pointee.priv_data
        // Option of the encoder that chooses its speed.
        var speed: String?
        switch name {
        case "libx264":
            av_opt_set(own, "crf", "\(spec.quality ?? 18)", 0)
            if spec.timing == .live { av_opt_set(own, "tune", "zerolatency", 0) }
            speed = "preset"
        case "libvpx-vp9", "libvpx":
            av_opt_set(own, "crf", "\(spec.quality ?? 24)", 0)
            av_opt_set(own, "row-mt", "1", 0)
            av_opt_set(own, "cpu-used", "4", 0)
            context.pointee.thread_count = 4
            speed = "deadline"
        case "mpeg4", "libopenh264":
            context.pointee.flags |= AV_CODEC_FLAG_QSCALE
            context.pointee.global_quality = Int32(spec.quality ?? 3) * FF_QP2LAMBDA
        default:
            if spec.quality != nil {
                throw FilmTrouble("--crf: \(spec.format.traits.container) has no quality to choose")
            }
        }
        guard let preset = spec.preset else { return }
        guard let speed else { throw FilmTrouble("--preset: the encoder \(name) has none") }
        // libx264 checks the name only when it is opened.
        let known = [
            "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow",
            "placebo",
        ]
        let isRight = speed == "deadline" || known.contains(preset)
        guard isRight, av_opt_set(own, speed, preset, 0) >= 0 else {
            let right = speed == "deadline" ? "good, best or realtime" : known.joined(separator: ", ")
            throw FilmTrouble("--preset \(preset): the encoder \(name) has no such preset; \(right) would be right")
        }
    }

    /// The encoder may keep the frame, so it must not change. nil at the end.
    func send(_ codecFrame: CodecFrame?) throws(FilmTrouble) {
        try codec.encode(codecFrame) { (packet, status) throws(FilmTrouble) in
            try FilmTrouble.check(status, "encoding")
            guard let packet else { return }
            if packet.pointee.duration == 0 {
                packet.pointee.duration = max(frameLength, Int64(codecFrame?.av.pointee.nb_samples ?? 0))
            }
            packet.pointee.stream_index = stream.pointee.index
            try muxer.begin()
            av_packet_rescale_ts(packet, codec.av.pointee.time_base, stream.pointee.time_base)
            try muxer.write(packet)
        }
    }
}

extension CodecContext {
    /// Encodes a frame; nil ends the input. Calls `take` with each packet that comes out, and with nil and a negative
    /// status for a failure.
    func encode(
        _ frame: CodecFrame?, _ take: (UnsafeMutablePointer<AVPacket>?, _ status: Int32) throws(FilmTrouble) -> Void
    ) throws(FilmTrouble) {
        var status = avcodec_send_frame(av, frame?.av)
        let packet = Packet()
        if status >= 0 || status == qd_EOF { status = avcodec_receive_packet(av, packet.av) }
        while status >= 0 {
            try take(packet.av, status)
            status = avcodec_receive_packet(av, packet.av)
        }
        if status != qd_EAGAIN, status != qd_EOF { try take(nil, status) }
    }
}
