import CFFmpeg
import WallCore

/// A file's sound track with its decoder: frames with their exact places in time, trimmed as the file says.
///
/// Independent of whoever shows the file's pictures: it has its own demuxer, in which all other streams are left out.
/// Owned by one thread at a time; closes in deinit. Everything may block, on a network at most until its deadline.
final class SoundFile {
    /// What times are counted from: the file's first picture where it has one, else its first sample. In units of
    /// `Time`, on the container's own line of time, which may begin anywhere.
    private var origin: Int128
    private let base: TimeBase
    let trackCount: Int
    /// To the end of the sound, where the container knows it exactly.
    let exactEnd: Time?
    private let input: Input
    private let stream: UnsafeMutablePointer<AVStream>
    private let video: UnsafeMutablePointer<AVStream>?
    private let decoder: UnsafeMutablePointer<AVCodecContext>
    private let packet: UnsafeMutablePointer<AVPacket>
    private let frame: UnsafeMutablePointer<AVFrame>
    private let seeking: Source.Seeking
    /// The first frame of the file, in time since `origin`: all others are counted from its end.
    private(set) var first: Span?
    private var firstStamp: Int64?
    private var state = State.atBeginning
    private var arrival = Arrival.atFirst
    /// Packets that end before are not worth decoding.
    private var skipLimit: Int64?
    /// The end of the frame before, where frames follow each other without a gap.
    private var expected: Time?
    /// Added to what the stream says, since it jumped.
    private var shift = Time.zero
    /// No frame is followed by another that is so much later.
    private let longestGap: Time

    private enum State { case atBeginning, running, draining, ended }
    /// What the next frame is.
    private enum Arrival {
        case atFirst
        /// The first after a seek: it only warms the decoder.
        case warming
        case landed, following
    }

    struct Span {
        var start: Time
        var end: Time
    }

    /// Opens the file and the decoder of the chosen track.
    static func open(
        _ location: String, _ track: SoundChoice.Track, origin: Int128? = nil, deadline: Deadline
    ) throws(SoundTrouble) -> SoundFile {
        deadline.arm(nanoseconds: Input.openLimit)
        defer { deadline.disarm() }
        let input = try SoundTrouble.wrapping { () throws(SourceTrouble) in
            let input = try Input.open(location, deadline)
            try input.findStreams(pixels: PictureLimit.usual.pixels)
            return input
        }
        let file = try SoundFile(input, track)
        if let origin { file.origin = origin }
        return file
    }

    private init(_ input: Input, _ track: SoundChoice.Track) throws(SoundTrouble) {
        let context = input.context
        let survey = try SoundTrouble.wrapping { () throws(SourceTrouble) in
            try Survey(of: input, limit: nil, variant: nil)
        }
        guard let stream = chosen(track, of: survey.sound) else { throw .noTrack(tracks: survey.sound.count) }
        for other in 0..<Int(context.pointee.nb_streams) {
            let other = context.pointee.streams[other]!
            other.pointee.discard = other == stream ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
        var (spare, blank) = (av_packet_alloc(), av_frame_alloc())
        do throws(SoundTrouble) {
            guard let spare, let blank else { throw .source(SourceTrouble(.unreadable, words(for: qd_ENOMEM))) }
            decoder = try SoundTrouble.wrapping { () throws(SourceTrouble) in try openDecoder(stream) }
            (packet, frame) = (spare, blank)
        } catch {
            av_packet_free(&spare)
            av_frame_free(&blank)
            throw error
        }
        input.isOpen()
        (self.input, self.stream) = (input, stream)
        video = survey.video
        longestGap = survey.clock.longestStanding
        (seeking, trackCount) = (survey.seeking, survey.sound.count)
        base = TimeBase(stream.pointee.time_base)
        if survey.video != nil {
            origin = survey.clock.base.exact(survey.clock.origin)
            exactEnd = nil
        } else {
            let start = stream.pointee.start_time
            origin = start == qd_NOPTS || start < 0 ? 0 : base.exact(start)
            let isExact = input.container.hasPrefix("mov")
            exactEnd = isExact ? base.length(stream.pointee.duration) : nil
        }
    }

    deinit {
        var decoder: UnsafeMutablePointer<AVCodecContext>? = decoder
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        avcodec_free_context(&decoder)
        av_packet_free(&packet)
        av_frame_free(&frame)
    }

    var deadline: Deadline { input.deadline }

    // MARK: frames

    enum Output {
        /// Valid until the next call.
        case frame(UnsafeMutablePointer<AVFrame>, at: Time)
        case end
    }

    /// The next frame. What can't be decoded is left out.
    func next() throws(SourceTrouble) -> Output {
        while true {
            let status = avcodec_receive_frame(decoder, frame)
            if status >= 0 {
                if let time = settle() { return .frame(frame, at: time) }
                continue
            }
            if status == qd_EOF || state == .ended {
                state = .ended
                return .end
            }
            if state == .draining { continue }
            try feed()
        }
    }

    private func feed() throws(SourceTrouble) {
        if state == .atBeginning { state = .running }
        if input.waits { deadline.arm(nanoseconds: Input.readLimit) }
        defer { if input.waits { deadline.disarm() } }
        let status = input.read(into: packet)
        switch status {
        case 0...:
            defer { av_packet_unref(packet) }
            guard packet.pointee.stream_index == stream.pointee.index else { return }
            doubt(packet)
            if let skipLimit, packet.pointee.pts != qd_NOPTS,
                packet.pointee.pts.plus(packet.pointee.duration) < skipLimit
            {
                return
            }
            skipLimit = nil
            if firstStamp == nil { firstStamp = packet.pointee.pts }
            if case .landed = arrival, packet.pointee.pts == firstStamp { arrival = .atFirst }
            _ = avcodec_send_packet(decoder, packet)
        case qd_EOF:
            state = .draining
            avcodec_send_packet(decoder, nil)
        case qd_INVALIDDATA, qd_EAGAIN:
            if deadline.isOver { throw input.trouble(qd_EXIT, doing: "reading") }
        default:
            throw input.trouble(deadline.isOver ? qd_EXIT : status, doing: "reading")
        }
    }

    /// What of a packet's stamps can't be believed is taken away.
    private func doubt(_ packet: UnsafeMutablePointer<AVPacket>) {
        packet.doubt(
            by: StreamClock(
                timeBase: stream.pointee.time_base, origin: base.stamp(ofExact: origin), rate: nil))
    }

    /// The frame's kind, exact where the container's ticks are coarse; nil where nothing is left of it.
    private func settle() -> Time? {
        let rate = Int64(frame.pointee.sample_rate)
        guard rate > 0, frame.pointee.nb_samples > 0 else { return nil }
        let length = Time(Int64(frame.pointee.nb_samples), ofUnits: 1, over: rate)
        let tick = base.tick
        let stamp = frame.pointee.best_effort_timestamp
        let stamped = stamp == qd_NOPTS ? nil : Time(clamping: base.exact(stamp) - origin) + shift
        var start = stamped ?? expected ?? .zero
        switch arrival {
        case .warming:
            arrival = .landed
            return nil
        case .atFirst:
            // However much of it was trimmed this time, it ends where it ended the first time.
            if let first { start = first.end - length }
        case .landed:
            start = snapped(start, tick)
        case .following:
            // Frames that follow each other are counted; only what is more than rounding is a gap.
            let slack = max(tick * 2, .milliseconds(2))
            if let expected, (expected - start).magnitude <= slack {
                start = expected
            } else if let expected, start > expected + longestGap || start < expected - SoundFile.farBack {
                // Another film begins in the same stream: it is counted on from here, as its pictures are.
                shift += expected - start
                start = expected
            }
        }
        arrival = .following
        if first == nil {
            if isShiftedByDelay(start, tick) {
                origin += Int128(start.ticks)
                start = .zero
            }
            first = Span(start: start, end: start + length)
        }
        expected = start + length
        return start
    }

    private static let farBack = Time.milliseconds(500)

    /// FFmpeg's Matroska muxer moves the picture by the codec's delay, but not the sound.
    private func isShiftedByDelay(_ start: Time, _ tick: Time) -> Bool {
        let padding = Int64(stream.pointee.codecpar.pointee.initial_padding)
        guard isMatroska, video != nil, padding > 0 else { return false }
        let delay = Time(padding, ofUnits: 1, over: Int64(max(1, stream.pointee.codecpar.pointee.sample_rate)))
        return (start + delay).magnitude <= tick
    }

    private var isMatroska: Bool { input.container.hasPrefix("matroska") }

    /// Where ticks are coarser than samples: the multiple of a frame, counted from the end of the first, if that
    /// is meant.
    private func snapped(_ stamped: Time, _ tick: Time) -> Time {
        let rate = Int64(frame.pointee.sample_rate)
        guard let first, tick * rate > .seconds(1) else { return stamped }
        let count = Int64(frame.pointee.nb_samples)
        let length = Time(count, ofUnits: 1, over: rate)
        let frames = (stamped - first.end + length / 2).ticks / max(1, length.ticks)
        let multiple =
            first.end + Time(frames.multipliedReportingOverflow(by: count).partialValue, ofUnits: 1, over: rate)
        return (multiple - stamped).magnitude <= tick ? multiple : stamped
    }

    // MARK: seeking

    /// Before a frame may be used, so much before it has to be decoded: more than the 80 ms that Opus wants, and
    /// what MP3 may keep in its reservoir.
    private static let preroll = Time.milliseconds(250)

    /// The next frames are those from `time` on, and some before it.
    func seek(to time: Time) throws(SourceTrouble) {
        if state == .atBeginning, time <= SoundFile.preroll { return }
        // The first frame says what the others are counted from.
        if first == nil, seeking != .impossible { _ = try next() }
        guard seeking == .byTime, time - SoundFile.preroll > first?.end ?? .zero else { return try rewind() }
        deadline.arm(nanoseconds: Input.readLimit)
        defer { deadline.disarm() }
        let target = time - SoundFile.preroll
        let guide = isMatroska ? video ?? stream : stream
        guard input.seek(guide.pointee.index, to: stamp(of: target, in: guide), flags: AVSEEK_FLAG_BACKWARD) >= 0
        else { return try rewind() }
        skipLimit = stamp(of: target, in: stream)
        restart(.warming)
    }

    private func rewind() throws(SourceTrouble) {
        if state == .atBeginning { return }
        guard seeking != .impossible else { throw SourceTrouble(.unsupported, "it cannot go back to its beginning") }
        deadline.arm(nanoseconds: Input.readLimit)
        defer { deadline.disarm() }
        let byPlace = input.context.pointee.iformat.pointee.flags & (AVFMT_TS_DISCONT | AVFMT_NOTIMESTAMPS) != 0
        var status: Int32 = -1
        if byPlace || seeking == .onlyToBeginning { status = input.seek(-1, to: 0, flags: AVSEEK_FLAG_BYTE) }
        let start = firstStamp.map { $0 == qd_NOPTS ? 0 : $0 } ?? 0
        if status < 0 { status = input.seek(stream.pointee.index, to: start, flags: AVSEEK_FLAG_BACKWARD) }
        if status < 0 { status = input.seek(-1, to: 0, flags: AVSEEK_FLAG_BYTE) }
        guard status >= 0 else {
            throw input.trouble(deadline.isOver ? qd_EXIT : status, doing: "going to its beginning")
        }
        skipLimit = nil
        restart(.landed)
    }

    private func restart(_ arrival: Arrival) {
        avcodec_flush_buffers(decoder)
        (state, expected, shift, self.arrival) = (.running, nil, .zero, arrival)
    }

    private func stamp(of time: Time, in stream: UnsafeMutablePointer<AVStream>) -> Int64 {
        TimeBase(stream.pointee.time_base).stamp(ofExact: Int128(time.ticks) + origin)
    }
}

/// Why a file's sound can't be heard.
public enum SoundTrouble: Error, Hashable, Sendable {
    /// It has so many tracks, and not the one that is wanted.
    case noTrack(tracks: Int)
    case source(SourceTrouble)

    /// What it means for whoever listens.
    func condition(of source: String) -> SoundCondition {
        switch self {
        case .noTrack(let tracks): tracks > 0 ? .noTrack(tracks: tracks) : .soundless
        case .source(let trouble): .failed(source: source, trouble)
        }
    }

    /// Whether another attempt could end otherwise.
    var isLasting: Bool {
        switch self {
        case .noTrack: true
        case .source(let trouble): trouble.kind == .unsupported
        }
    }

    static func wrapping<Result>(_ body: () throws(SourceTrouble) -> Result) throws(SoundTrouble) -> Result {
        do throws(SourceTrouble) { return try body() } catch { throw .source(error) }
    }
}

private func chosen(
    _ track: SoundChoice.Track, of sound: [UnsafeMutablePointer<AVStream>]
) -> UnsafeMutablePointer<AVStream>? {
    switch track {
    case .number(let number):
        return number <= sound.count ? sound[number - 1] : nil
    case .language(let language):
        let wanted = Language(language)
        return sound.first { tag("language", of: $0.pointee.metadata).map { Language($0) == wanted } ?? false }
    }
}

private func openDecoder(
    _ stream: UnsafeMutablePointer<AVStream>
) throws(SourceTrouble) -> UnsafeMutablePointer<AVCodecContext> {
    let id = stream.pointee.codecpar.pointee.codec_id
    let name = String(cString: avcodec_get_name(id))
    guard let codec = avcodec_find_decoder(id) else {
        throw SourceTrouble(.unsupported, "no decoder for its sound: \(name)")
    }
    var context = avcodec_alloc_context3(codec)
    var status = qd_ENOMEM
    if let context {
        status = avcodec_parameters_to_context(context, stream.pointee.codecpar)
        context.pointee.pkt_timebase = stream.pointee.time_base
        context.pointee.thread_count = 1
        if status >= 0 { status = avcodec_open2(context, codec, nil) }
    }
    guard status >= 0, let context else {
        avcodec_free_context(&context)
        throw SourceTrouble(code: status, at: .file, doing: "opening the decoder \(name)")
    }
    return context
}
