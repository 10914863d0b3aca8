import Base
import CFFmpeg
import Glibc
import Lyrics
import Opened

/// Reads the subtitles of a file, or of one of its tracks. Belongs to one thread; may block as long as the file may.
struct SubtitleReader {
    private let input: Input
    private let stream: UnsafeMutablePointer<AVStream>
    private let origin: Int64
    /// True if the file contains nothing but subtitles.
    private let isOfWordsAlone: Bool
    private let codec: CodecContext
    private let head: SubtitleHead
    let script: SubtitleScript

    private typealias Event = SubtitleScript.Event

    /// Duration of a cue without a stated one.
    private static let usualCue = Time.seconds(5)
    /// Cues that begin or end beyond this time, before or after zero, are dropped.
    private static let farthest = Time.seconds(1_000_000)
    private static let readLimit: Int64 = 30_000_000_000
    /// Largest head of a script in bytes, with its styles and embedded fonts.
    private static let longestHead = 16 << 20
    /// Limits for the fonts in a film, of which each renderer has a copy.
    private static let (mostFonts, mostFontBytes) = (64, 64 << 20)

    /// Fonts that fit within the limits, in the order of the file.
    private static func fonts(of streams: [UnsafeMutablePointer<AVStream>]) -> [SubtitleScript.Font] {
        var fonts: [SubtitleScript.Font] = []
        var bytes = 0
        for stream in streams where fonts.count < mostFonts {
            guard let font = stream.font, bytes + font.bytes.count <= mostFontBytes else { continue }
            bytes += font.bytes.count
            fonts.append(font)
        }
        return fonts
    }

    /// `track`: from 1; nil for the first one.
    init(_ location: String, track: Int? = nil, charset: String? = nil, _ deadline: Deadline) throws(SourceTrouble) {
        try self.init(track, charset, deadline) { () throws(SourceTrouble) in try Input.open(location, deadline) }
    }

    init(_ text: [UInt8], _ format: SubtitleText.Format, _ deadline: Deadline) throws(SourceTrouble) {
        try self.init(nil, nil, deadline) { () throws(SourceTrouble) in
            try Input.open(MemoryBytes(text), as: "words", formats: format.rawValue, deadline)
        }
    }

    private init(
        _ track: Int?, _ charset: String?, _ deadline: Deadline, _ open: () throws(SourceTrouble) -> Input
    ) throws(SourceTrouble) {
        deadline.arm(nanoseconds: Input.openLimit)
        defer { deadline.disarm() }
        let input = try open()
        try input.findStreams(pixels: FrameLimit.usual.pixels)
        let streams = input.context.streams, subtitles = input.context.streams(AVMEDIA_TYPE_SUBTITLE)
        func isText(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
            SubtitleTrack.Kind(of: stream.pointee.codecpar.pointee.codec_id) == .text
        }
        if let track, !subtitles.indices.contains(track - 1) {
            let count = subtitles.count == 1 ? "1 subtitle track" : "\(subtitles.count) subtitle tracks"
            throw SourceTrouble(.missing, "there is no subtitle track \(track) in it, which has \(count)")
        }
        let place = track.map { $0 - 1 } ?? subtitles.firstIndex(where: isText) ?? 0
        guard subtitles.indices.contains(place) else { throw SourceTrouble(.missing, "there are no subtitles in it") }
        let chosen = subtitles[place]
        for stream in streams where stream != chosen { stream.pointee.discard = AVDISCARD_ALL }
        isOfWordsAlone = subtitles.count == streams.count
        let origin = isOfWordsAlone ? 0 : input.firstFrame
        let codec = try CodecContext(decoding: "subtitles", chosen.pointee.codecpar, chosen.pointee.time_base) {
            if let charset { av_opt_set($0, "sub_charenc", charset, 0) }
        }
        let decoder = codec.av
        let head = decoder.pointee.subtitle_header.map { bytes in
            Array(UnsafeBufferPointer(start: bytes, count: Int(decoder.pointee.subtitle_header_size)))
        }
        let isStyled = chosen.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_ASS
        (self.input, stream, self.origin, self.codec) = (input, chosen, origin, codec)
        guard head.map({ $0.count <= Self.longestHead }) ?? true else {
            throw SourceTrouble(.unsupported, "its subtitles begin with more than \(Self.longestHead >> 20) MiB")
        }
        self.head = SubtitleHead(isStyled ? head : nil)
        script = SubtitleScript(
            head: isStyled ? head : nil, fonts: Self.fonts(of: streams), isOfImages: !isText(chosen))
    }

    /// Reads to the end. Calls `read` after each batch of packets; stops if `read` returns false.
    func readAll(_ read: () -> Bool) throws(SourceTrouble) {
        defer { input.close() }
        let owner = Packet(), packet = owner.av
        var events: [Event] = []
        var images = SubtitleImages()
        var packets = 0
        defer { script.add(events) }
        while true {
            input.deadline.arm(nanoseconds: Self.readLimit)
            let status = input.read(into: packet)
            if status == qd_EOF { break }
            guard status >= 0 else { throw input.trouble(status, doing: "reading its subtitles") }
            if packet.pointee.stream_index == stream.pointee.index { events += decode(owner, &images) }
            av_packet_unref(packet)
            packets += 1
            guard packets % 256 == 0 else { continue }
            if !events.isEmpty { script.add(events) }
            events = []
            if !read() { return }
        }
        events += images.next([], from: nil, to: nil)
        if isOfWordsAlone, script.count == 0, events.isEmpty {
            throw SourceTrouble(.unsupported, "no words with times are in it")
        }
    }

    private func decode(_ owner: Packet, _ images: inout SubtitleImages) -> [Event] {
        var subtitle = AVSubtitle(), isThere: Int32 = 0
        let packet = owner.av, status = avcodec_decode_subtitle2(codec.av, &subtitle, &isThere, packet)
        guard status >= 0, isThere != 0 else { return [] }
        defer { avsubtitle_free(&subtitle) }
        let base = TimeBase(stream.pointee.time_base)
        guard let stamp = base.time(from: 0, to: packet.pointee.pts) else { return [] }
        let begin = stamp - Time(origin, ofUnits: 1, over: Int64(AV_TIME_BASE))
        if script.isOfImages { return decoded(subtitle, at: begin, &images) }
        let end = begin + (base.length(packet.pointee.duration) ?? Self.usualCue)
        guard max(begin.magnitude, end.magnitude) <= Self.farthest else { return [] }
        let place = CuePlace(settingsOf: packet)
        return (0..<Int(subtitle.num_rects)).compactMap { index in
            guard let text = subtitle.rects[index]?.pointee.ass else { return nil }
            let bytes = Array(UnsafeBufferPointer(start: text, count: strlen(text))).map { UInt8(bitPattern: $0) }
            let event = place?.applied(to: bytes) ?? bytes, load = head.load(of: event)
            return bytes.isEmpty || load.isTooMuch ? nil : Event(event, begin, end, load)
        }
    }

    /// Returns the event that ends with these images. Its own images last until their end, or until the next packet.
    private func decoded(_ subtitle: AVSubtitle, at stamp: Time, _ images: inout SubtitleImages) -> [Event] {
        guard stamp.magnitude <= Self.farthest else { return [] }
        let canvas = Size(Int(codec.av.pointee.width), Int(codec.av.pointee.height))
        let found = (0..<Int(subtitle.num_rects)).compactMap { index in
            subtitle.rects[index].flatMap { SubtitleImage($0.pointee, canvas: canvas) }
        }
        let begin = stamp + .milliseconds(Int64(subtitle.start_display_time))
        let last = subtitle.end_display_time
        let isOpen = last == .max || last <= subtitle.start_display_time
        return images.next(found, from: begin, to: isOpen ? nil : stamp + .milliseconds(Int64(last)))
    }
}

extension Input {
    /// Start of the first frame or else of the container, in microseconds: the film's time counts from there.
    fileprivate var firstFrame: Int64 {
        let best = Int(av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0))
        if best >= 0, let stream = context.pointee.streams[best]?.pointee, stream.start_time != qd_NOPTS,
            stream.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
        {
            return av_rescale_q(stream.start_time, stream.time_base, AVRational(num: 1, den: AV_TIME_BASE))
        }
        return context.pointee.start_time == qd_NOPTS ? 0 : context.pointee.start_time
    }
}

extension UnsafeMutablePointer<AVStream> {
    /// Font embedded in the file; nil if the stream is none.
    fileprivate var font: SubtitleScript.Font? {
        guard pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_ATTACHMENT,
            let bytes = pointee.codecpar.pointee.extradata,
            let file = tag("filename", of: pointee.metadata)
        else { return nil }
        let type = tag("mimetype", of: pointee.metadata) ?? ""
        let isFont =
            type.contains("font") || type.contains("truetype") || type.contains("opentype")
            || [".ttf", ".otf", ".ttc"].contains { file.lowercased().hasSuffix($0) }
        let count = Int(pointee.codecpar.pointee.extradata_size)
        guard isFont, count > 0 else { return nil }
        return SubtitleScript.Font(name: file, bytes: Array(UnsafeBufferPointer(start: bytes, count: count)))
    }
}

extension CuePlace {
    fileprivate init?(settingsOf packet: UnsafeMutablePointer<AVPacket>) {
        var count = 0
        guard let bytes = av_packet_get_side_data(packet, AV_PKT_DATA_WEBVTT_SETTINGS, &count), count > 0 else {
            return nil
        }
        self.init(settings: String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
    }

    /// Inserts the place into an event of libavcodec, which has its text after the eighth comma.
    fileprivate func applied(to event: [UInt8]) -> [UInt8] {
        let commas = event.indices.filter { event[$0] == UInt8(ascii: ",") }
        guard commas.count >= 8 else { return event }
        return Array(event[...commas[7]]) + Array("{\\an\(alignment)}".utf8) + Array(event[(commas[7] + 1)...])
    }
}
