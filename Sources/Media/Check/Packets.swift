import Base
import CFFmpeg
import Opened

/// Facts from the packets of a file, all read in one go.
struct Packets {
    private let source: Source
    private let video: UnsafeMutablePointer<AVStream>
    private var stamps: [Int64] = []
    private var spans: [Int32: (start: Time, end: Time)] = [:]
    /// Duration of the last packet of each stream, in the stream's ticks.
    private var formerDurations: [Int32: Int64] = [:]
    private(set) var startsWithKey = true
    private(set) var end: Time?
    /// Damage found without decoding, by the demuxer's flags and by the timestamps.
    private(set) var damages: Set<FilmDamage> = []
    private var isCorrupt = false
    /// Timestamps of the latest packets, and the largest of all with its packet's duration, both shifted.
    private var recent: [Int64] = []
    private var newest: (stamp: Int64, duration: Int64)?
    /// Most frames that a decoder holds back to reorder them.
    private static let mostReordered = 16
    /// Ticks added to timestamps after a jump, so that they continue from the last one, as in playback.
    private var shift: Int64 = 0

    /// `source`: just opened with `Probing.beginningOnly`, and not read yet.
    init(of source: Source, _ video: UnsafeMutablePointer<AVStream>) {
        (self.source, self.video) = (source, video)
        for stream in source.context.streams(AVMEDIA_TYPE_AUDIO) { stream.pointee.discard = AVDISCARD_DEFAULT }
    }

    /// `reached` gets the time of each packet of the video.
    mutating func read(_ reached: (Time) -> Void) {
        let owner = Packet(), packet = owner.av
        var isFirst = true
        var latest = (stamp: Int64.min, duration: Int64(0))
        while source.readAny(into: packet) {
            defer { av_packet_unref(packet) }
            if packet.pointee.stream_index != video.pointee.index {
                if let stamp = packet.stamp { take(packet, stamp) }
                continue
            }
            if isFirst { startsWithKey = packet.pointee.flags & AV_PKT_FLAG_KEY != 0 }
            isFirst = false
            look(at: packet)
            guard let stamp = packet.stamp?.plus(shift) else { continue }
            reached(source.clock.time(of: stamp))
            if packet.pointee.flags & AV_PKT_FLAG_DISCARD != 0 { continue }
            if stamp > latest.stamp { latest = (stamp, packet.pointee.duration) }
            stamps.append(stamp)
        }
        // If one stream follows another, the demuxer flags the last packet before the jump as corrupt.
        if let lack = source.takeLack() {
            damages.insert(lack)
        } else if isCorrupt, !damages.contains(.jumpingTimestamps) {
            damages.insert(.brokenFrames)
        }
        stamps.sort()
        if let last = stamps.last { end = source.clock.end(of: last, duration: latest.duration, before: nil) }
    }

    private mutating func look(at packet: UnsafeMutablePointer<AVPacket>) {
        if packet.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 { isCorrupt = true }
        // FFmpeg guesses decoding times for containers without them, and guesses wrong if frames are reordered far.
        let isPresentation = packet.pointee.pts != qd_NOPTS
        guard let stamp = packet.stamp else { return }
        if let newest {
            let time = source.clock.time(of: stamp.plus(shift)), last = source.clock.time(of: newest.stamp)
            // All frames before a key frame in the file are shown before it. Other frames may be shown before those
            // that the decoder still holds.
            let isKey = packet.pointee.flags & AV_PKT_FLAG_KEY != 0
            let floor = isPresentation && !isKey ? recent.min().map { source.clock.time(of: $0) } ?? last : last
            // Timestamps out of order by a few frames are no jump, as in `TimestampRepair`.
            let most = (source.clock.rate?.frame ?? .milliseconds(40)) * (isPresentation && isKey ? 2 : 4)
            if time - last > source.clock.longestStanding || floor - time > most {
                damages.insert(.jumpingTimestamps)
                let duration = source.clock.believed(duration: newest.duration)
                shift = newest.stamp.plus(duration > 0 ? duration : source.clock.ticksPerFrame).minus(stamp)
                recent = []
            }
        }
        let shifted = stamp.plus(shift)
        recent.append(shifted)
        if recent.count > Self.mostReordered { recent.removeFirst() }
        if newest.map({ $0.stamp < shifted }) ?? true { newest = (shifted, packet.pointee.duration) }
    }

    private mutating func take(_ packet: UnsafeMutablePointer<AVPacket>, _ stamp: Int64) {
        let index = packet.pointee.stream_index
        guard let stream = source.context.pointee.streams[Int(index)]?.pointee else { return }
        let origin = source.clock.base.exact(source.clock.origin), base = TimeBase(stream.time_base)
        func time(_ stamp: Int64) -> Time { Time(clamping: base.exact(stamp) - origin) }
        let rate = Int64(max(1, stream.codecpar.pointee.sample_rate))
        let (before, after) = skippedSamples(of: packet, in: source.context, former: formerDurations[index])
        formerDurations[index] = packet.pointee.duration
        let start = time(stamp) + Time(before, ofUnits: 1, over: rate)
        let end = time(stamp.plus(packet.pointee.duration)) - Time(after, ofUnits: 1, over: rate)
        guard packet.pointee.flags & AV_PKT_FLAG_DISCARD == 0, end > start else { return }
        let span = spans[index] ?? (start, end)
        spans[index] = (min(span.start, start), max(span.end, end))
    }

    /// Sound tracks, in the file's order.
    var sounds: [SourceInspection.Sound] {
        source.context.streams(AVMEDIA_TYPE_AUDIO).map { stream in
            let span = spans[stream.pointee.index]
            return .init(
                start: span?.start ?? .zero, end: span?.end ?? .zero,
                language: tag("language", of: stream.pointee.metadata))
        }
    }

    /// The shortest and the longest frame; nil if they differ by no more than the container's rounding.
    var uneven: ClosedRange<Time>? {
        let gaps = zip(stamps, stamps.dropFirst()).map { $1 - $0 }
        guard let least = gaps.min(), let most = gaps.max(), most - least > 1 else { return nil }
        let tick = source.clock.tick
        let range = tick * least...tick * most
        // Timestamps that were rounded twice may be two ticks apart.
        return range.upperBound - range.lowerBound > max(tick * 2, .milliseconds(2)) ? range : nil
    }
}
