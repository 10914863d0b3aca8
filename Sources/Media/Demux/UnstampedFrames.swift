import Base
import CFFmpeg
import Scene

/// Counts the frames of a Matroska file before the first one with a timestamp: FFmpeg drops negative timestamps. Opens
/// the file again to count, unless its index begins with its first frame.
func unstampedFrames(
    before stream: UnsafeMutablePointer<AVStream>, in input: Input
) throws(SourceTrouble) -> Int64 {
    guard input.container.hasPrefix("matroska"), input.place == .file, input.isReopenable,
        stream.pointee.start_time != qd_NOPTS,
        !isIndexed(stream.pointee.start_time, in: stream)
    else { return 0 }
    let owner = Packet(), packet = owner.av
    let other = try input.openedAgain()
    var count: Int64 = 0
    while count < mostUnstamped, other.read(into: packet) >= 0 {
        defer { av_packet_unref(packet) }
        guard packet.pointee.stream_index == stream.pointee.index else { continue }
        guard packet.pointee.pts == qd_NOPTS, packet.pointee.dts == qd_NOPTS else { return count }
        count += 1
    }
    return 0
}

private func isIndexed(_ timestamp: Int64, in stream: UnsafeMutablePointer<AVStream>) -> Bool {
    guard avformat_index_get_entries_count(stream) > 0, let first = avformat_index_get_entry(stream, 0) else {
        return false
    }
    return first.pointee.timestamp <= timestamp
}

private let mostUnstamped: Int64 = 1000
