import CFFmpeg
import WallCore

/// A decoded picture with its place in time.
struct Timed {
    let frame: Frame
    /// In the stream's ticks.
    let timestamp: Int64
    /// Its packet's, in the stream's ticks; 0 where nobody says.
    let duration: Int64
    var start: Time
}

/// Gives pictures their time as they come out of a decoder, always rising.
struct TimestampRepair {
    private let clock: StreamClock
    /// Added to what the stream says, since it jumped.
    private var shift: Int64 = 0
    private var last: (timestamp: Int64, duration: Int64, start: Time)?

    /// No picture is followed by another that is so much later.
    private static let longestStanding = Time.seconds(3600)

    init(clock: StreamClock) { self.clock = clock }

    /// After a seek.
    mutating func restart() { (shift, last) = (0, nil) }

    mutating func stamp(_ frame: Frame) -> Timed {
        let duration = clock.believed(duration: qd_frame_duration(frame.av))
        let timestamp = rising(clock.believed(frame.av.pointee.best_effort_timestamp))
        var start = clock.time(of: timestamp)
        if let last { start = max(start, last.start + Time(ticks: 1)) }
        last = (timestamp, duration, start)
        return Timed(frame: frame, timestamp: timestamp, duration: duration, start: start)
    }

    private mutating func rising(_ stamp: Int64) -> Int64 {
        guard let last else { return stamp == qd_NOPTS ? clock.origin : stamp }
        let following = last.timestamp.plus(last.duration > 0 ? last.duration : clock.ticksPerPicture)
        guard stamp != qd_NOPTS else { return following }
        let shifted = stamp.plus(shift), ahead = shifted.minus(last.timestamp)
        // Far ahead the stamp is wrong; far back another film begins in the same stream: both are counted on from here.
        // A little back it is no use.
        let isAstray = ahead > clock.base.stamp(ofExact: Int128(TimestampRepair.longestStanding.ticks))
        if ahead > 0, !isAstray { return shifted }
        guard isAstray || ahead < -clock.ticksPerSecond else { return last.timestamp.plus(1) }
        shift = following.minus(stamp)
        return following
    }
}
