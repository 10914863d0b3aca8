import Base
import CFFmpeg

/// Exact times of a sound track's frames, counted where the container's ticks are coarse. Used by the thread of its
/// file.
struct SoundTimeline {
    private let format: SoundFormat
    private let base: TimeBase
    /// Zero of the file's time, as in `SoundFormat`.
    private(set) var origin: Int128
    /// The first frame of the file, in time since `origin`. All other frames are counted from its end.
    private(set) var first: (start: Time, end: Time)?
    private var arrival = Arrival.atFirst
    /// End of the previous frame, where the next one begins if there is no gap.
    private var expected: Time?
    /// Time added to the stream's timestamps since they jumped.
    private var shift = Time.zero
    /// `shift` before it was guessed from a live frame that was far off; nil if it was not.
    private var certainShift: Time?
    /// Time from which frames are wanted.
    private var wanted = Time.zero

    /// Kind of the next frame.
    enum Arrival {
        case atFirst
        /// The first frame after a seek: it only warms up the decoder.
        case warming
        case landed, following
    }

    private static let farBack = Time.milliseconds(500)
    /// A live frame further than this from the wanted one has a timestamp that jumped while nothing was read.
    private static let farOff = Time.seconds(60)

    init(_ format: SoundFormat) { (self.format, base, origin) = (format, TimeBase(format.timeBase), format.origin) }

    /// Clock by which implausible timestamps are found.
    var clock: StreamClock { StreamClock(timeBase: format.timeBase, origin: base.stamp(ofExact: origin), rate: nil) }

    /// The next frames come from another place. `shift`: time added to the timestamps of the source's frames.
    mutating func restart(_ arrival: Arrival, shift: Time) {
        (expected, self.shift, certainShift, self.arrival) = (nil, shift, nil, arrival)
    }

    /// Frames are wanted from `time` on. A source that can't be sought goes on where it is, perhaps after a gap.
    mutating func want(_ time: Time) {
        wanted = time
        if expected != nil { (expected, arrival) = (nil, .landed) }
    }

    /// Notes that the first packet of the file came again.
    mutating func firstPacketCame() { if case .landed = arrival { arrival = .atFirst } }

    /// Returns the frame's start, exact where the container's ticks are coarse; nil if the frame is not used.
    mutating func place(_ frame: UnsafeMutablePointer<AVFrame>) -> Time? {
        let rate = Int64(frame.pointee.sample_rate)
        guard rate > 0, frame.pointee.nb_samples > 0 else { return nil }
        let length = Time(Int64(frame.pointee.nb_samples), ofUnits: 1, over: rate)
        let tick = base.tick
        let stamp = frame.pointee.best_effort_timestamp
        let placed = stamp == qd_NOPTS ? nil : Time(clamping: base.exact(stamp) - origin)
        if let placed, format.isLive, expected == nil { align(placed) }
        let stamped = placed.map { $0 + shift }
        var start = stamped ?? expected ?? .zero
        switch arrival {
        case .warming:
            arrival = .landed
            return nil
        case .atFirst:
            // The first frame ends where it ended the first time, however much of it was trimmed now.
            if let first { start = first.end - length }
        case .landed:
            start = snapped(start, length, of: frame.pointee)
        case .following:
            // Consecutive frames are counted. Only a difference beyond rounding is a gap.
            let slack = max(tick * 2, .milliseconds(2))
            if let expected, (expected - start).magnitude <= slack {
                start = expected
            } else if let expected, case let due = format.isLive ? max(expected, wanted) : expected,
                start > due + format.longestGap || start < expected - Self.farBack
            {
                start = jumped(from: start, to: due)
            }
        }
        arrival = .following
        if first == nil {
            if isShiftedByDelay(start, tick) {
                origin += Int128(start.ticks)
                start = .zero
            }
            first = (start, start + length)
        }
        expected = start + length
        return start
    }

    /// Corrects `shift` for a live source whose timestamps began again while its sound was not read.
    private mutating func align(_ placed: Time) {
        var distance = placed + shift - wanted
        if let wrap = format.wrap, distance.magnitude > wrap / 2 {
            let turns = (distance.ticks + distance.ticks.signum() * wrap.ticks / 2) / wrap.ticks
            shift -= wrap * turns
            distance -= wrap * turns
        }
        guard distance.magnitude > Self.farOff else { return }
        certainShift = shift
        shift -= distance
    }

    /// Another film begins in the same stream. Its sound is counted on from `due`, as its video frames are. Returns the
    /// frame's start.
    private mutating func jumped(from start: Time, to due: Time) -> Time {
        // A frame that was far off was an old one: it had waited in the system.
        if let certainShift, case let certain = start - shift + certainShift, certain >= due - Self.farOff,
            certain <= due + format.longestGap
        {
            (shift, self.certainShift) = (certainShift, nil)
            return certain
        }
        shift += due - start
        return due
    }

    /// FFmpeg's Matroska muxer up to version 6 shifts the video by the codec's delay, but not the sound.
    private func isShiftedByDelay(_ start: Time, _ tick: Time) -> Bool {
        let parameters = format.parameters.pointee
        let padding = Int64(parameters.initial_padding)
        guard format.isMatroska, format.hasFrames, padding > 0 else { return false }
        let delay = Time(padding, ofUnits: 1, over: Int64(max(1, parameters.sample_rate)))
        let isFrameMoved = (format.origin - Int128(delay.ticks)).magnitude <= tick.ticks.magnitude
        return isFrameMoved && (start + delay).magnitude <= tick
    }

    /// Undoes the rounding of timestamps whose ticks are coarser than samples: returns the nearest multiple of the
    /// frame length, counted from the end of the first frame. A timestamp that is more than a tick away from that
    /// multiple is returned as it is.
    private func snapped(_ stamped: Time, _ length: Time, of frame: AVFrame) -> Time {
        let rate = Int64(frame.sample_rate), count = Int64(frame.nb_samples), tick = base.tick
        guard let first, tick * rate > .seconds(1) else { return stamped }
        let frames = (stamped - first.end + length / 2).ticks / max(1, length.ticks)
        let multiple =
            first.end + Time(frames.multipliedReportingOverflow(by: count).partialValue, ofUnits: 1, over: rate)
        return (multiple - stamped).magnitude <= tick ? multiple : stamped
    }
}
