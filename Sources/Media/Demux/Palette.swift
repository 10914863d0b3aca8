import CFFmpeg

/// The colours of a stream of palette frames.
///
/// Some containers (AVI, MOV) deliver the palette once, with the first packet, so it is missing after a seek. `init`
/// reads the palette from the first packet, and `complete` adds it to every key frame without one.
struct Palette {
    private let colours: [UInt8]

    static func isUsed(by stream: UnsafeMutablePointer<AVStream>) -> Bool {
        stream.pointee.codecpar.pointee.format == AV_PIX_FMT_PAL8.rawValue
    }

    /// Reads on to the first packet of the stream; nil if frames bring their palette themselves.
    init?(of stream: UnsafeMutablePointer<AVStream>, in context: UnsafeMutablePointer<AVFormatContext>) {
        let owner = Packet(), packet = owner.av
        var found: [UInt8]?
        while found == nil, av_read_frame(context, packet) >= 0 {
            defer { av_packet_unref(packet) }
            guard packet.pointee.stream_index == stream.pointee.index else { continue }
            found = Palette.colours(of: packet) ?? []
        }
        guard let found, !found.isEmpty else { return nil }
        colours = found
    }

    private static func colours(of packet: UnsafeMutablePointer<AVPacket>) -> [UInt8]? {
        var size = 0
        guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_PALETTE, &size), size > 0 else { return nil }
        return Array(UnsafeBufferPointer(start: data, count: size))
    }

    func complete(_ packet: UnsafeMutablePointer<AVPacket>) {
        guard packet.pointee.flags & AV_PKT_FLAG_KEY != 0, Palette.colours(of: packet) == nil,
            let data = av_packet_new_side_data(packet, AV_PKT_DATA_PALETTE, colours.count)
        else { return }
        for (index, byte) in colours.enumerated() { data[index] = byte }
    }
}
