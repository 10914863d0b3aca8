import CFFmpeg
import WallCore

/// The end of the last picture, from the packets after the last key picture; nil if there are none with a timestamp.
/// Leaves the container wherever that took it.
func learnedEnd(of survey: Survey, in context: UnsafeMutablePointer<AVFormatContext>) -> Time? {
    guard let video = survey.video, let packet = av_packet_alloc() else { return nil }
    defer {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }
    let clock = survey.clock
    let duration = context.pointee.duration
    guard duration != qd_NOPTS, duration > 0 else { return nil }
    var length = Time(duration, ofUnits: 1, over: Int64(AV_TIME_BASE))
    if context.pointee.start_time != qd_NOPTS {
        // The container's beginning may be its sound's.
        let begin = Time(context.pointee.start_time, ofUnits: 1, over: Int64(AV_TIME_BASE))
        length += begin - Time(clock.origin, ofUnits: clock.numerator, over: clock.denominator)
    }
    var stepBack = Time.seconds(1)
    while true {
        let target = max(.zero, length - stepBack)
        guard av_seek_frame(context, video.pointee.index, clock.timestamp(of: target), AVSEEK_FLAG_BACKWARD) >= 0 else {
            return nil
        }
        if let end = lastEnd(video.pointee.index, clock, context, packet) { return end }
        if target == .zero { return nil }
        stepBack = stepBack * 4
    }
}

private func lastEnd(
    _ index: Int32, _ clock: StreamClock, _ context: UnsafeMutablePointer<AVFormatContext>,
    _ packet: UnsafeMutablePointer<AVPacket>
) -> Time? {
    var last: (timestamp: Int64, duration: Int64)?
    var before: Int64?
    while av_read_frame(context, packet) >= 0 {
        defer { av_packet_unref(packet) }
        guard packet.pointee.stream_index == index, packet.pointee.flags & AV_PKT_FLAG_DISCARD == 0 else { continue }
        let timestamp = packet.pointee.pts == qd_NOPTS ? packet.pointee.dts : packet.pointee.pts
        guard timestamp != qd_NOPTS else { continue }
        if timestamp > last?.timestamp ?? .min {
            before = last?.timestamp
            last = (timestamp, packet.pointee.duration)
        } else if timestamp > before ?? .min {
            before = timestamp
        }
    }
    guard let last else { return nil }
    let previous = before.map { clock.time(of: last.timestamp) - clock.time(of: $0) }
    return clock.end(of: last.timestamp, duration: last.duration, before: previous)
}

/// The end of what is heard of a source of sound alone, from its first sample on: containers count what encoders put
/// before and after it. nil where no packet has a timestamp. Leaves the container wherever that took it.
func learnedSoundEnd(of survey: Survey, in context: UnsafeMutablePointer<AVFormatContext>) -> Time? {
    guard let stream = survey.sound.first, let packet = av_packet_alloc() else { return nil }
    stream.pointee.discard = AVDISCARD_DEFAULT
    defer {
        stream.pointee.discard = AVDISCARD_ALL
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }
    let base = stream.pointee.time_base
    func time(_ stamp: Int64) -> Time { Time(stamp, ofUnits: Int64(base.num), over: Int64(base.den)) }
    let start = stream.pointee.start_time == qd_NOPTS ? .zero : max(.zero, time(stream.pointee.start_time))
    // FFmpeg dates the packets of Ogg's last page by the page before.
    let target = time(stream.pointee.duration == qd_NOPTS ? 0 : stream.pointee.duration) - .seconds(3)
    if target > .zero {
        let stamp = Int64(Int128(target.ticks) * Int128(base.den) / Int128(Time.ticksPerSecond * Int64(base.num)))
        guard av_seek_frame(context, stream.pointee.index, stamp, AVSEEK_FLAG_BACKWARD) >= 0 else { return nil }
    }
    let rate = Int64(max(1, stream.pointee.codecpar.pointee.sample_rate))
    var end: Time?
    while av_read_frame(context, packet) >= 0 {
        defer { av_packet_unref(packet) }
        guard packet.pointee.stream_index == stream.pointee.index, packet.pointee.pts != qd_NOPTS else { continue }
        let after = Time(skippedSamples(of: packet, in: context).after, ofUnits: 1, over: rate)
        end = time(packet.pointee.pts + packet.pointee.duration) - after
    }
    return end.map { $0 - start }.flatMap { $0 > .zero ? $0 : nil }
}
