import Base
import CFFmpeg

/// Converts a stream's timestamps to time since its first frame, and back.
///
/// Converts always from the raw timestamp, by rounding. A timestamp within one tick of a multiple of the frame's length
/// is taken for that multiple, since containers with coarse ticks round.
struct StreamClock {
    let base: TimeBase
    /// Timestamp of the first frame.
    var origin: Int64
    let rate: FrameRate?
    /// Longest plausible distance from one frame to the next.
    let longestStanding: Time

    /// `mayJump`: true if the container's timestamps may restart anywhere.
    init(timeBase: AVRational, origin: Int64, rate: FrameRate?, mayJump: Bool = false) {
        (base, self.origin, self.rate) = (TimeBase(timeBase), origin, rate)
        longestStanding = mayJump ? max(.seconds(5), (rate?.frame ?? .zero) * 4) : .seconds(3600)
    }

    var tick: Time { base.tick }

    /// Ticks of one frame at the stream's rate, at least one.
    var ticksPerFrame: Int64 {
        guard let rate else { return 1 }
        return max(1, base.denominator * Int64(rate.denominator) / (base.numerator * Int64(rate.numerator)))
    }

    /// Ticks of a second, at least one.
    var ticksPerSecond: Int64 { max(1, base.denominator / base.numerator) }

    /// Returns the timestamp, or none if it is implausibly far from the first frame.
    func believed(_ stamp: Int64) -> Int64 { base.time(from: origin, to: stamp) == nil ? qd_NOPTS : stamp }

    /// Returns the stated duration of a packet or frame, in ticks; 0 if missing or implausible.
    func believed(duration: Int64) -> Int64 {
        base.length(duration).map { $0 <= TimeBase.longestFrame } ?? false ? duration : 0
    }

    /// `timestamp`: plausible, or near a plausible one.
    func time(of timestamp: Int64) -> Time {
        let exact = Time(timestamp.minus(origin), ofUnits: base.numerator, over: base.denominator)
        guard let rate else { return exact }
        let multiple = rate.start(of: rate.nearest(to: exact))
        return (multiple - exact).magnitude <= tick ? multiple : exact
    }

    /// Returns the last timestamp that is not after `time`.
    func timestamp(of time: Time) -> Int64 { origin.plus(base.stamp(ofExact: Int128(time.ticks))) }

    /// Largest number of key frames that are listed. A list of more is not needed, since these are close together.
    private static let mostKeyFrames = 50_000

    /// Returns the start of each key frame in the container's index; nil if there are none, or too many. Some
    /// containers list decoding times. The offset of the first key frame corrects all of them.
    func keyFrames(of stream: UnsafeMutablePointer<AVStream>) -> [Time]? {
        let count = avformat_index_get_entries_count(stream)
        guard count > 0, let first = avformat_index_get_entry(stream, 0) else { return nil }
        let ahead = min(0, first.pointee.timestamp.minus(origin))
        var times: [Time] = []
        for place in 0..<count {
            guard let entry = avformat_index_get_entry(stream, place), entry.pointee.flags & AVINDEX_KEYFRAME != 0
            else { continue }
            guard times.count < Self.mostKeyFrames else { return nil }
            times.append(max(.zero, time(of: entry.pointee.timestamp.minus(ahead))))
        }
        return times.isEmpty ? nil : times
    }

    /// Returns the end of a last frame: by its packet's duration, else by the rate, else by the length of the frame
    /// before.
    func end(of timestamp: Int64, duration: Int64, before previous: Time?) -> Time {
        let duration = believed(duration: duration)
        if duration > 0 { return time(of: timestamp.plus(duration)) }
        return time(of: timestamp) + (rate?.frame ?? previous ?? .milliseconds(40))
    }
}

extension UnsafeMutablePointer<AVPacket> {
    /// Removes implausible timestamps and durations from the packet.
    func removeImplausibleTimes(by clock: StreamClock) {
        pointee.pts = clock.believed(pointee.pts)
        pointee.dts = clock.believed(pointee.dts)
        pointee.duration = clock.believed(duration: pointee.duration)
    }
}
