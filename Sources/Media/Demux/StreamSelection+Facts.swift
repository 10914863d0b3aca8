import Base
import CFFmpeg
import Decoded
import Opened

// The facts that streams and container state.
extension StreamSelection {
    /// `end`: end of the last frame, if it was read.
    func facts(end: Time?) -> SourceFacts {
        let parameters = (video ?? sound[0]).pointee.codecpar.pointee
        let storage = video == nil ? Size(0, 0) : Size(Int(parameters.width), Int(parameters.height))
        let isCutOff = video.map(self.isCutOff) ?? false, metadata = context.pointee.metadata
        var opened = OpenedFacts(
            kind: kind, length: [end, duration].lazy.compactMap { $0 }.first { $0 > .zero && $0 <= TimeBase.longest },
            frameLength: clock.rate?.frame, title: tag("title", of: metadata))
        (opened.names.artist, opened.names.album) = (tag("artist", of: metadata), tag("album", of: metadata))
        (opened.codec, opened.soundTracks) = (String(cString: avcodec_get_name(parameters.codec_id)), sound.map(track))
        (opened.chapters, opened.lead, opened.origin) = (chapters, lead, clock.base.exact(clock.origin))
        (opened.isCutOff, opened.statedLength, opened.live) = (isCutOff, isCutOff ? duration : nil, live)
        if kind == .video { (opened.bitRate, opened.subtitles) = (bitRate(isCutOff: isCutOff), subtitles) }
        var facts = SourceFacts(
            opened: opened, storage: storage, frames: FrameFacts(rate: clock.rate), container: context.container,
            soundLength: kind == .video ? soundLength : nil, place: place, isSeekable: frameSeeking == .byTime)
        guard let video else { return facts }
        let aspect = av_guess_sample_aspect_ratio(context, video, nil)
        let rotation = Orientation(of: video).turn
        facts.frames = frameFacts(of: video, parameters, rotation)
        (facts.hasEvenRate, facts.keyFrames) = (hasEvenRate(video), clock.keyFrames(of: video))
        (facts.natural, facts.stored) = (
            squarePixels(storage, aspect: aspect).turned(rotation), storage.turned(rotation)
        )
        if facts.natural.turned(rotation) != storage {
            facts.frames.sampleAspect = "\(aspect.num):\(aspect.den)"
        }
        return facts
    }

    private func frameFacts(
        of video: UnsafeMutablePointer<AVStream>, _ parameters: AVCodecParameters, _ rotation: Turn
    ) -> FrameFacts {
        let isImage = kind == .still || StreamSelection.isOfImages(parameters.codec_id)
        var colorimetry = SourceColorimetry(of: parameters, kind: isImage ? .image : .video)
        colorimetry.add(LightLevels(of: video), SourceColorimetry.DolbyVision(of: video))
        return FrameFacts(
            rate: clock.rate, rotation: rotation, colorimetry: colorimetry, fields: FieldOrder(of: parameters),
            pixelFormat: AVPixelFormat(parameters.format).name)
    }

    /// Returns the bits a second of the video: those that its stream states, else those in Matroska's statistics, else
    /// those of a whole file that contains nothing else.
    private func bitRate(isCutOff: Bool) -> Int? {
        guard let video else { return nil }
        let ofStream = Int(video.pointee.codecpar.pointee.bit_rate)
        if ofStream > 0 { return ofStream }
        let counted = tag("BPS", of: video.pointee.metadata) ?? tag("BPS-eng", of: video.pointee.metadata)
        if let counted = counted.flatMap({ Int($0) }), counted > 0 { return counted }
        let ofFile = Int(context.pointee.bit_rate)
        return context.pointee.nb_streams == 1 && !isCutOff && ofFile > 0 ? ofFile : nil
    }

    /// Kind of live source; nil for a still, and for a source that is local, seekable or of known length.
    var live: SourceTraits.Live? {
        guard kind != .still, seeking != .byTime, duration == nil else { return nil }
        if ["hls", "dash"].contains(context.container) { return .listed }
        if place == .device { return .captured }
        guard place == .network else { return nil }
        if let url = context.pointee.url, SourceName.isPushed(String(cString: url)) { return .pushed }
        return context.pointee.pb.map { avio_size($0) <= 0 } ?? false ? .pulled : nil
    }

    /// True if the last packet or the declared end of the file lies after its actual end.
    private func isCutOff(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        guard place == .file, let io = context.pointee.pb, case let size = avio_size(io), size > 0 else {
            return false
        }
        if let declared = declaredSize(of: context, context.container), declared > size { return true }
        guard case let count = avformat_index_get_entries_count(stream), count > 0,
            let last = avformat_index_get_entry(stream, count - 1)
        else { return false }
        return last.pointee.pos >= size
    }

    /// Duration by the container, unless it is only a guess.
    private var duration: Time? {
        let isGuessed = context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
        if kind == .still || kind == .video && isGuessed { return nil }
        if let stream = (video ?? sound.first)?.pointee, TimeBase(stream.time_base).length(stream.duration) != nil {
            let ticks = StreamClock(timeBase: stream.time_base, origin: 0, rate: clock.rate)
            return ticks.time(of: stream.duration)
        }
        return TimeBase.microseconds.length(context.pointee.duration)
    }

    /// Time from the start of the sound to the first frame, by their timestamps; 0 if the frame comes first.
    private var lead: Time {
        guard kind == .video, live == nil else { return .zero }
        // The samples that encoders put before the sound are not heard. MP4's edit list leaves them out. Other
        // containers state their number, or nothing.
        let isEdited = context.container.hasPrefix("mov,")
        let starts = sound.compactMap { stream -> Int128? in
            // The head of an MP4 without an edit list has the first timestamp in the index alone. Packets before 0 are
            // not heard.
            let indexed = avformat_index_get_entry(stream, 0).map { max(0, $0.pointee.timestamp) } ?? qd_NOPTS
            let stated = stream.pointee.start_time, parameters = stream.pointee.codecpar.pointee
            let start = stated == qd_NOPTS ? indexed : stated
            guard start != qd_NOPTS else { return nil }
            let samples = isEdited ? 0 : max(Int64(parameters.initial_padding), usualPadding(parameters.codec_id))
            let silence = Time(samples, ofUnits: 1, over: Int64(max(1, parameters.sample_rate)))
            return TimeBase(stream.pointee.time_base).exact(start) + Int128(silence.ticks)
        }
        guard let start = starts.min() else { return .zero }
        return max(.zero, min(Time(clamping: clock.base.exact(clock.origin) - start), .longestWritten))
    }

    private var soundLength: Time? {
        guard let stream = sound.first?.pointee, live == nil else { return nil }
        return TimeBase(stream.time_base).length(stream.duration) ?? duration
    }

    /// Most chapters that are read: a container may claim millions.
    private static let mostChapters = 1000

    private var chapters: [Chapter] {
        (0..<min(Int(context.pointee.nb_chapters), StreamSelection.mostChapters)).compactMap { index in
            guard let chapter = context.pointee.chapters[index]?.pointee else { return nil }
            guard let start = chapter.start <= 0 ? .zero : TimeBase(chapter.time_base).length(chapter.start) else {
                return nil
            }
            return Chapter(start: start, title: tag("title", of: chapter.metadata))
        }
    }

    /// Most subtitle streams that are listed.
    private static let mostSubtitles = 200

    private var subtitles: [SubtitleTrack] {
        context.streams(AVMEDIA_TYPE_SUBTITLE).prefix(Self.mostSubtitles).map { stream in
            let codec = stream.pointee.codecpar.pointee.codec_id
            return SubtitleTrack(
                language: language(of: stream), title: tag("title", of: stream.pointee.metadata),
                codec: String(cString: avcodec_get_name(codec)), kind: SubtitleTrack.Kind(of: codec))
        }
    }

    private func track(_ stream: UnsafeMutablePointer<AVStream>) -> SoundTrack {
        let parameters = stream.pointee.codecpar.pointee
        return SoundTrack(
            language: language(of: stream), title: tag("title", of: stream.pointee.metadata),
            codec: String(cString: avcodec_get_name(parameters.codec_id)),
            channels: Int(parameters.ch_layout.nb_channels), rate: Int(parameters.sample_rate))
    }
}

/// Returns the number of samples that encoders usually put before the sound.
private func usualPadding(_ codec: AVCodecID) -> Int64 {
    switch codec {
    case AV_CODEC_ID_AAC: 1024
    case AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3: 256
    case AV_CODEC_ID_MP2: 481
    case AV_CODEC_ID_MP3: 1105
    case AV_CODEC_ID_OPUS: 312
    default: 0
    }
}

/// Returns true if the smallest frame distance that FFmpeg found equals the average one.
private func hasEvenRate(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    let (least, average) = (stream.pointee.r_frame_rate, stream.pointee.avg_frame_rate)
    guard least.num > 0, least.den > 0, average.num > 0, average.den > 0 else { return false }
    let ratio = av_q2d(average) / av_q2d(least)
    return (0.995...1.005).contains(ratio)
}

extension SubtitleTrack.Kind {
    init(of codec: AVCodecID) {
        let properties = avcodec_descriptor_get(codec)?.pointee.props ?? 0
        self = properties & AV_CODEC_PROP_TEXT_SUB != 0 ? .text : .images
    }
}
