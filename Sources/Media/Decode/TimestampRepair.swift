import CFFmpeg
import WallCore

/// A decoded frame with its place in time.
struct Timed {
    let codecFrame: CodecFrame
    /// In the stream's ticks.
    let timestamp: Int64
    /// Its packet's, in the stream's ticks; 0 where nobody says.
    let duration: Int64
    var start: Time
}

/// Gives frames their time as they come out of a decoder, always rising.
struct TimestampRepair {
    private let clock: StreamClock
    /// Added to what the stream says, since it jumped.
    private var shift: Int64 = 0
    /// Before it jumped last.
    private var former: Int64?
    private var last: (timestamp: Int64, duration: Int64, start: Time)?
    private(set) var hasJumped = false

    init(clock: StreamClock) { self.clock = clock }

    /// After a seek.
    mutating func restart() { (shift, former, last, hasJumped) = (0, nil, nil, false) }

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
        // Only one stamp was wrong: those after it go on where those before it ended.
        if let former, abs(stamp.plus(former).minus(following)) <= clock.ticksPerSecond / 5,
            stamp.plus(former) > last.timestamp, stamp.plus(shift).minus(following) > clock.ticksPerSecond / 5
        {
            (shift, self.former) = (former, nil)
        }
        let shifted = stamp.plus(shift), ahead = shifted.minus(last.timestamp)
        // Far ahead the stamp is wrong; further back than frames lie out of order another film begins in the same
        // stream: both are counted on from here.
        let isAstray = ahead > clock.base.stamp(ofExact: Int128(clock.longestStanding.ticks))
        if ahead > (isTooFine ? 1 : 0), !isAstray { return shifted }
        guard isAstray || ahead < -farBack(isKey) else {
            // A stamp that repeats, or lies a little back, is no use. What is a little less than a frame lets later
            // stamps catch up. Muxers write a tick more instead of the same once more.
            return last.timestamp.plus(max(1, clock.ticksPerFrame * 3 / 4))
        }
        (former, shift, hasJumped) = (shift, following.minus(stamp), true)
        return following
    }

    /// No two frames are only a tick apart.
    private var isTooFine: Bool { clock.ticksPerFrame >= 8 }

    /// Stamps that stand for the order of decoding are out of order by some frames, but not around a key frame.
    private func farBack(_ isKey: Bool) -> Int64 {
        let frame = clock.rate == nil ? max(1, clock.ticksPerSecond / 25) : clock.ticksPerFrame
        return frame.multipliedReportingOverflow(by: isKey ? 2 : 4).partialValue
    }
}
