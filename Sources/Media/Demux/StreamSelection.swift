import Base
import CFFmpeg
import Opened

/// Streams chosen in a probed container; all others are discarded.
struct StreamSelection {
    let context: UnsafeMutablePointer<AVFormatContext>
    let kind: OpenedFacts.Kind
    let video: UnsafeMutablePointer<AVStream>?
    let clock: StreamClock
    /// True if packets of the video have no timestamps and are stamped as they arrive: images that a server pushes. The
    /// demuxer assumes 25 a second, whatever comes.
    let isStampedByArrival: Bool
    let seeking: Source.Seeking
    /// True if frames without timestamps come first. FFmpeg can't seek to them.
    let beginsUnstamped: Bool
    let place: SourceTraits.Place
    let sound: [UnsafeMutablePointer<AVStream>]

    /// `terms`: nil for a source of which only sound is decoded.
    init(of input: Input, on terms: OpenTerms?) throws(SourceTrouble) {
        let context = input.context
        (self.context, place) = (context, input.place)
        let container = input.container
        guard container != "tty" else { throw SourceTrouble(.unsupported, "not a media file") }
        // A film that lost its index has no streams.
        guard context.pointee.nb_streams > 0 else {
            throw container == Formats.mp4 ? .noIndex : SourceTrouble(.damaged, "there are no streams in it")
        }
        let streams = context.streams
        video = bestVideo(of: streams, in: context, terms?.variant)
        sound = context.streams(AVMEDIA_TYPE_AUDIO)
        for stream in streams { stream.pointee.discard = stream == video ? AVDISCARD_DEFAULT : AVDISCARD_ALL }
        if let video {
            try StreamSelection.check(video.pointee.codecpar.pointee, terms?.limit, isStill: isImage(container))
            kind = isImage(container) ? .still : .video
        } else {
            guard !sound.isEmpty else { throw SourceTrouble(.unsupported, "there is neither video nor sound in it") }
            kind = .sound
        }
        seeking = StreamSelection.seeking(context, container, video)
        isStampedByArrival =
            kind == .video && place == .network && seeking != .byTime
            && context.pointee.iformat.pointee.flags & AVFMT_NOTIMESTAMPS != 0
            && (context.pointee.pb.map { avio_size($0) <= 0 } ?? false)
            && StreamSelection.isOfImages(video!.pointee.codecpar.pointee.codec_id)
        let stamped = isStampedByArrival ? nil : video, start = stamped?.pointee.start_time ?? 0
        let base = stamped?.pointee.time_base ?? AVRational(num: 1, den: AV_TIME_BASE)
        let rate = kind == .video ? stamped.flatMap { frameRate(of: $0, in: context) } : nil
        let mayJump = isStampedByArrival || context.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0
        var clock = StreamClock(timeBase: base, origin: start == qd_NOPTS ? 0 : start, rate: rate, mayJump: mayJump)
        let unstamped = if let stamped { try unstampedFrames(before: stamped, in: input) } else { 0 as Int64 }
        if unstamped > 0 { clock.origin = clock.origin.minus(unstamped * clock.ticksPerFrame) }
        guard clock.tick <= TimeBase.longestFrame else {
            throw SourceTrouble(.damaged, "by its header a frame lasts longer than a day")
        }
        (self.clock, beginsUnstamped) = (clock, unstamped > 0)
    }

    /// Seeking to frames.
    var frameSeeking: Source.Seeking { beginsUnstamped ? .impossible : seeking }

    /// The video if its frames have a palette, which may come once.
    var streamOfPalette: UnsafeMutablePointer<AVStream>? {
        kind == .video && video?.pointee.codecpar.pointee.format == AV_PIX_FMT_PAL8.rawValue ? video : nil
    }

    /// Returns true for codecs of images, which have JFIF's colours at any size.
    static func isOfImages(_ codec: AVCodecID) -> Bool {
        switch codec {
        case AV_CODEC_ID_MJPEG, AV_CODEC_ID_MJPEGB, AV_CODEC_ID_LJPEG, AV_CODEC_ID_JPEGLS, AV_CODEC_ID_WEBP: true
        default: false
        }
    }

    private static func check(
        _ parameters: AVCodecParameters, _ limit: FrameLimit?, isStill: Bool
    ) throws(SourceTrouble) {
        guard avcodec_find_decoder(parameters.codec_id) != nil else {
            throw SourceTrouble(.unsupported, "no decoder for its video: \(codecName(parameters))")
        }
        guard parameters.width > 0, parameters.height > 0 else {
            // FFmpeg 5 decodes only the stills among WebP files.
            if parameters.codec_id == AV_CODEC_ID_WEBP {
                throw SourceTrouble(.unsupported, "no frame could be decoded; only still WebP images are supported")
            }
            let most = limit.map { " of at most \($0.size.width)x\($0.size.height)" } ?? ""
            throw SourceTrouble(.damaged, "no frame\(most) could be found in it")
        }
        let format = AVPixelFormat(parameters.format).traits
        let isPlanar = format.map { $0.log2_chroma_w > 0 || $0.nb_components == 1 } ?? true
        let size = Size(Int(parameters.width), Int(parameters.height))
        if let refusal = limit?.refusal(of: size, isPlanar: isPlanar, isStill: isStill) {
            throw SourceTrouble(.unsupported, refusal)
        }
    }

    private static func seeking(
        _ context: UnsafeMutablePointer<AVFormatContext>, _ container: String, _ video: UnsafeMutablePointer<AVStream>?
    ) -> Source.Seeking {
        // After a seek FFmpeg 5 does not read the initialization section of an HLS list again, and decodes nothing.
        if container == "hls", let parameters = video?.pointee.codecpar.pointee, parameters.extradata_size > 0,
            parameters.extradata[0] == 1
        {
            return .impossible
        }
        // A list that still grows can't be sought, even if its server permits ranges.
        if container == "hls" || container == "dash", context.pointee.duration <= 0 { return .impossible }
        // Formats that open their files themselves (network streams) have no `pb`. A seek in one of them may still
        // fail.
        if let io = context.pointee.pb, io.pointee.seekable & AVIO_SEEKABLE_NORMAL == 0 { return .impossible }
        if context.pointee.pb == nil, context.pointee.duration <= 0 { return .impossible }
        // Frames of these formats build on the one before, whatever their packets claim.
        if container == "gif" || container == "apng" { return .onlyToBeginning }
        return context.pointee.iformat.pointee.flags & AVFMT_NOTIMESTAMPS == 0 ? .byTime : .onlyToBeginning
    }
}

/// Returns FFmpeg's choice; if that is a cover, the largest other video stream.
private func bestVideo(
    of streams: [UnsafeMutablePointer<AVStream>], in context: UnsafeMutablePointer<AVFormatContext>,
    _ choice: VariantChoice?
) -> UnsafeMutablePointer<AVStream>? {
    if let choice, let stream = variant(of: context, choice) { return stream }
    let best = Int(av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0))
    guard best >= 0 else { return nil }
    func isCover(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
    }
    func pixels(_ stream: UnsafeMutablePointer<AVStream>) -> Int {
        Int(stream.pointee.codecpar.pointee.width) * Int(stream.pointee.codecpar.pointee.height)
    }
    if !isCover(streams[best]) { return streams[best] }
    return context.streams(AVMEDIA_TYPE_VIDEO).filter { !isCover($0) }.max { pixels($0) < pixels($1) }
}

/// Returns a variant of an adaptive stream, which FFmpeg calls a program; nil if the source has no variants.
private func variant(
    of context: UnsafeMutablePointer<AVFormatContext>, _ choice: VariantChoice
) -> UnsafeMutablePointer<AVStream>? {
    guard context.pointee.nb_programs > 1 else { return nil }
    var variants: [(video: UnsafeMutablePointer<AVStream>, facts: VariantChoice.Variant)] = []
    for program in (0..<Int(context.pointee.nb_programs)).compactMap({ context.pointee.programs[$0]?.pointee }) {
        let streams = (0..<Int(program.nb_stream_indexes)).compactMap {
            context.pointee.streams[Int(program.stream_index[$0])]
        }
        guard let bitrate = tag("variant_bitrate", of: program.metadata),
            let video = streams.first(where: { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO })
        else { continue }
        let parameters = video.pointee.codecpar.pointee, size = Size(Int(parameters.width), Int(parameters.height))
        variants.append((video, VariantChoice.Variant(size: size, bitrate: Int(bitrate))))
    }
    return choice.best(of: variants.map(\.facts)).map { variants[$0].video }
}

/// Returns nil if there is no rate, or only a guess from the container's ticks.
private func frameRate(
    of stream: UnsafeMutablePointer<AVStream>, in context: UnsafeMutablePointer<AVFormatContext>
) -> FrameRate? {
    let guesses = [av_guess_frame_rate(context, stream, nil), stream.pointee.avg_frame_rate]
    let believable = 1.0 / 86_400...300
    let rate = guesses.first { $0.num > 0 && $0.den > 0 && believable.contains(Double($0.num) / Double($0.den)) }
    return rate.map { FrameRate(Int($0.num), Int($0.den)) }
}

/// Returns FFmpeg's name, or the container's four letters if FFmpeg has none.
private func codecName(_ parameters: AVCodecParameters) -> String {
    guard parameters.codec_id == AV_CODEC_ID_NONE else { return String(cString: avcodec_get_name(parameters.codec_id)) }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(AV_FOURCC_MAX_STRING_SIZE)) { buffer in
        String(cString: av_fourcc_make_string(buffer.baseAddress, parameters.codec_tag))
    }
}

/// Counts the frames of a Matroska file before the first one with a timestamp: FFmpeg drops negative timestamps. Opens
/// the file again to count, unless its index begins with its first frame.
func unstampedFrames(before stream: UnsafeMutablePointer<AVStream>, in input: Input) throws(SourceTrouble) -> Int64 {
    guard input.container.hasPrefix("matroska"), input.place == .file,
        case let start = stream.pointee.start_time, start != qd_NOPTS
    else { return 0 }
    if let first = avformat_index_get_entry(stream, 0), first.pointee.timestamp <= start { return 0 }
    let owner = Packet(), packet = owner.av
    guard let other = try input.openedAgain() else { return 0 }
    var count: Int64 = 0
    while count < mostUnstamped, other.read(into: packet) >= 0 {
        defer { av_packet_unref(packet) }
        guard packet.pointee.stream_index == stream.pointee.index else { continue }
        guard packet.pointee.pts == qd_NOPTS, packet.pointee.dts == qd_NOPTS else { return count }
        count += 1
    }
    return 0
}

private let mostUnstamped: Int64 = 1000
