import CFFmpeg
import Threads

/// The packets of a source's video, as its decoder is to get them. Used by one thread at a time.
struct VideoPackets {
    private let selection: StreamSelection
    private let palette: Palette?
    /// Codec of the video when the source was opened.
    private let codec: AVCodecID?
    private var foreign: ForeignPackets
    /// Time of the first packet that was stamped, in microseconds; nil until then.
    private var firstArrival: Int64?

    init(of selection: StreamSelection, _ palette: Palette?) {
        (self.selection, self.palette) = (selection, palette)
        (codec, foreign) = (selection.video?.pointee.codecpar.pointee.codec_id, ForeignPackets(selection.video))
    }

    /// Notes a packet. Returns true if a live source has continued with another codec.
    mutating func isOfAnotherCodec(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
        selection.video?.pointee.codecpar.pointee.codec_id != codec || foreign.note(packet)
    }

    /// Adds what the container leaves out of its packets, and removes implausible times.
    mutating func amend(_ packet: UnsafeMutablePointer<AVPacket>) {
        if selection.isStampedByArrival {
            let now = monotonicNanoseconds() / 1000, first = firstArrival ?? now
            firstArrival = first
            (packet.pointee.pts, packet.pointee.dts, packet.pointee.duration) = (now - first, now - first, 0)
        }
        packet.removeImplausibleTimes(by: selection.clock)
        palette?.complete(packet)
    }
}

/// The colours of a stream of palette frames.
///
/// Some containers (AVI, MOV) deliver the palette once, with the first packet, so it is missing after a seek. `init`
/// reads the palette from the first packet, and `complete` adds it to every key frame without one.
struct Palette {
    private let colours: [UInt8]

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
