import Base
import CFFmpeg

// The end of a file by its last packets.
extension StreamSelection {
    /// Returns the end of the last frame, or of the sound of a source without video. nil if no packet has a timestamp.
    /// Leaves the container at another position.
    func learnedEnd() -> Time? {
        switch kind {
        case .video: video.flatMap(endOfFrames)
        case .sound: sound.first.flatMap(endOfSound)
        case .still: nil
        }
    }

    /// Reads the packets after the last key frame.
    private func endOfFrames(of stream: UnsafeMutablePointer<AVStream>) -> Time? {
        guard var length = TimeBase.microseconds.length(context.pointee.duration) else { return nil }
        if context.pointee.start_time != qd_NOPTS {
            // The container's start may be the start of its sound.
            let begin = TimeBase.microseconds.exact(context.pointee.start_time)
            length += Time(clamping: begin - clock.base.exact(clock.origin))
        }
        var stepBack = Time.seconds(1)
        while true {
            let target = max(.zero, length - stepBack)
            guard seek(stream, to: clock.timestamp(of: target)) else { return nil }
            if let end = lastEnd(of: stream) { return end }
            if target == .zero { return nil }
            stepBack = stepBack * 4
        }
    }

    private func lastEnd(of stream: UnsafeMutablePointer<AVStream>) -> Time? {
        var last: (timestamp: Int64, duration: Int64)?
        var before: Int64?
        readOn(stream, clock) { packet in
            guard packet.pointee.flags & AV_PKT_FLAG_DISCARD == 0, let timestamp = packet.stamp else { return }
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

    /// Returns the end of the audible sound, from its first sample on. A container's own length includes the encoder's
    /// padding before and after the sound.
    private func endOfSound(of stream: UnsafeMutablePointer<AVStream>) -> Time? {
        stream.pointee.discard = AVDISCARD_DEFAULT
        defer { stream.pointee.discard = AVDISCARD_ALL }
        let base = TimeBase(stream.pointee.time_base)
        let start = stream.pointee.start_time == qd_NOPTS ? 0 : max(0, stream.pointee.start_time)
        let clock = StreamClock(timeBase: stream.pointee.time_base, origin: start, rate: nil)
        // FFmpeg derives the timestamps of Ogg's last page from the page before.
        let target = (base.length(stream.pointee.duration) ?? .zero) - .seconds(3)
        if target > .zero, !seek(stream, to: base.stamp(ofExact: Int128(target.ticks))) { return nil }
        let rate = Int64(max(1, stream.pointee.codecpar.pointee.sample_rate))
        var (end, former): (Time?, Int64?)
        readOn(stream, clock) { packet in
            guard packet.pointee.pts != qd_NOPTS else { return }
            let after = Time(skippedSamples(of: packet, in: context, former: former).after, ofUnits: 1, over: rate)
            former = packet.pointee.duration
            end = clock.time(of: packet.pointee.pts.plus(packet.pointee.duration)) - after
        }
        return end.flatMap { $0 > .zero ? $0 : nil }
    }

    private func seek(_ stream: UnsafeMutablePointer<AVStream>, to timestamp: Int64) -> Bool {
        av_seek_frame(context, stream.pointee.index, timestamp, AVSEEK_FLAG_BACKWARD) >= 0
    }

    /// Reads the packets of a stream to the end of the file.
    private func readOn(
        _ stream: UnsafeMutablePointer<AVStream>, _ clock: StreamClock, _ take: (UnsafeMutablePointer<AVPacket>) -> Void
    ) {
        let packet = Packet()
        while av_read_frame(context, packet.av) >= 0 {
            packet.av.removeImplausibleTimes(by: clock)
            if packet.av.pointee.stream_index == stream.pointee.index { take(packet.av) }
            av_packet_unref(packet.av)
        }
    }
}

extension UnsafeMutablePointer<AVPacket> {
    /// Its presentation time, or else its decoding time; nil if it has neither.
    var stamp: Int64? {
        pointee.pts != qd_NOPTS ? pointee.pts : pointee.dts != qd_NOPTS ? pointee.dts : nil
    }
}

/// Returns the inaudible samples of a packet: at its beginning, and at its end if its duration includes them. `former`
/// is the duration of the stream's previous packet, in its ticks; nil for the first one.
func skippedSamples(
    of packet: UnsafeMutablePointer<AVPacket>, in context: UnsafeMutablePointer<AVFormatContext>, former: Int64?
) -> (before: Int64, after: Int64) {
    var size = 0
    guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size), size >= 8 else { return (0, 0) }
    func word(_ offset: Int) -> Int64 {
        Int64(UInt32(littleEndian: UnsafeRawPointer(data).loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    let (before, after) = (word(0), word(4))
    guard after > 0, let stream = context.pointee.streams[Int(packet.pointee.stream_index)] else {
        return (before, after)
    }
    // The duration of Ogg's last packet is shortened already. FFmpeg 9 shortens MP4's and Matroska's too. Then the
    // duration and the skipped samples make up a whole packet, up to the container's rounding.
    if context.container == "ogg" { return (before, 0) }
    let parameters = stream.pointee.codecpar.pointee
    func ticks(_ samples: Int64) -> Int64 {
        av_rescale_q(samples, AVRational(num: 1, den: max(1, parameters.sample_rate)), stream.pointee.time_base)
    }
    let whole = former ?? ticks(Int64(parameters.frame_size))
    let isShortened = (-1...1).contains(packet.pointee.duration.plus(ticks(after)).minus(whole))
    return (before, isShortened ? 0 : after)
}
