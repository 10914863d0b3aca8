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
struct Stamper {
    private let clock: StreamClock
    /// Added to what the stream says, since it jumped back.
    private var shift: Int64 = 0
    private var last: (timestamp: Int64, duration: Int64, start: Time)?

    init(clock: StreamClock) { self.clock = clock }

    /// After a seek.
    mutating func restart() { (shift, last) = (0, nil) }

    mutating func stamp(_ frame: Frame) -> Timed {
        let duration = max(0, qd_frame_duration(frame.av))
        let timestamp = rising(frame.av.pointee.best_effort_timestamp)
        var start = clock.time(of: timestamp)
        if let last { start = max(start, last.start + Time(ticks: 1)) }
        last = (timestamp, duration, start)
        return Timed(frame: frame, timestamp: timestamp, duration: duration, start: start)
    }

    private mutating func rising(_ stamp: Int64) -> Int64 {
        guard let last else { return stamp == qd_NOPTS ? clock.origin : stamp }
        let following = last.timestamp + (last.duration > 0 ? last.duration : clock.ticksPerPicture)
        guard stamp != qd_NOPTS else { return following }
        let shifted = stamp + shift
        if shifted > last.timestamp { return shifted }
        // A long way back: another film begins in the same stream. A short one: a stamp that is no use.
        guard last.timestamp - shifted > clock.denominator / clock.numerator else { return last.timestamp + 1 }
        shift = following - stamp
        return following
    }
}
