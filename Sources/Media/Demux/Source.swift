import CFFmpeg
import Threads
import WallCore

/// An open file, device or URL, probed and ready to hand out packets.
///
/// Owned by one thread at a time and handed over whole; closes in deinit, or by `close`. Opening, reading and seeking may block,
/// on a network at most until their deadline. It opens no decoder.
public final class Source: @unchecked Sendable {
    public let facts: SourceFacts
    public let deadline: Deadline
    let context: UnsafeMutablePointer<AVFormatContext>
    /// The video stream, or nil for a source of sound.
    let video: UnsafeMutablePointer<AVStream>?
    let clock: StreamClock
    private let place: SourceTraits.Place
    private let seeking: Seeking
    private let palette: Palette?
    private(set) var position = Position.beginning { didSet { moves += 1 } }
    /// Rises with each read and each seek: equal means that nobody has moved it.
    private(set) var moves = 0
    private var isClosed = false
    /// How long reading took in all: what was waited for, not worked.
    private(set) var readingNanoseconds: Int64 = 0

    enum Position { case beginning, elsewhere }
    enum Seeking { case byTime, onlyToBeginning, impossible }

    static let openLimit: Int64 = 10_000_000_000
    static let readLimit: Int64 = 10_000_000_000

    /// What opening looks for.
    public enum Probing: Sendable {
        /// The end too, where that is cheap.
        case toTheEnd
        /// The same, but nothing is decoded where the container's head says what has to be known to play it.
        case headSuffices
        /// It stands at its very first packet afterwards.
        case beginningOnly
    }

    /// Opens and probes; at most 10 s, less if the deadline is cancelled.
    public static func open(
        _ location: String, probing: Probing = .toTheEnd, deadline: Deadline
    ) throws(SourceTrouble) -> Source {
        _ = silencedLog
        let location = try Location(location)
        deadline.arm(nanoseconds: openLimit)
        defer { deadline.disarm() }
        let context = try openInput(location, deadline)
        do throws(SourceTrouble) {
            return try Source(context, location.place, probing, deadline)
        } catch {
            var context: UnsafeMutablePointer<AVFormatContext>? = context
            avformat_close_input(&context)
            throw error
        }
    }

    private init(
        _ context: UnsafeMutablePointer<AVFormatContext>, _ place: SourceTraits.Place, _ probing: Probing,
        _ deadline: Deadline
    ) throws(SourceTrouble) {
        if probing != .headSuffices || !headTellsAll(context) {
            let status = avformat_find_stream_info(context, nil)
            guard status >= 0, !deadline.isOver else {
                throw SourceTrouble(
                    code: deadline.isOver ? qd_EXIT : status, at: place, doing: "looking for its streams")
            }
        }
        let survey = try Survey(of: context, at: place)
        palette = probing != .beginningOnly ? survey.video.flatMap { Palette(of: $0, in: context) } : nil
        if palette != nil { position = .elsewhere }
        var end: Time?
        if probing != .beginningOnly, survey.seeking == .byTime, place == .file {
            switch survey.kind {
            case .video: end = learnedEnd(of: survey, in: context)
            case .sound: end = learnedSoundEnd(of: survey, in: context)
            case .still: break
            }
        }
        if end != nil { position = .elsewhere }
        (self.context, self.place, self.deadline) = (context, place, deadline)
        (video, clock, seeking) = (survey.video, survey.clock, survey.seeking)
        facts = survey.facts(end: end)
    }

    deinit { close() }

    /// May take as long as closing a file on a slow disk does: what holds it afterwards only lets go. Called by the
    /// thread that owns it; nothing may be read from it any more.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        // What blocks in closing comes back at once.
        deadline.cancel()
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
    }

    /// What became of a read.
    enum Reading { case packet, end, trouble(SourceTrouble), skipped }

    /// Fills `packet` with the next packet of the video stream. A packet that cannot be read is skipped.
    func read(into packet: UnsafeMutablePointer<AVPacket>) -> Reading {
        if place != .file { deadline.arm(nanoseconds: Source.readLimit) }
        let start = monotonicNanoseconds()
        defer {
            readingNanoseconds += monotonicNanoseconds() - start
            if place != .file { deadline.disarm() }
        }
        position = .elsewhere
        while true {
            let status = av_read_frame(context, packet)
            switch status {
            case 0...:
                deadline.noteData()
                if let video, packet.pointee.stream_index == video.pointee.index {
                    packet.doubt(by: clock)
                    palette?.complete(packet)
                    return .packet
                }
                av_packet_unref(packet)
            case qd_EOF:
                return .end
            case qd_INVALIDDATA, qd_EAGAIN:
                return deadline.isOver ? .trouble(trouble(qd_EXIT)) : .skipped
            default:
                return .trouble(trouble(deadline.isOver ? qd_EXIT : status))
            }
        }
    }

    /// Fills `packet` with the next packet of any stream that is not left out; false: the end, or nothing more comes.
    func readAny(into packet: UnsafeMutablePointer<AVPacket>) -> Bool {
        deadline.arm(nanoseconds: Source.readLimit)
        defer { deadline.disarm() }
        position = .elsewhere
        while true {
            let status = av_read_frame(context, packet)
            if status >= 0 {
                packet.doubt(by: clock(of: packet))
                return true
            }
            guard status == qd_INVALIDDATA || status == qd_EAGAIN, !deadline.isOver else { return false }
        }
    }

    /// Where a seek came out.
    enum Landing { case beginning, earlier }

    /// Goes to the last key picture that is not after `time`, as far as the container knows it,
    /// or else to the beginning.
    func seek(to time: Time) throws(SourceTrouble) -> Landing {
        if time <= .zero || seeking != .byTime {
            try rewind()
            return .beginning
        }
        deadline.arm(nanoseconds: Source.readLimit)
        defer { deadline.disarm() }
        position = .elsewhere
        if av_seek_frame(context, index, clock.timestamp(of: time), AVSEEK_FLAG_BACKWARD) >= 0 { return .earlier }
        try rewind()
        return .beginning
    }

    /// Whether a key picture lies after the timestamp `fed` and not after `time`; nil: the container does not say.
    func hasKeyPicture(after fed: Int64, notAfter time: Time) -> Bool? {
        let timestamp = clock.timestamp(of: time)
        guard let video, let count = Optional(avformat_index_get_entries_count(video)), count > 0,
            let last = avformat_index_get_entry(video, count - 1), last.pointee.timestamp >= timestamp,
            let key = avformat_index_get_entry_from_timestamp(video, timestamp, AVSEEK_FLAG_BACKWARD)
        else { return nil }
        return key.pointee.timestamp > fed
    }

    private func rewind() throws(SourceTrouble) {
        guard position == .elsewhere else { return }
        guard seeking != .impossible else { throw SourceTrouble(.unsupported, "it cannot go back to its beginning") }
        deadline.arm(nanoseconds: Source.readLimit)
        defer { deadline.disarm() }
        let flags = context.pointee.iformat.pointee.flags
        // Where stamps may jump, or are not there at all, the beginning is a place in the file, not a time.
        let byPlace = flags & (AVFMT_TS_DISCONT | AVFMT_NOTIMESTAMPS) != 0 || seeking == .onlyToBeginning
        var status: Int32 = -1
        if byPlace { status = av_seek_frame(context, index, 0, AVSEEK_FLAG_BYTE) }
        if status < 0 { status = av_seek_frame(context, index, clock.origin, AVSEEK_FLAG_BACKWARD) }
        if status < 0 { status = av_seek_frame(context, index, 0, AVSEEK_FLAG_BYTE) }
        guard status >= 0 else {
            throw SourceTrouble(code: deadline.isOver ? qd_EXIT : status, at: place, doing: "going to its beginning")
        }
        position = .beginning
    }

    /// The clock of a packet's stream.
    private func clock(of packet: UnsafeMutablePointer<AVPacket>) -> StreamClock {
        guard packet.pointee.stream_index != video?.pointee.index,
            let stream = context.pointee.streams[Int(packet.pointee.stream_index)]?.pointee
        else { return clock }
        return StreamClock(
            timeBase: stream.time_base, origin: stream.start_time == qd_NOPTS ? 0 : stream.start_time, rate: nil)
    }

    private var index: Int32 { video?.pointee.index ?? -1 }

    private func trouble(_ code: Int32) -> SourceTrouble { SourceTrouble(code: code, at: place, doing: "reading") }
}

/// Whether the head of an MP4 or MOV file says of its pictures all that a player must know before it decodes them.
///
/// FFmpeg's own look at the streams decodes several pictures of H.264: more work than all else of opening a file.
private func headTellsAll(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
    guard String(cString: context.pointee.iformat.pointee.name).hasPrefix("mov,") else { return false }
    var pictures = 0
    for index in 0..<Int(context.pointee.nb_streams) {
        guard let stream = context.pointee.streams[index]?.pointee else { return false }
        let parameters = stream.codecpar.pointee
        switch parameters.codec_type {
        case AVMEDIA_TYPE_VIDEO:
            guard [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC].contains(parameters.codec_id), parameters.extradata_size > 0,
                parameters.width > 0, parameters.height > 0, stream.nb_frames > 0, stream.start_time != qd_NOPTS,
                // Said only where every picture lasts as long.
                stream.r_frame_rate.num > 0, stream.avg_frame_rate.num > 0, stream.avg_frame_rate.den > 0
            else { return false }
            pictures += 1
        case AVMEDIA_TYPE_AUDIO:
            guard parameters.sample_rate > 0, parameters.ch_layout.nb_channels > 0 else { return false }
        default: break
        }
    }
    return pictures == 1
}

func openInput(
    _ location: Location, _ deadline: Deadline
) throws(SourceTrouble) -> UnsafeMutablePointer<AVFormatContext> {
    guard AddressSpace.hasRoom(for: AddressSpace.source) else {
        throw SourceTrouble(.unreadable, "no memory to open it")
    }
    guard location.place != .device else { throw SourceTrouble(.unsupported, "capture devices are not supported") }
    var context = avformat_alloc_context()
    guard context != nil else { throw SourceTrouble(.unreadable, words(for: qd_ENOMEM)) }
    context!.pointee.interrupt_callback = deadline.interrupt
    var options: OpaquePointer?
    av_dict_set(&options, "pattern_type", "none", 0)
    defer { av_dict_free(&options) }
    let status = avformat_open_input(&context, location.url, nil, &options)
    if status >= 0, let context { return context }
    if deadline.isOver { throw SourceTrouble(code: qd_EXIT, at: location.place, doing: "opening") }
    if status == qd_INVALIDDATA, location.place == .file, !looksLikeMedia(location.url) {
        throw SourceTrouble(.unsupported, "not a media file")
    }
    throw SourceTrouble(code: status, at: location.place, doing: "opening")
}

/// Whether the content, not only the name, is that of a known container.
private func looksLikeMedia(_ url: String) -> Bool {
    var io: UnsafeMutablePointer<AVIOContext>?
    guard avio_open(&io, url, AVIO_FLAG_READ) >= 0 else { return false }
    defer { avio_closep(&io) }
    var format: UnsafePointer<AVInputFormat>?
    return av_probe_input_buffer2(io, &format, url, nil, 0, 0) > AVPROBE_SCORE_MAX / 4
}
