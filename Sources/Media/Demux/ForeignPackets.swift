import CFFmpeg

/// Detects packets of another codec in a stream of H.264 or HEVC.
///
/// If a sender continues with another codec, the demuxer of MPEG transport streams keeps the first one. A decoder of H.264
/// takes slices of MPEG-2 for slices of its own, and makes broken frames of them. The codes of MPEG-2 and MPEG-4 Part 2
/// for headers have a bit that is never set in the header of a unit of H.264 and HEVC.
struct ForeignPackets {
    /// True if the stream's units begin with start codes.
    private let isWatched: Bool
    /// Number of packets with such a code, and of those without one since the last of them.
    private var count = 0
    private var clean = 0

    /// A few damaged packets are not another codec.
    private static let most = 3
    /// After this many packets without such a code, earlier ones do not count. The demuxer splits a frame of another codec
    /// at places of its own, so that some packets have slices alone.
    private static let mostClean = 50
    /// Number of bytes of a packet that are examined. Headers come first.
    private static let head = 4096

    init(_ stream: UnsafeMutablePointer<AVStream>?) {
        guard let parameters = stream?.pointee.codecpar.pointee else {
            isWatched = false
            return
        }
        // Extra data that begins with 1 states units that begin with their length.
        let hasLengths = parameters.extradata_size > 0 && parameters.extradata[0] == 1
        isWatched = [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC].contains(parameters.codec_id) && !hasLengths
    }

    /// Notes a packet. Returns true if the stream has another codec.
    mutating func note(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
        guard isWatched, let data = packet.pointee.data else { return false }
        let bytes = UnsafeBufferPointer(start: data, count: min(Int(packet.pointee.size), Self.head))
        guard Self.isForeign(bytes) else {
            clean += 1
            if clean > Self.mostClean { count = 0 }
            return false
        }
        (count, clean) = (count + 1, 0)
        return count > Self.most
    }

    /// True if a start code is followed by a byte whose highest bit is set.
    static func isForeign(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var zeros = 0
        for index in bytes.indices.dropLast() {
            let byte = bytes[index]
            if byte == 1, zeros >= 2, bytes[index + 1] & 0x80 != 0 { return true }
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return false
    }
}
