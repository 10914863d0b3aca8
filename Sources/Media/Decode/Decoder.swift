import Base
import CFFmpeg
import Decoded

/// One open video decoder, in software. It opens its codec once and closes it in deinit.
///
/// Owned by one thread at a time and handed over whole. Sources with equal parameters can share a decoder one after the
/// other, each through a `FrameReader` of its own.
public final class Decoder: @unchecked Sendable {
    /// Number of packets that could not be decoded, plus the number of frames that were not decoded whole. Such packets
    /// are skipped.
    public private(set) var errors = 0
    private let codec: CodecContext
    /// Identity of the codec parameters with which the codec was opened.
    private let identity: String
    private let packet = Packet()
    /// Levels that the container stated for the stream with which the codec was opened.
    private let light: LightLevels
    /// Memory for the frames; nil if FFmpeg allocates them.
    private let pool: FrameBufferPool?
    private var spare: CodecFrame?
    /// Cleared by a flush.
    private(set) var sent = SentPackets()
    /// Orientation that a frame stated since the last key frame; nil if none did.
    private var turned: Orientation?
    private(set) var leavesFramesOut = false
    /// nil while deinterlacing is off.
    private var deinterlacer: Deinterlacer?
    /// Position at which the last reader left decoder and source; nil after a flush.
    var resumePoint: ResumePoint?
    /// Decoding ends after more than this many failures without a frame in between.
    private static let mostFailures = 1000

    /// Kind of packet with which decoding starts after a flush.
    enum Start { case anywhere, atKeyFrame }

    /// Opens the codec. With one thread, the decoder delivers each frame as soon as the stream allows. An image that
    /// must be whole is not decoded at all if a part is missing.
    public init(for source: Source, threads: Int, in pool: FrameBufferPool? = nil) throws(SourceTrouble) {
        guard let video = source.video else { throw SourceTrouble(.unsupported, "there is no video in it") }
        guard AddressSpace.hasRoom(for: AddressSpace.decoder(of: source.facts.storage)) else {
            throw SourceTrouble(.unreadable, "no memory for its decoder")
        }
        let parameters = video.pointee.codecpar!
        (identity, light, self.pool) = (parameters.pointee.identity, LightLevels(of: video), pool)
        codec = try CodecContext(
            decoding: "video", parameters, video.pointee.time_base, by: Decoder.decoderWithAlpha(for: video)
        ) { context in
            context.pointee.thread_count = Int32(max(1, threads))
            context.pointee.max_pixels = Int64(source.terms.limit.pixels)
            // FFmpeg would fill the missing part of a JPEG, and report no error.
            if source.mustBeWhole { context.pointee.err_recognition |= AV_EF_EXPLODE }
            if let pool { FrameMemory.use(pool, in: context) }
        }
    }

    private var context: UnsafeMutablePointer<AVCodecContext> { codec.av }

    /// FFmpeg's own decoders of VP8 and VP9 drop the alpha channel; libvpx does not. nil for other streams.
    private static func decoderWithAlpha(for stream: UnsafeMutablePointer<AVStream>) -> UnsafePointer<AVCodec>? {
        guard tag("alpha_mode", of: stream.pointee.metadata) == "1" else { return nil }
        return switch stream.pointee.codecpar.pointee.codec_id {
        case AV_CODEC_ID_VP8: avcodec_find_decoder_by_name("libvpx")
        case AV_CODEC_ID_VP9: avcodec_find_decoder_by_name("libvpx-vp9")
        default: nil
        }
    }

    /// Returns true if the decoder can stay open for `source`: equal codec parameters. FFmpeg's decoders copy the
    /// stream's light levels to their frames.
    public func continues(with source: Source) -> Bool {
        guard let video = source.video else { return false }
        return video.pointee.codecpar.pointee.identity == identity && LightLevels(of: video) == light
    }

    /// Discards buffered frames and state. The next packets come from another position.
    func flush(toStart start: Start, of source: Source) {
        avcodec_flush_buffers(context)
        if let stream = source.video { context.pointee.pkt_timebase = stream.pointee.time_base }
        deinterlacer?.reset()
        setSkips(.none)
        resumePoint = nil
        (sent, turned) = (SentPackets(from: start), nil)
    }

    /// Sets the mode from the next run on. Throws if FFmpeg's filter is missing.
    public func deinterlace(_ mode: Deinterlacing) throws(SourceTrouble) {
        guard mode != deinterlacer?.mode ?? .off else { return }
        deinterlacer = mode == .off ? nil : try Deinterlacer(mode)
        // Frames that were decoded ahead have the former mode.
        resumePoint = nil
    }

    /// True if the deinterlacer makes each frame with the help of its neighbours, which must then be decoded.
    var needsNeighbours: Bool { deinterlacer?.isUsed ?? false }

    /// True if non-reference frames can be dropped on the way to another frame.
    var canSkip: Bool { !needsNeighbours && codecCanSkip }

    private var codecCanSkip: Bool {
        switch context.pointee.codec_id {
        case AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4: true
        default: false
        }
    }

    /// Sets which frames and loop filters are skipped, from the next packet on.
    ///
    /// In H.264 hardly any frame refers to a bidirectional one. Encoders of HEVC may make all frames bidirectional, so
    /// there only non-reference frames are unfiltered.
    func setSkips(_ skips: DecodeSkips) {
        leavesFramesOut = skips.frames == .referenced && codecCanSkip
        switch skips.filter {
        case .everywhere: context.pointee.skip_loop_filter = AVDISCARD_DEFAULT
        case .notBidirectional:
            let isH264 = context.pointee.codec_id == AV_CODEC_ID_H264
            context.pointee.skip_loop_filter = isH264 ? AVDISCARD_BIDIR : AVDISCARD_NONREF
        case .nowhere: context.pointee.skip_loop_filter = AVDISCARD_ALL
        }
    }

    /// Returns the next frame of `source`; nil at the end. May block as long as the source may. Non-reference frames
    /// that end before the timestamp `skipLimit` are dropped.
    func next(from source: Source, skipLimit: Int64?) throws(SourceTrouble) -> CodecFrame? {
        var failures = 0
        while true {
            if let codecFrame = deinterlacer?.next() { return described(codecFrame, source) }
            if deinterlacer?.isAtEnd ?? false { return nil }
            let codecFrame = spare ?? CodecFrame()
            spare = nil
            let status = avcodec_receive_frame(context, codecFrame.av)
            if status >= 0 {
                if codecFrame.av.pointee.decode_error_flags != 0 { errors += 1 }
                sent.correctTime(of: codecFrame, heldBack: context.pointee.has_b_frames, source.clock)
                source.noteFrame(codecFrame.isBroken ? .broken : .whole)
                guard let deinterlacer, try deinterlacer.take(codecFrame) == .taken else {
                    return described(codecFrame, source)
                }
                spare = codecFrame
                continue
            }
            spare = codecFrame
            if status != qd_EAGAIN, status != qd_EOF {
                errors += 1
                failures += 1
            }
            if status == qd_EOF || failures > Decoder.mostFailures {
                guard let deinterlacer else { return nil }
                deinterlacer.finish()
                continue
            }
            if sent.isAtEnd { continue }
            switch source.read(into: packet.av) {
            case .packet: send(skipLimit, source.clock)
            case .end:
                sent.isAtEnd = true
                avcodec_send_packet(context, nil)
            case .skipped: failures += 1
            case .trouble(let trouble): throw trouble
            }
        }
    }

    private func described(_ codecFrame: CodecFrame, _ source: Source) -> CodecFrame {
        if let stream = source.video { codecFrame.describe(by: source.context, stream, kind(of: source), &turned) }
        return codecFrame
    }

    private func kind(of source: Source) -> SourceColorimetry.Kind {
        source.facts.kind == .still || StreamSelection.isOfImages(context.pointee.codec_id) ? .image : .video
    }

    /// Takes back a frame that was not handed out.
    func reuse(_ codecFrame: CodecFrame) {
        codecFrame.clear()
        spare = codecFrame
    }

    private func send(_ skipLimit: Int64?, _ clock: StreamClock) {
        let packet = packet.av
        defer { av_packet_unref(packet) }
        guard sent.admit(packet.pointee) else { return }
        let isSkipped = leavesFramesOut || skipLimit.map { endsBefore($0, clock) } ?? false
        sent.note(packet.pointee, isSkipped: isSkipped)
        context.pointee.skip_frame = isSkipped ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
        if avcodec_send_packet(context, packet) < 0 { errors += 1 }
    }

    /// Returns true if the packet's frame certainly ends before `limit`; false if its duration is unknown.
    private func endsBefore(_ limit: Int64, _ clock: StreamClock) -> Bool {
        let packet = packet.av, timestamp = packet.pointee.pts
        guard timestamp != qd_NOPTS, packet.pointee.duration > 0 || clock.rate != nil else { return false }
        return timestamp.plus(max(packet.pointee.duration, clock.ticksPerFrame)) < limit
    }
}
