import Base
import CFFmpeg
import Heard

/// A source's sound track, decoded, on the sample grid. Sample `n` is heard n/48000 s after the file's first frame, or
/// after its first sample if it has no video. A seek does not change that. Samples are trimmed as the file specifies.
///
/// Owned by one thread at a time. Closes in deinit. Every call may block, on a network at most until its deadline.
public final class SoundReader: SoundSamples {
    public var trackCount: Int { format.trackCount }
    /// One past the last sample: exact once the file has been read to its end.
    public private(set) var end: Int64?
    private let packets: any SoundPackets
    private let codec: CodecContext
    private let converter: SoundConverter
    private let spare = (packet: Packet(), frame: CodecFrame())
    private var timeline: SoundTimeline
    /// Timestamp of the first packet; nil until it came.
    private var firstStamp: Int64?
    private var state = State.atBeginning
    /// Packets that end before this timestamp are not decoded.
    private var skipLimit: Int64?
    /// Samples before this one are not wanted.
    private var wanted: Int64 = 0
    /// The grid's sample that the converter returns next; nil until the next frame determines it.
    private var position: Int64?

    private enum State { case atBeginning, running, draining, ended }

    /// Interleaved stereo.
    public struct Block {
        public var start: Int64
        public var samples: [Float]
        public var count: Int { samples.count / 2 }
        public var end: Int64 { start + Int64(count) }
    }

    public enum Step {
        case block(Block)
        /// No samples yet: a live source has sent no more.
        case nothing
        case end
    }

    /// Opens the file and the decoder of the chosen track. If the connection of the frames passes the sound on, no
    /// other one is opened.
    public static func open(_ source: SoundSource, deadline: Deadline) throws(SoundCondition) -> SoundReader {
        let (location, track) = (source.location, source.choice.track)
        // Cameras and displays have no sound, and a sound input is no file.
        if DeviceAddress.isDevice(location) { throw .soundless }
        guard let origin = source.origin, source.isPassedOn else {
            return try SoundReader(SoundDemuxer(location, track, origin: source.origin, deadline: deadline), source)
        }
        guard let sound = LiveSound.of(location, origin: origin) else {
            throw .failed(source: location, SourceTrouble(.unreachable, "its connection has ended"))
        }
        return try SoundReader(sound.listen(track), source)
    }

    private init(_ packets: any SoundPackets, _ source: SoundSource) throws(SoundCondition) {
        (self.packets, timeline) = (packets, SoundTimeline(packets.format))
        converter = SoundConverter(channel: source.choice.channel)
        end = packets.format.exactEnd.map(SoundGrid.sample)
        codec = try SoundCondition.wrapping(source.location) { () throws(SourceTrouble) in
            try CodecContext(decoding: "sound", packets.format.parameters, packets.format.timeBase) {
                $0.pointee.thread_count = 1
            }
        }
    }

    private var decoder: UnsafeMutablePointer<AVCodecContext> { codec.av }
    private var packet: UnsafeMutablePointer<AVPacket> { spare.packet.av }
    private var frame: UnsafeMutablePointer<AVFrame> { spare.frame.av }
    private var format: SoundFormat { packets.format }
    var hasMended: Bool { converter.hasMended }
    var isStale: Bool { packets.isStale }

    // MARK: samples

    public func next() throws(SourceTrouble) -> Step {
        while state != .ended {
            var samples: [Float] = []
            if let time = try decode() {
                guard place(at: time) else { continue }
                converter.convert(frame, into: &samples)
            } else {
                guard state == .ended else { return .nothing }
                converter.convert(nil, into: &samples)
            }
            if let block = take(samples) { return .block(block) }
            // Frames before the wanted one are no sound. The caller notices if a live source sends no others.
            if format.isLive, state != .ended { return .nothing }
        }
        return .end
    }

    /// Determines the place of the frame. Returns false if no part of the frame is used.
    ///
    /// If the file has another rate, a new start is put on a sample of the file that coincides with one of the grid.
    /// Samples are counted from the file's first, so every seek gives the same samples.
    private func place(at time: Time) -> Bool {
        let start = SoundGrid.sample(at: time)
        if let position, abs(start - position) <= SoundReader.slack { return true }
        converter.restart()
        position = nil
        let rate = Int64(frame.pointee.sample_rate)
        let period = rate / av_gcd(rate, Int64(SoundGrid.rate))
        let first = timeline.first?.start ?? time
        let index = Int64(
            clamping: quotient(Int128((time - first).ticks) * Int128(rate), over: Int128(Time.ticksPerSecond)))
        let surplus = (period - index % period) % period
        guard surplus < Int64(frame.pointee.nb_samples) else { return false }
        if surplus > 0 { qd_leave_out(frame, Int32(surplus)) }
        position = SoundGrid.sample(at: first) + (index + surplus) / period * (period * Int64(SoundGrid.rate) / rate)
        return true
    }

    /// Number of samples that the converter may hold back.
    private static let slack: Int64 = 480

    /// Places the converted samples and removes the unwanted ones.
    private func take(_ samples: [Float]) -> Block? {
        guard let start = position else { return nil }
        var block = Block(start: start, samples: samples)
        position = block.end
        if state == .ended, format.exactEnd == nil { end = block.end }
        if let end, block.end > end { block.samples.removeLast(min(samples.count, Int(block.end - end) * 2)) }
        if block.start < wanted {
            let cut = min(Int(wanted - block.start), block.count)
            block.samples.removeFirst(cut * 2)
            block.start += Int64(cut)
        }
        return block.samples.isEmpty ? nil : block
    }

    // MARK: frames

    /// Decodes the next frame into `frame`, and returns its time. Data that can't be decoded is left out. nil if the
    /// sound has ended, or if a live source has sent no more.
    private func decode() throws(SourceTrouble) -> Time? {
        while true {
            let status = avcodec_receive_frame(decoder, frame)
            if status >= 0 {
                if let time = timeline.place(frame) { return time }
                continue
            }
            if status == qd_EOF { state = .ended }
            if state == .ended { return nil }
            if state == .draining { continue }
            if try !feed() { return nil }
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

    /// The next block begins at `sample`, or later where the sound does. A file that can't be sought goes on where it
    /// is. `ahead` is not used for files.
    public func seek(to sample: Int64, heardIn ahead: Int64 = 0) throws(SourceTrouble) {
        let time = SoundGrid.time(of: max(0, sample)), seeking = format.seeking
        (wanted, position) = (sample, nil)
        converter.restart()
        timeline.want(time)
        if state == .atBeginning, time <= SoundReader.preroll || seeking == .impossible { return }
        if state == .running, seeking == .impossible { return }
        // All other frames are counted from the first one, so it must be known.
        if timeline.first == nil { _ = try decode() }
        guard seeking == .byTime, time - SoundReader.preroll > timeline.first?.end ?? .zero else { return try rewind() }
        let target = Int128((time - SoundReader.preroll - packets.shift).ticks) + timeline.origin
        guard packets.seek(to: target) else { return try rewind() }
        // The timestamps of a live source may begin again.
        skipLimit = format.isLive ? nil : TimeBase(format.timeBase).stamp(ofExact: target)
        restart(.warming)
    }

    private func rewind() throws(SourceTrouble) {
        if state == .atBeginning { return }
        if format.seeking == .impossible { throw SourceTrouble(.unsupported, "it cannot go back to its beginning") }
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

/// Source of a voice's samples: a file or a sound input. Owned by one thread at a time.
protocol SoundSamples: AnyObject {
    var trackCount: Int { get }
    /// One past the last sample; nil if it is unknown, or if there is none.
    var end: Int64? { get }
    /// True once samples were no numbers or absurd, and were replaced or limited.
    var hasMended: Bool { get }
    /// True if nothing was read for so long that it must be opened anew.
    var isStale: Bool { get }

    /// The next block begins at `sample`, or later where the sound does. `ahead`: number of samples until it is heard.
    func seek(to sample: Int64, heardIn ahead: Int64) throws(SourceTrouble)
    func next() throws(SourceTrouble) -> SoundReader.Step
}
