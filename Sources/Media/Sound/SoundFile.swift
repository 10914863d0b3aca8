import Base
import CFFmpeg
import Scene

/// A source's sound track with its decoder: frames with their exact times, trimmed as the file specifies.
///
/// Owned by one thread at a time. Closes in deinit. Every call may block, on a network at most until its deadline.
final class SoundFile {
    /// Zero of the file's time, as in `SoundFormat`.
    private var origin: Int128
    private let base: TimeBase
    private let packets: SoundPackets
    private let decoder: UnsafeMutablePointer<AVCodecContext>
    private let packet: UnsafeMutablePointer<AVPacket>
    private let frame: UnsafeMutablePointer<AVFrame>
    /// The first frame of the file, in time since `origin`. All other frames are counted from its end.
    private(set) var first: Span?
    private var firstStamp: Int64?
    private var state = State.atBeginning
    private var arrival = Arrival.atFirst
    /// Packets that end before this timestamp are not decoded.
    private var skipLimit: Int64?
    /// End of the previous frame, where the next one begins if there is no gap.
    private var expected: Time?
    /// Added to the stream's timestamps, since they jumped.
    private var shift = Time.zero

    private enum State { case atBeginning, running, draining, ended }
    /// Kind of the next frame.
    private enum Arrival {
        case atFirst
        /// The first frame after a seek: it only warms up the decoder.
        case warming
        case landed, following
    }

    struct Span {
        var start: Time
        var end: Time
    }

    /// Opens the file and the decoder of the chosen track. `origin`: zero of a live source's time; nil for the file's
    /// beginning.
    static func open(
        _ location: String, _ track: SoundChoice.Track, origin: Int128? = nil, deadline: Deadline
    ) throws(SoundTrouble) -> SoundFile {
        // Cameras and displays have no sound, and a sound input is no file.
        if DeviceAddress.isDevice(location) { throw .noTrack(tracks: 0) }
        guard let origin, SourceName.isPushed(location) else {
            return try SoundFile(SoundDemuxer(location, track, origin: origin, deadline: deadline))
        }
        guard let sound = LiveSound.of(location, origin: origin) else {
            throw .source(SourceTrouble(.unreachable, "its connection has ended"))
        }
        return try SoundFile(sound.listen(track, deadline))
    }

    private init(_ packets: SoundPackets) throws(SoundTrouble) {
        (self.packets, origin, base) = (packets, packets.format.origin, TimeBase(packets.format.timeBase))
        var (spare, blank) = (av_packet_alloc(), av_frame_alloc())
        do throws(SoundTrouble) {
            guard let spare, let blank else { throw .source(SourceTrouble(.unreadable, words(for: qd_ENOMEM))) }
            decoder = try SoundTrouble.wrapping { () throws(SourceTrouble) in try openDecoder(packets.format) }
            (packet, frame) = (spare, blank)
        } catch {
            av_packet_free(&spare)
            av_frame_free(&blank)
            throw error
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

    var deadline: Deadline { packets.deadline }
    var trackCount: Int { packets.format.trackCount }
    var exactEnd: Time? { packets.format.exactEnd }
    private var seeking: Source.Seeking { packets.format.seeking }

    // MARK: frames

    enum Output {
        /// Valid until the next call.
        case frame(UnsafeMutablePointer<AVFrame>, at: Time)
        /// No frame yet: a live source has sent no more.
        case nothing
        case end
    }

    /// Returns the next frame. Data that can't be decoded is left out.
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
            if try !feed() { return .nothing }
        }
    }

    /// Feeds the decoder. Returns false if no packet came.
    private func feed() throws(SourceTrouble) -> Bool {
        if state == .atBeginning { state = .running }
        switch try packets.read(into: packet) {
        case .nothing: return false
        case .end:
            state = .draining
            avcodec_send_packet(decoder, nil)
        case .packet:
            defer { av_packet_unref(packet) }
            removeImplausibleTimes(of: packet)
            if let skipLimit, packet.pointee.pts != qd_NOPTS,
                packet.pointee.pts.plus(packet.pointee.duration) < skipLimit
            {
                return true
            }
            skipLimit = nil
            if firstStamp == nil { firstStamp = packet.pointee.pts }
            if case .landed = arrival, packet.pointee.pts == firstStamp { arrival = .atFirst }
            _ = avcodec_send_packet(decoder, packet)
        }
        return true
    }

    /// Removes a packet's implausible timestamps.
    private func removeImplausibleTimes(of packet: UnsafeMutablePointer<AVPacket>) {
        packet.removeImplausibleTimes(
            by: StreamClock(
                timeBase: packets.format.timeBase, origin: base.stamp(ofExact: origin), rate: nil))
    }

    /// Returns the frame's start, exact where the container's ticks are coarse; nil if the frame is not used.
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
            // However much of the first frame was trimmed, it ends where it ended the first time.
            if let first { start = first.end - length }
        case .landed:
            start = snapped(start, tick)
        case .following:
            // Consecutive frames are counted. Only a difference beyond rounding is a gap.
            let slack = max(tick * 2, .milliseconds(2))
            if let expected, (expected - start).magnitude <= slack {
                start = expected
            } else if let expected, start > expected + packets.format.longestGap || start < expected - SoundFile.farBack
            {
                // Another film begins in the same stream: it is counted on from here, as its video frames are.
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

    /// FFmpeg's Matroska muxer up to version 6 shifts the video by the codec's delay, but not the sound.
    private func isShiftedByDelay(_ start: Time, _ tick: Time) -> Bool {
        let parameters = packets.format.parameters.pointee
        let padding = Int64(parameters.initial_padding)
        guard packets.format.isMatroska, packets.format.hasFrames, padding > 0 else { return false }
        let delay = Time(padding, ofUnits: 1, over: Int64(max(1, parameters.sample_rate)))
        let isFrameMoved = (packets.format.origin - Int128(delay.ticks)).magnitude <= tick.ticks.magnitude
        return isFrameMoved && (start + delay).magnitude <= tick
    }

    /// Returns the multiple of a frame length, counted from the end of the first frame, that a timestamp with ticks
    /// coarser than samples stands for. Other timestamps stay as they are.
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

    /// Decoding begins this much before a wanted frame. Opus needs 80 ms, and MP3 the length of its bit reservoir.
    private static let preroll = Time.milliseconds(250)

    /// The next frames are those from `time` on, and some before it. A file that can't be sought goes on where it is.
    func seek(to time: Time) throws(SourceTrouble) {
        if state == .atBeginning, time <= SoundFile.preroll || seeking == .impossible { return }
        if state == .running, seeking == .impossible { return }
        // The others are counted from the first frame.
        if first == nil { _ = try next() }
        guard seeking == .byTime, time - SoundFile.preroll > first?.end ?? .zero else { return try rewind() }
        let target = Int128((time - SoundFile.preroll).ticks) + origin
        guard packets.seek(to: target) else { return try rewind() }
        skipLimit = base.stamp(ofExact: target)
        restart(.warming)
    }

    private func rewind() throws(SourceTrouble) {
        if state == .atBeginning { return }
        guard seeking != .impossible else { throw SourceTrouble(.unsupported, "it cannot go back to its beginning") }
        try packets.rewind(to: firstStamp.map { $0 == qd_NOPTS ? 0 : $0 } ?? 0)
        skipLimit = nil
        restart(.landed)
    }

    private func restart(_ arrival: Arrival) {
        avcodec_flush_buffers(decoder)
        (state, expected, shift, self.arrival) = (.running, nil, .zero, arrival)
    }
}

private func openDecoder(
    _ format: SoundFormat
) throws(SourceTrouble) -> UnsafeMutablePointer<AVCodecContext> {
    let id = format.parameters.pointee.codec_id
    let name = String(cString: avcodec_get_name(id))
    guard let codec = avcodec_find_decoder(id) else {
        throw SourceTrouble(.unsupported, "no decoder for its sound: \(name)")
    }
    var context = avcodec_alloc_context3(codec)
    var status = qd_ENOMEM
    if let context {
        status = avcodec_parameters_to_context(context, format.parameters)
        context.pointee.pkt_timebase = format.timeBase
        context.pointee.thread_count = 1
        if status >= 0 { status = avcodec_open2(context, codec, nil) }
    }
    guard status >= 0, let context else {
        avcodec_free_context(&context)
        throw SourceTrouble(code: status, at: .file, doing: "opening the decoder \(name)")
    }
    return context
}
