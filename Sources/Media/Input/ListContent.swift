import Base
import CFFmpeg

/// A list of segments or of other lists (HLS), read whole before FFmpeg reads it. FFmpeg allocates memory for each
/// entry, and some kilobytes for each stream.
enum ListContent {
    /// Three times the size of a day in segments of two seconds.
    private static let mostBytes = 8 << 20
    private static let mostStreams = 500
    private static let mark = Array("#EXTM3U".utf8)
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let streamTags = ["#EXT-X-STREAM-INF", "#EXT-X-MEDIA:", "#EXT-X-I-FRAME-STREAM-INF"].map {
        Array($0.utf8)
    }

    /// Puts a list at `io` into the buffer of `io`. Returns true for a DASH manifest: XML with the root `MPD`. Throws if
    /// a list exceeds a limit.
    static func take(in io: UnsafeMutablePointer<AVIOContext>) throws(SourceTrouble) -> Bool {
        var head = [UInt8](repeating: 0, count: byteOrderMark.count + mark.count)
        let count = Int(max(0, avio_read(io, &head, Int32(head.count))))
        guard avio_seek(io, 0, SEEK_SET) == 0 else { return false }
        let start = head.starts(with: byteOrderMark) ? byteOrderMark.count : 0
        guard count >= start + mark.count, head[start...].starts(with: mark) else {
            return head[..<count].first == UInt8(ascii: "<") && namesManifest(io)
        }
        let bytes = try whole(io)
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard lines.count(where: { line in streamTags.contains { line.starts(with: $0) } }) <= mostStreams else {
            throw SourceTrouble(.unsupported, "a list of more than \(mostStreams) streams")
        }
        // FFmpeg does not recognize a list after a byte order mark.
        put(bytes[start...], into: io)
        return false
    }

    /// Searches the buffered bytes for the root of a manifest.
    private static func namesManifest(_ io: UnsafeMutablePointer<AVIOContext>) -> Bool {
        let read = UnsafeBufferPointer(start: io.pointee.buf_ptr, count: io.pointee.buf_end - io.pointee.buf_ptr)
        let root = Array("<MPD".utf8)
        return read.indices.dropLast(root.count).contains { read[$0] == root[0] && read[$0...].starts(with: root) }
    }

    private static func whole(_ io: UnsafeMutablePointer<AVIOContext>) throws(SourceTrouble) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = avio_read(io, &chunk, Int32(chunk.count))
            guard count > 0 else { return bytes }
            bytes += chunk[..<Int(count)]
            guard bytes.count <= mostBytes else {
                throw SourceTrouble(.unsupported, "a list of more than \(mostBytes >> 20) MiB")
            }
        }
    }

    /// Replaces the buffer, as if the bytes had just been read.
    private static func put(_ bytes: ArraySlice<UInt8>, into io: UnsafeMutablePointer<AVIOContext>) {
        guard let memory = av_malloc(bytes.count)?.assumingMemoryBound(to: UInt8.self) else { return }
        _ = UnsafeMutableBufferPointer(start: memory, count: bytes.count).update(fromContentsOf: bytes)
        av_free(io.pointee.buffer)
        io.pointee.buffer = memory
        io.pointee.buffer_size = Int32(bytes.count)
        io.pointee.buf_ptr = memory
        io.pointee.buf_end = memory + bytes.count
        io.pointee.pos = Int64(bytes.count)
        io.pointee.eof_reached = 0
    }
}
