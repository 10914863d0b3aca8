import Base
import CFFmpeg

/// A decoded frame with its timestamp and start.
struct Timed {
    let codecFrame: CodecFrame
    /// Timestamp in the stream's ticks.
    let timestamp: Int64
    /// Duration of its packet, in the stream's ticks; 0 if unknown.
    let duration: Int64
    var start: Time
}

/// Assigns rising times to frames as they come out of a decoder, from a seek on.
struct TimestampRepair {
    private let clock: StreamClock
    /// Ticks added to the stream's timestamps since they jumped.
    private(set) var shift: Int64 = 0
    /// Value of `shift` before the last jump.
    private var former: Int64?
    private var last: (timestamp: Int64, duration: Int64, start: Time)?
    private(set) var hasJumped = false

    init(clock: StreamClock) { self.clock = clock }

    mutating func stamp(_ codecFrame: CodecFrame) -> Timed {
        let duration = clock.believed(duration: qd_frame_duration(codecFrame.av))
        let timestamp = rising(
            clock.believed(codecFrame.av.pointee.best_effort_timestamp), isKey: qd_is_key_frame(codecFrame.av) != 0)
        var start = clock.time(of: timestamp)
        if let last { start = max(start, last.start + Time(ticks: 1)) }
        last = (timestamp, duration, start)
        return Timed(codecFrame: codecFrame, timestamp: timestamp, duration: duration, start: start)
    }

    private mutating func rising(_ stamp: Int64, isKey: Bool) -> Int64 {
        guard let last else { return stamp == qd_NOPTS ? clock.origin : stamp }
        let following = last.timestamp.plus(last.duration > 0 ? last.duration : clock.ticksPerFrame)
        guard stamp != qd_NOPTS else { return following }
        // Only one timestamp was wrong: the timestamps after it continue those before it.
        if let former, abs(stamp.plus(former).minus(following)) <= clock.ticksPerSecond / 5,
            stamp.plus(former) > last.timestamp, stamp.plus(shift).minus(following) > clock.ticksPerSecond / 5
        {
            (shift, self.former) = (former, nil)
        }
        let shifted = stamp.plus(shift), ahead = shifted.minus(last.timestamp)
        // A timestamp far ahead is wrong. A timestamp further back than reordered frames begins another film in the
        // same stream. In both cases time continues from the last timestamp.
        let isAstray = ahead > clock.base.stamp(ofExact: Int128(clock.longestStanding.ticks))
        // If a frame lasts at least 8 ticks, a step of one tick is a repeated timestamp.
        if ahead > (clock.ticksPerFrame >= 8 ? 1 : 0), !isAstray { return shifted }
        guard isAstray || ahead < -farBack(isKey) else {
            // A timestamp that repeats, or lies a little back, is no use. A step of less than a frame lets later
            // timestamps catch up. Muxers write one tick more instead of repeating a timestamp.
            return last.timestamp.plus(max(1, clock.ticksPerFrame * 3 / 4))
        }
        (former, shift, hasJumped) = (shift, following.minus(stamp), true)
        return following
    }

    /// Largest step back, in ticks, that is no jump. Timestamps in decoding order are out of order by some frames, but
    /// not around a key frame.
    private func farBack(_ isKey: Bool) -> Int64 {
        let frame = clock.rate == nil ? max(1, clock.ticksPerSecond / 25) : clock.ticksPerFrame
        return frame.multipliedReportingOverflow(by: isKey ? 2 : 4).partialValue
    }
}

/// Position at which a reader left its source and its decoder. A reader of the same source that wants a later frame may
/// go on from there without a seek.
struct ResumePoint {
    weak var source: Source?
    /// The source's `moves`.
    let moves: Int
    /// In order: the frame handed out last, and those decoded but not handed out.
    let frames: [Timed]
    let timestamps: TimestampRepair
    let reach: Reach

    /// State after the last of `frames`.
    enum Reach { case decodesOn, drained(end: Time) }

    /// Returns true if `source` is the same and was not moved since.
    func holds(in source: Source) -> Bool { self.source === source && source.moves == moves }
}
