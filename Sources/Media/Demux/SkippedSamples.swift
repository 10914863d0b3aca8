import Base
import CFFmpeg

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
