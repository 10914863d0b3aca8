import Base
import CFFmpeg
import Heard

/// A source's sound track with its decoder: frames with their exact times, trimmed as the file specifies.
///
/// Owned by one thread at a time. Closes in deinit. Every call may block, on a network at most until its deadline.
final class SoundFile {
    let packets: any SoundPackets
    private let codec: CodecContext
    private let spare = (packet: Packet(), frame: CodecFrame())
    private(set) var timeline: SoundTimeline
    /// Timestamp of the first packet; nil until it came.
    private var firstStamp: Int64?
    private var state = State.atBeginning
    /// Packets that end before this timestamp are not decoded.
    private var skipLimit: Int64?

    private enum State { case atBeginning, running, draining, ended }

    /// Opens the file and the decoder of the chosen track. If the connection of the frames passes the sound on, no other
    /// one is opened.
    static func open(_ source: SoundSource, deadline: Deadline) throws(SoundTrouble) -> SoundFile {
        let (location, track) = (source.location, source.choice.track)
        // Cameras and displays have no sound, and a sound input is no file.
        if DeviceAddress.isDevice(location) { throw .noTrack(tracks: 0) }
        guard let origin = source.origin, source.isPassedOn else {
            return try SoundFile(SoundDemuxer(location, track, origin: source.origin, deadline: deadline))
        }
        guard let sound = LiveSound.of(location, origin: origin) else {
            throw .source(SourceTrouble(.unreachable, "its connection has ended"))
        }
        return try SoundFile(sound.listen(track, deadline))
    }

    private init(_ packets: any SoundPackets) throws(SoundTrouble) {
        (self.packets, timeline) = (packets, SoundTimeline(packets.format))
        codec = try SoundTrouble.wrapping { () throws(SourceTrouble) in
            let parameters = packets.format.parameters, id = parameters.pointee.codec_id
            guard let codec = avcodec_find_decoder(id) else {
                throw SourceTrouble(.unsupported, "no decoder for its sound: \(String(cString: avcodec_get_name(id)))")
            }
            return try CodecContext(decoding: parameters, by: codec, packets.format.timeBase) {
                $0.pointee.thread_count = 1
            }
        }
    }

    private var decoder: UnsafeMutablePointer<AVCodecContext> { codec.av }
    private var packet: UnsafeMutablePointer<AVPacket> { spare.packet.av }
    private var frame: UnsafeMutablePointer<AVFrame> { spare.frame.av }
    private var format: SoundFormat { packets.format }
    private var seeking: Source.Seeking { format.seeking }

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
                if let time = timeline.place(frame) { return .frame(frame, at: time) }
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
            packet.removeImplausibleTimes(by: timeline.clock)
            if let skipLimit, packet.pointee.pts != qd_NOPTS,
                packet.pointee.pts.plus(packet.pointee.duration) < skipLimit
            {
                return true
            }
            skipLimit = nil
            if firstStamp == nil { firstStamp = packet.pointee.pts }
            if packet.pointee.pts == firstStamp { timeline.firstPacketCame() }
            _ = avcodec_send_packet(decoder, packet)
        }
        return true
    }

    // MARK: seeking

    /// Decoding begins this much before a wanted frame. Opus needs 80 ms, and MP3 the length of its bit reservoir.
    private static let preroll = Time.milliseconds(250)

    /// Makes `next` return the frames from `time` on, after a few earlier ones. A file that can't be sought goes on
    /// where it is.
    func seek(to time: Time) throws(SourceTrouble) {
        timeline.want(time)
        if state == .atBeginning, time <= SoundFile.preroll || seeking == .impossible { return }
        if state == .running, seeking == .impossible { return }
        // All other frames are counted from the first one, so it must be known.
        if timeline.first == nil { _ = try next() }
        guard seeking == .byTime, time - SoundFile.preroll > timeline.first?.end ?? .zero else { return try rewind() }
        let target = Int128((time - SoundFile.preroll - packets.shift).ticks) + timeline.origin
        guard packets.seek(to: target) else { return try rewind() }
        // The timestamps of a live source may begin again.
        skipLimit = format.isLive ? nil : TimeBase(format.timeBase).stamp(ofExact: target)
        restart(.warming)
    }

    private func rewind() throws(SourceTrouble) {
        if state == .atBeginning { return }
        guard seeking != .impossible else { throw SourceTrouble(.unsupported, "it cannot go back to its beginning") }
        try packets.rewind(to: firstStamp.map { $0 == qd_NOPTS ? 0 : $0 } ?? 0)
        skipLimit = nil
        restart(.landed)
    }

    private func restart(_ arrival: SoundTimeline.Arrival) {
        avcodec_flush_buffers(decoder)
        state = .running
        timeline.restart(arrival, shift: packets.shift)
    }
}
