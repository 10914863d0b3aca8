import Base
import CFFmpeg
import Heard
import Threads

/// The sound of a source that can be read only once: the demuxer of its frames passes the sound packets on.
///
/// A `Source` sends on its current thread. Each voice listens on its own. Packets that are not read in time are
/// dropped.
final class LiveSound: Sendable {
    /// Open connections, newest last. Servers that start at 0 for each client make several of one key.
    private static let connections = Locked<[LiveSound]>([])
    /// The facts by which a voice identifies a connection.
    private let key: (location: String, origin: Int128)
    fileprivate let tracks: [Track]
    fileprivate let state = Locked(State())

    /// One track. Outlives its demuxer.
    fileprivate final class Track: @unchecked Sendable {
        let index: Int32
        let language: String?
        let format: SoundFormat
        private let parameters: CodecParameters

        init(_ stream: UnsafeMutablePointer<AVStream>, _ origin: Int128, of count: Int, longestGap: Time) {
            (index, language) = (stream.pointee.index, Media.language(of: stream))
            parameters = CodecParameters(of: stream)
            format = SoundFormat(
                parameters: UnsafePointer(parameters.av), timeBase: stream.pointee.time_base, origin: origin,
                seeking: .byTime, trackCount: count, hasFrames: true, isMatroska: false, longestGap: longestGap,
                isLive: true, wrap: SoundFormat.wrap(of: stream))
        }

        var base: TimeBase { TimeBase(format.timeBase) }
    }

    fileprivate struct State {
        /// In order of arrival. The first has the number `dropped`.
        var packets: [Packet] = []
        var dropped = 0
        var bytes = 0
        var hasEnded = false
        /// Timestamp of the last video packet, on the container's timeline.
        var frame: Int128?
        var lag = SoundLag()
        /// Time added to the timestamps of the frames since they jumped.
        var shift = Time.zero
    }

    /// Bounds of the queue: about ten seconds, or less if packets are large.
    private static let mostPackets = 512
    private static let mostBytes = 2 << 20

    /// Makes the demuxer return the packets of these streams, too.
    init(of streams: [UnsafeMutablePointer<AVStream>], _ location: String, _ clock: StreamClock) {
        let origin = clock.base.exact(clock.origin)
        key = (location, origin)
        tracks = streams.map { Track($0, origin, of: streams.count, longestGap: clock.longestStanding) }
        for stream in streams { stream.pointee.discard = AVDISCARD_DEFAULT }
        Self.connections.locked { $0.append(self) }
    }

    /// Delay of the sound packets relative to the frames of the same time. Muxers collect sound before they write it.
    var lag: Time { state.locked(\.lag.lasting) }

    /// Notes the timestamp of a video packet of the same source.
    func noteFrame(_ packet: UnsafeMutablePointer<AVPacket>, _ clock: StreamClock) {
        guard packet.pointee.dts != qd_NOPTS else { return }
        let instant = clock.base.exact(packet.pointee.dts)
        state.locked { $0.frame = instant }
    }

    /// Notes the time added to the timestamps of the source's frames since they jumped.
    func note(shift: Time) { state.locked { $0.shift = shift } }

    /// Queues a packet if it belongs to one of the sound tracks.
    func send(_ packet: UnsafeMutablePointer<AVPacket>) {
        guard let track = tracks.first(where: { $0.index == packet.pointee.stream_index }) else { return }
        let copy = Packet()
        guard av_packet_ref(copy.av, packet) >= 0 else { return }
        let stamp = packet.pointee.pts
        let instant = stamp == qd_NOPTS ? nil : track.base.exact(stamp)
        state.change { state in
            if let instant, let frame = state.frame {
                state.lag.note(Time(clamping: frame - instant), at: frame)
            }
            state.packets.append(copy)
            state.bytes += Int(copy.av.pointee.size)
            while state.packets.count > Self.mostPackets || state.bytes > Self.mostBytes {
                state.bytes -= Int(state.packets.removeFirst().av.pointee.size)
                state.dropped += 1
            }
        }
    }

    /// Ends the stream. Listeners still read the queued packets.
    func end() {
        Self.connections.locked { $0.removeAll { $0 === self } }
        state.change { $0.hasEnded = true }
    }

    /// Returns the sound of a connection; nil if the connection has ended. `origin`: timestamp that its frames are
    /// counted from.
    static func of(_ location: String, origin: Int128) -> LiveSound? {
        connections.locked { $0.last { $0.key == (location, origin) } }
    }

    /// True if the connection has ended and a newer one has the same key.
    fileprivate var isReplaced: Bool {
        guard state.locked(\.hasEnded) else { return false }
        return Self.connections.locked { $0.contains { $0.key == key } }
    }

    func listen(_ choice: SoundChoice.Track) throws(SoundCondition) -> SoundPackets {
        guard let place = choice.place(among: tracks.map(\.language)) else { throw .lacking(of: tracks.count) }
        return Listener(to: self, tracks[place])
    }
}

/// One track of a `LiveSound`, read by one voice.
private final class Listener: SoundPackets {
    private let sound: LiveSound
    private let track: LiveSound.Track
    /// Number of the packet that is examined next.
    private var next = 0

    /// True if the last call of `read` returned nothing.
    private var isDry = false

    /// Longest wait of `read` in nanoseconds. A voice retries about as often when nothing comes.
    private static let patience: Int64 = 100_000_000

    init(to sound: LiveSound, _ track: LiveSound.Track) { (self.sound, self.track) = (sound, track) }

    var format: SoundFormat { track.format }
    var shift: Time { sound.state.locked(\.shift) }
    /// The queue is read on from any place, but after a reconnection nothing follows in it.
    var isStale: Bool { sound.isReplaced }

    func read(into packet: UnsafeMutablePointer<AVPacket>) -> SoundReading {
        let until = isDry ? monotonicNanoseconds() + Self.patience : 0
        let found = sound.state.wait(by: until) { state -> SoundReading? in
            next = max(next, state.dropped)
            while next < state.dropped + state.packets.count {
                let candidate = state.packets[next - state.dropped].av
                next += 1
                guard candidate.pointee.stream_index == track.index else { continue }
                return av_packet_ref(packet, candidate) >= 0 ? .packet : .nothing
            }
            return state.hasEnded ? .end : nil
        }
        let reading = found ?? .nothing
        isDry = reading == .nothing
        return reading
    }

    /// Seeks back as far as packets are queued.
    func seek(to instant: Int128) -> Bool {
        let stamp = track.base.stamp(ofExact: instant)
        next = sound.state.locked { state in
            let place = state.packets.map(\.av.pointee).firstIndex {
                $0.stream_index == track.index && $0.pts != qd_NOPTS && $0.pts.plus($0.duration) > stamp
            }
            return state.dropped + (place ?? state.packets.count)
        }
        return true
    }

    func rewind(to first: Int64) { next = 0 }
}

/// Delay of a source's sound packets relative to its frames. The first delay counts at once, so that the frames wait for
/// their sound before the first of them is shown. Later single delays, and a first one that is unusually long, do not
/// count. Not thread-safe.
struct SoundLag {
    /// The first delay, or the longest one that came in two windows in a row. Never falls.
    private(set) var lasting = Time.zero
    /// Longest delay of the present window, and its beginning in the time of the frames.
    private var present: (begin: Int128, longest: Time)?
    /// Longest delay of the window before.
    private var former: Time?
    /// Longer than the time of sound that muxers collect.
    private static let window = Int128(Time.milliseconds(500).ticks)
    /// Longest first delay that counts.
    private static let mostAtFirst = Time.milliseconds(400)

    /// `frame`: time of the newest frame.
    mutating func note(_ lag: Time, at frame: Int128) {
        if let (begin, longest) = present, (begin..<begin + Self.window).contains(frame) {
            present = (begin, max(longest, lag))
            return
        }
        if let longest = present?.longest {
            if let former { lasting = max(lasting, min(former, longest)) }
            former = longest
        }
        if present == nil, lag <= Self.mostAtFirst { lasting = max(lasting, lag) }
        present = (frame, lag)
    }
}
