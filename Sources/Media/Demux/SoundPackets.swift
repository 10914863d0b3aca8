import Base
import CFFmpeg
import Heard
import Threads

/// Source of the packets of one sound track. Owned by one thread at a time.
protocol SoundPackets: AnyObject {
    var format: SoundFormat { get }
    /// Time added to the timestamps of the source's frames since they jumped.
    var shift: Time { get }
    /// True if nothing was read for so long that what a live source sends now may not follow.
    var isStale: Bool { get }

    /// Fills `packet` with the next one of the track; may block until the deadline.
    func read(into packet: UnsafeMutablePointer<AVPacket>) throws(SourceTrouble) -> SoundReading
    /// Seeks to a place that is not after this instant on the container's timeline. Returns false if the seek fails.
    func seek(to instant: Int128) -> Bool
    /// Goes to the beginning, where the first packet has the timestamp `first`.
    func rewind(to first: Int64) throws(SourceTrouble)
}

enum SoundReading {
    case packet, end
    /// No packet yet.
    case nothing
}

/// A container's description of a sound track.
struct SoundFormat {
    /// Owned by the `SoundPackets`.
    let parameters: UnsafePointer<AVCodecParameters>
    let timeBase: AVRational
    /// Timestamp of the file's first video frame, or of its first sample if it has no video. In units of `Time`, on the
    /// container's timeline, which may begin anywhere.
    let origin: Int128
    let seeking: Source.Seeking
    let trackCount: Int
    let hasFrames: Bool
    let isMatroska: Bool
    /// Longest time between two frames. A later timestamp is a jump.
    let longestGap: Time
    /// True if the source has no end and can't be sought.
    let isLive: Bool
    /// Time after which the container's timestamps begin again; nil if they do not.
    let wrap: Time?
    /// Length of the sound; nil unless the container has it exactly.
    var exactEnd: Time?

    /// Returns the time after which a stream's timestamps begin again; nil if they do not.
    static func wrap(of stream: UnsafeMutablePointer<AVStream>) -> Time? {
        let bits = stream.pointee.pts_wrap_bits
        guard (1..<63).contains(bits) else { return nil }
        return TimeBase(stream.pointee.time_base).length(1 << Int64(bits))
    }
}

/// A sound track that is read by a demuxer of its own, which skips all other streams.
///
/// Independent of the pipeline that decodes the file's frames. Closes in deinit. Every call may block, on a network at
/// most until its deadline.
final class SoundDemuxer: SoundPackets {
    let format: SoundFormat
    private let input: Input
    private let stream: UnsafeMutablePointer<AVStream>
    private let video: UnsafeMutablePointer<AVStream>?
    /// Time of the last read, on the monotonic clock.
    private var readAt = monotonicNanoseconds()
    /// A live source that was not read for this time is opened anew, in nanoseconds. Its server may have ended the
    /// connection, or dropped parts of a list.
    private static let freshness: Int64 = 5_000_000_000

    init(_ location: String, _ track: SoundChoice.Track, origin: Int128?, deadline: Deadline) throws(SoundCondition) {
        deadline.arm(nanoseconds: Input.openLimit)
        defer { deadline.disarm() }
        let opened = try SoundCondition.wrapping(location) { () throws(SourceTrouble) -> (Input, StreamSelection)? in
            guard let input = try SongParts.openSound(of: location, deadline) else { return nil }
            try input.findStreams(pixels: FrameLimit.usual.pixels)
            return (input, try StreamSelection(of: input, on: nil))
        }
        guard let (input, selection) = opened else { throw .soundless }
        let tracks = selection.sound
        guard let chosen = track.place(among: tracks.map(language)) else { throw .lacking(of: tracks.count) }
        let stream = tracks[chosen]
        stream.pointee.discard = AVDISCARD_DEFAULT
        input.opening.nested.sourceIsOpen(at: .now)
        (self.input, self.stream, video) = (input, stream, selection.video)
        let base = TimeBase(stream.pointee.time_base)
        let start = stream.pointee.start_time
        let first = start == qd_NOPTS || start < 0 ? 0 : base.exact(start)
        let hasFrames = selection.video != nil
        format = SoundFormat(
            parameters: UnsafePointer(stream.pointee.codecpar), timeBase: stream.pointee.time_base,
            origin: origin ?? (hasFrames ? selection.clock.base.exact(selection.clock.origin) : first),
            seeking: selection.seeking, trackCount: tracks.count, hasFrames: hasFrames,
            isMatroska: input.container.hasPrefix("matroska"), longestGap: selection.clock.longestStanding,
            isLive: selection.live != nil, wrap: SoundFormat.wrap(of: stream),
            exactEnd: !hasFrames && input.container.hasPrefix("mov") ? base.length(stream.pointee.duration) : nil)
    }

    private var deadline: Deadline { input.deadline }
    var shift: Time { .zero }
    var isStale: Bool { format.isLive && monotonicNanoseconds() - readAt > Self.freshness }

    func read(into packet: UnsafeMutablePointer<AVPacket>) throws(SourceTrouble) -> SoundReading {
        if input.waits { deadline.arm(nanoseconds: Input.readLimit) }
        defer {
            if input.waits { deadline.disarm() }
            readAt = monotonicNanoseconds()
        }
        while true {
            switch input.next(into: packet) {
            case .packet where packet.pointee.stream_index == stream.pointee.index: return .packet
            case .packet: av_packet_unref(packet)
            case .skipped: break
            case .end: return .end
            case .trouble(let trouble): throw trouble
            }
        }
    }

    func seek(to instant: Int128) -> Bool {
        deadline.arm(nanoseconds: Input.readLimit)
        defer { deadline.disarm() }
        let guide = format.isMatroska ? video ?? stream : stream
        let stamp = TimeBase(guide.pointee.time_base).stamp(ofExact: instant)
        return input.seek(guide.pointee.index, to: stamp, flags: AVSEEK_FLAG_BACKWARD) >= 0
    }

    func rewind(to first: Int64) throws(SourceTrouble) {
        try input.rewind(stream.pointee.index, to: first, format.seeking)
    }
}

/// Language of a stream as in its container; nil if there is none, or "und".
func language(of stream: UnsafeMutablePointer<AVStream>) -> String? {
    tag("language", of: stream.pointee.metadata).flatMap { $0 == "und" ? nil : $0 }
}

extension SoundChoice.Track {
    /// Returns the index of the chosen track, given the languages of a source's tracks; nil if there is none.
    func place(among languages: [String?]) -> Int? {
        switch self {
        case .number(let number):
            return number <= languages.count ? number - 1 : nil
        case .language(let language):
            let wanted = Language(language)
            return languages.firstIndex { $0.map { Language($0) == wanted } ?? false }
        }
    }
}

extension SoundCondition {
    /// Condition of a sound whose source has this number of tracks, without the wanted one.
    static func lacking(of tracks: Int) -> SoundCondition { tracks > 0 ? .noTrack(tracks: tracks) : .soundless }

    /// True if another attempt to open the sound would end the same way.
    var isLasting: Bool { if case .failed(_, let trouble) = self { trouble.kind == .unsupported } else { true } }

    /// Throws the trouble of `body` as the condition of a sound of this source.
    static func wrapping<Result>(
        _ source: String, _ body: () throws(SourceTrouble) -> Result
    ) throws(SoundCondition) -> Result {
        do throws(SourceTrouble) { return try body() } catch { throw .failed(source: source, error) }
    }
}
