import Base
import CFFmpeg
import Lyrics
import Opened
import Threads

/// An open file, device or URL, probed and ready to return packets.
///
/// Owned by one thread at a time and handed over whole; closes in deinit, or by `close`. Opening, reading and seeking
/// may block, on a network at most until their deadline. A source opens no decoder.
///
/// MP4 and MOV files are opened by the head alone if the head holds all facts (`headHoldsAll`). The length of a local
/// file comes from its last packets (`LearnedEnd.swift`). A live stream that is no list can be read only once: its
/// source passes the sound on (`LiveSound`), and delays its frames by the lag of their sound.
public final class Source: @unchecked Sendable {
    public let facts: SourceFacts
    private let input: Input
    private let selection: StreamSelection
    let terms: OpenTerms
    private var packets: VideoPackets
    /// Sound of a live stream that can't be opened a second time for its sound; nil for other sources.
    private let sound: LiveSound?
    private(set) var position = Position.beginning { didSet { moves += 1 } }
    /// Rises with each read and each seek. Two equal values mean that the source was not moved in between.
    private(set) var moves = 0
    /// Total time spent in reads, which is waiting and not work.
    public private(set) var readingNanoseconds: Int64 = 0

    enum Position { case beginning, elsewhere }
    enum Seeking { case byTime, onlyToBeginning, impossible }

    /// Depth of the probe at opening.
    public enum Probing: Sendable {
        /// Finds the end too, if that is cheap.
        case toTheEnd
        /// Like `toTheEnd`, but decodes nothing if the container's header has all facts needed for playback.
        case headSuffices
        /// Leaves the source at its very first packet.
        case beginningOnly
    }

    /// Opens and probes a source on the usual terms, within 10 s or until the deadline is cancelled.
    public static func open(
        _ location: String, probing: Probing = .toTheEnd, deadline: Deadline
    ) throws(SourceTrouble) -> Source {
        try open(OpenTerms(location), probing: probing, deadline: deadline)
    }

    /// Opens and probes a source, within 10 s or until the deadline is cancelled.
    public static func open(
        _ terms: OpenTerms, probing: Probing = .toTheEnd, deadline: Deadline
    ) throws(SourceTrouble) -> Source {
        let location = terms.location
        deadline.arm(nanoseconds: Input.openLimit)
        defer { deadline.disarm() }
        if let trouble = SongText.trouble(of: location) { throw trouble }
        if let song = try SongParts(location) { return try Source(song, probing, terms, deadline) }
        return try Source(try Input.open(location, deadline), probing, terms)
    }

    /// Opens a CDG song as a film that lasts as long as its sound.
    private convenience init(
        _ song: SongParts, _ probing: Probing, _ terms: OpenTerms, _ deadline: Deadline
    ) throws(SourceTrouble) {
        let packets = try song.frames.packets()
        let sound = try song.sound.map { part throws(SourceTrouble) in try Source.facts(of: part) }
        let film = CDGFilm(packets, length: sound?.length, deadline)
        let input = try Input.open(film, as: "cdg.mov", formats: Formats.mp4, deadline)
        try self.init(input, probing, terms) { facts in
            (facts.codec, facts.container, facts.bitRate) = ("cdgraphics", CDGFilm.container, nil)
            if let sound { (facts.names, facts.soundTracks) = (sound.names, sound.soundTracks) }
            facts.isCutOff = CDGFilm.isCutOff(packets)
        }
    }

    /// Uses a deadline of its own, because closing a source cancels its deadline.
    private static func facts(of sound: SongParts.Part) throws(SourceTrouble) -> SourceFacts {
        let deadline = Deadline()
        deadline.arm(nanoseconds: Input.openLimit)
        let input = try sound.open(deadline)
        let terms = OpenTerms(input.name)
        return try sound.labelling { () throws(SourceTrouble) in try Source(input, .toTheEnd, terms).facts }
    }

    /// `complete`: adds facts that the container does not state.
    private init(
        _ input: Input, _ probing: Probing, _ terms: OpenTerms, complete: (inout SourceFacts) -> Void = { _ in }
    ) throws(SourceTrouble) {
        let context = input.context
        try input.limitImageBytes(terms.limit.memory)
        if probing != .headSuffices || !headHoldsAll(context) { try input.findStreams(pixels: terms.limit.pixels) }
        let selection: StreamSelection
        do throws(SourceTrouble) { selection = try StreamSelection(of: input, on: terms) } catch {
            // The reason may be that a part could not be opened.
            throw input.opening.takeTrouble() ?? error
        }
        let seeks = probing != .beginningOnly && selection.frameSeeking == .byTime
        let streamOfPalette = seeks ? selection.streamOfPalette : nil
        let palette = streamOfPalette.flatMap { Palette(of: $0, in: context) }
        let end = seeks && input.place == .file ? selection.learnedEnd() : nil
        if streamOfPalette != nil || end != nil { position = .elsewhere }
        input.opening.nested.sourceIsOpen(at: .now)
        (self.input, self.terms, self.selection) = (input, terms, selection)
        packets = VideoPackets(of: selection, palette)
        var facts = selection.facts(end: end)
        if facts.kind == .video, input.place == .file { facts.subtitles += LyricsSource.tracks(beside: terms.location) }
        complete(&facts)
        if facts.kind != .still { facts.opened.addNames(ofLyrics: terms.lyrics, beside: terms.location) }
        self.facts = facts
        let comesOnce = facts.live?.comesOnce ?? false
        let isHeard = probing != .beginningOnly && comesOnce && facts.kind == .video
        input.opening.watch.change = StreamChange(facts.live, frame: facts.frames.rate?.frame)
        sound = isHeard ? LiveSound(of: selection.sound, input.name, selection.clock) : nil
    }

    /// Video stream; nil for a source of sound.
    var video: UnsafeMutablePointer<AVStream>? { selection.video }
    var clock: StreamClock { selection.clock }
    var isStampedByArrival: Bool { selection.isStampedByArrival }

    deinit { close() }

    /// Closes the source, so that a later release is cheap. May take as long as closing a file on a slow disk. Called
    /// by the owning thread; no packet may be read afterwards.
    public func close() {
        // Calls that block while the source closes return at once.
        input.deadline.cancel()
        sound?.end()
        input.close()
    }

    public var deadline: Deadline { input.deadline }

    var context: UnsafeMutablePointer<AVFormatContext> { input.context }

    /// Longest delay of the sound relative to the frames; nil if the sound is not passed on.
    public var soundLag: Time? { sound?.lag }

    /// Returns damage found since the last call. `end`: media time at which the source ended; nil if reading stopped
    /// before the end.
    public func takeLack(at end: Time? = nil) -> FilmDamage? {
        // FFmpeg skips parts of DASH that it can't open, without an error.
        let isShort =
            facts.container == "dash" && end ?? .distantFuture < (facts.length ?? .zero) - .milliseconds(500)
        return input.takeLack() ?? (isShort ? .missingParts : nil)
    }

    /// Reports that a frame was decoded.
    func noteFrame(_ condition: StreamChange.Condition) { input.opening.watch.change?.noteFrame(condition, at: .now) }

    /// Notes the ticks that are added to the timestamps of frames since they jumped. Sound that is passed on is moved
    /// by as much.
    func note(shift: Int64) {
        sound?.note(shift: Time(shift, ofUnits: clock.base.numerator, over: clock.base.denominator))
    }

    /// Fills `packet` with the next packet of the video stream. A packet that cannot be read is skipped.
    func read(into packet: UnsafeMutablePointer<AVPacket>) -> Input.Reading {
        if input.waits { deadline.arm(nanoseconds: Input.readLimit) }
        let start = monotonicNanoseconds()
        defer {
            readingNanoseconds += monotonicNanoseconds() - start
            if input.waits { deadline.disarm() }
        }
        position = .elsewhere
        func ended(by trouble: SourceTrouble) -> Input.Reading {
            av_packet_unref(packet)
            return .trouble(trouble)
        }
        while true {
            let reading = input.next(into: packet)
            if input.hasChanged { return ended(by: .streamChanged) }
            guard case .packet = reading else {
                if case .end = reading, let loss = input.takeLoss() { return .trouble(loss) }
                return reading
            }
            // When a read times out, the demuxer returns the last frame that it had collected. That frame is old.
            if isLive, deadline.isOver { return ended(by: input.trouble(qd_EXIT, doing: "reading")) }
            deadline.noteData()
            if let video, packet.pointee.stream_index == video.pointee.index {
                if isLive, packets.isOfAnotherCodec(packet) { return ended(by: .streamChanged) }
                packets.amend(packet)
                sound?.noteFrame(packet, clock)
                return .packet
            }
            sound?.send(packet)
            av_packet_unref(packet)
        }
    }

    private var isLive: Bool { facts.live != nil }

    /// True for an image of a server. A camera may still be writing it, and the tile keeps the image before.
    var mustBeWhole: Bool { facts.kind == .still && facts.place == .network }

    /// Fills `packet` with the next packet of any stream that is not discarded; false at the end or on an error.
    func readAny(into packet: UnsafeMutablePointer<AVPacket>) -> Bool {
        deadline.arm(nanoseconds: Input.readLimit)
        defer { deadline.disarm() }
        position = .elsewhere
        while true {
            switch input.next(into: packet) {
            case .packet:
                packet.removeImplausibleTimes(by: clock(of: packet))
                return true
            case .skipped: break
            case .end, .trouble: return false
            }
        }
    }

    /// Position after a seek.
    enum Landing {
        case beginning, earlier
        /// A live source stays at its position.
        case here
    }

    /// Seeks to the last key frame not after `time` that the container knows, or else to the beginning.
    func seek(to time: Time) throws(SourceTrouble) -> Landing {
        if isLive { return position == .beginning ? .beginning : .here }
        if time > .zero, selection.frameSeeking == .byTime {
            deadline.arm(nanoseconds: Input.readLimit)
            defer { deadline.disarm() }
            position = .elsewhere
            if input.seek(index, to: clock.timestamp(of: time), flags: AVSEEK_FLAG_BACKWARD) >= 0 { return .earlier }
        }
        try rewind()
        return .beginning
    }

    /// Returns true if a key frame lies after the timestamp `fed` and not after `time`; nil if the container has no
    /// index.
    func hasKeyFrame(after fed: Int64, notAfter time: Time) -> Bool? {
        let timestamp = clock.timestamp(of: time)
        guard let video, let count = Optional(avformat_index_get_entries_count(video)), count > 0,
            let last = avformat_index_get_entry(video, count - 1), last.pointee.timestamp >= timestamp,
            let key = avformat_index_get_entry_from_timestamp(video, timestamp, AVSEEK_FLAG_BACKWARD)
        else { return nil }
        return key.pointee.timestamp > fed
    }

    private func rewind() throws(SourceTrouble) {
        guard position == .elsewhere else { return }
        let seeking = selection.frameSeeking
        guard seeking != .impossible else { throw SourceTrouble(.unsupported, "it cannot go back to its beginning") }
        try input.rewind(index, to: clock.origin, seeking)
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
}

/// Returns true if the header of an MP4 or MOV file has all facts that a player needs before decoding.
///
/// FFmpeg's probe decodes several frames of H.264, which costs more than the rest of opening a file.
private func headHoldsAll(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
    guard context.container.hasPrefix("mov,") else { return false }
    var frames = 0
    for stream in context.streams.map(\.pointee) {
        let parameters = stream.codecpar.pointee
        switch parameters.codec_type {
        case AVMEDIA_TYPE_VIDEO:
            guard [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC].contains(parameters.codec_id), parameters.extradata_size > 0,
                parameters.width > 0, parameters.height > 0, stream.nb_frames > 0, stream.start_time != qd_NOPTS,
                // Stated only if all frames have the same duration.
                stream.r_frame_rate.num > 0, stream.avg_frame_rate.num > 0, stream.avg_frame_rate.den > 0
            else { return false }
            frames += 1
        case AVMEDIA_TYPE_AUDIO:
            guard parameters.sample_rate > 0, parameters.ch_layout.nb_channels > 0 else { return false }
        default: break
        }
    }
    return frames == 1
}

extension Input {
    /// Goes to the beginning, where the stream's first packet has this timestamp.
    func rewind(_ stream: Int32, to first: Int64, _ seeking: Source.Seeking) throws(SourceTrouble) {
        deadline.arm(nanoseconds: Input.readLimit)
        defer { deadline.disarm() }
        // If timestamps may jump or are missing, the beginning is a position in the file, not a time.
        let mayJump = context.pointee.iformat.pointee.flags & (AVFMT_TS_DISCONT | AVFMT_NOTIMESTAMPS) != 0
        var status: Int32 = -1
        if mayJump || seeking == .onlyToBeginning { status = seek(stream, to: 0, flags: AVSEEK_FLAG_BYTE) }
        if status < 0 { status = seek(stream, to: first, flags: AVSEEK_FLAG_BACKWARD) }
        if status < 0 { status = seek(stream, to: 0, flags: AVSEEK_FLAG_BYTE) }
        guard status >= 0 else { throw trouble(status, doing: "going to its beginning") }
    }
}
