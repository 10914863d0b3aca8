import CFFmpeg
import WallCore

/// Turns a stream's timestamps into time since its first frame, and back.
///
/// Always from the raw timestamp, by rounding. A timestamp within one tick of a multiple of the frame's length
/// is that multiple: containers with coarse ticks round where the film did not.
struct StreamClock {
    let base: TimeBase
    /// The timestamp of the first frame.
    let origin: Int64
    let rate: FrameRate?
    /// No frame is followed by another that is so much later.
    let longestStanding: Time

    /// `mayJump`: the container's stamps may begin anew at any place.
    init(timeBase: AVRational, origin: Int64, rate: FrameRate?, mayJump: Bool = false) {
        (base, self.origin, self.rate) = (TimeBase(timeBase), origin, rate)
        longestStanding = mayJump ? max(.seconds(5), (rate?.frame ?? .zero) * 4) : .seconds(3600)
    }

    var tick: Time { base.tick }

    /// One frame at the stream's rate, at least a tick.
    var ticksPerFrame: Int64 {
        guard let rate else { return 1 }
        return max(1, base.denominator * Int64(rate.denominator) / (base.numerator * Int64(rate.numerator)))
    }

    /// How many ticks there are in a second, at least one.
    var ticksPerSecond: Int64 { max(1, base.denominator / base.numerator) }

    /// The timestamp, or none where it lies too far from the first frame to be believed.
    func believed(_ stamp: Int64) -> Int64 { base.time(from: origin, to: stamp) == nil ? qd_NOPTS : stamp }

    /// How long a packet or frame says that it lasts, in ticks; 0 where it does not, or can't be believed.
    func believed(duration: Int64) -> Int64 {
        base.length(duration).map { $0 <= TimeBase.longestFrame } ?? false ? duration : 0
    }

    /// `timestamp` is one that is believed, or near one.
    func time(of timestamp: Int64) -> Time {
        let exact = Time(timestamp.minus(origin), ofUnits: base.numerator, over: base.denominator)
        guard let rate else { return exact }
        let multiple = rate.start(of: rate.nearest(to: exact))
        return (multiple - exact).magnitude <= tick ? multiple : exact
    }

    /// The last timestamp that is not after `time`.
    func timestamp(of time: Time) -> Int64 { origin.plus(base.stamp(ofExact: Int128(time.ticks))) }

    /// With more key frames than this, each is near the next.
    private static let mostKeyFrames = 50_000

    /// When the key frames begin that the container's index names; nil: it names none, or too many. Some containers
    /// name their decoding times, which differ from the others as much as the first one does.
    func keyFrames(of stream: UnsafeMutablePointer<AVStream>) -> [Time]? {
        let count = avformat_index_get_entries_count(stream)
        guard count > 0, let first = avformat_index_get_entry(stream, 0) else { return nil }
        let ahead = min(0, first.pointee.timestamp.minus(origin))
        var times: [Time] = []
        for place in 0..<count {
            guard let entry = avformat_index_get_entry(stream, place), entry.pointee.flags & AVINDEX_KEYFRAME != 0
            else {
                continue
            }
            guard times.count < Self.mostKeyFrames else { return nil }
            times.append(max(.zero, time(of: entry.pointee.timestamp.minus(ahead))))
        }
        return times.isEmpty ? nil : times
    }

    /// The end of a last frame: by its packet's duration, else by the rate, else as long as the one before.
    func end(of timestamp: Int64, duration: Int64, before previous: Time?) -> Time {
        let duration = believed(duration: duration)
        if duration > 0 { return time(of: timestamp.plus(duration)) }
        return time(of: timestamp) + (rate?.frame ?? previous ?? .milliseconds(40))
    }
}

extension UnsafeMutablePointer<AVPacket> {
    /// What of its stamps can't be believed is taken away, as if it had never been said.
    func doubt(by clock: StreamClock) {
        pointee.pts = clock.believed(pointee.pts)
        pointee.dts = clock.believed(pointee.dts)
        pointee.duration = clock.believed(duration: pointee.duration)
    }
}
