import CFFmpeg

/// How many samples of a packet are not to be heard: at its beginning, and at its end, where its duration counts them.
func skippedSamples(
    of packet: UnsafeMutablePointer<AVPacket>, in context: UnsafeMutablePointer<AVFormatContext>
) -> (before: Int64, after: Int64) {
    var size = 0
    guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size), size >= 8 else { return (0, 0) }
    func word(_ offset: Int) -> Int64 {
        Int64(UInt32(littleEndian: UnsafeRawPointer(data).loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    // The duration of Ogg's last packet is shortened already.
    let isOgg = String(cString: context.pointee.iformat.pointee.name) == "ogg"
    return (word(0), isOgg ? 0 : word(4))
}
