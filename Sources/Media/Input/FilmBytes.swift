import CFFmpeg
import Glibc

/// The bytes of a film that is no file of its own. Used by one thread at a time.
protocol FilmBytes: AnyObject {
    var count: Int64 { get }
    /// Writes bytes from `offset` on to `buffer`. Returns their number, at least one before the end; nil if it was
    /// cancelled.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int?
}

extension FilmBytes {
    /// Copies as many of the bytes as fit. Returns their number.
    func copy(_ bytes: ArraySlice<UInt8>, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let size = min(bytes.count, buffer.count)
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<size])) }
        return size
    }
}

/// Bytes that lie in memory, such as the sound of a zip.
final class MemoryBytes: FilmBytes {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int64 { Int64(bytes.count) }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        offset < count ? copy(bytes[Int(offset)...], into: buffer) : 0
    }
}

/// The `AVIOContext` by which FFmpeg reads the bytes. The demuxer does not retain it: release it after the demuxer.
final class FilmReading {
    let io: UnsafeMutablePointer<AVIOContext>
    private let bytes: any FilmBytes
    private var offset: Int64 = 0
    private static let bufferSize = 32_768

    /// nil if there is no memory.
    init?(_ bytes: any FilmBytes) {
        self.bytes = bytes
        guard let buffer = av_malloc(FilmReading.bufferSize) else { return nil }
        let io = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(FilmReading.bufferSize), 0, nil,
            { opaque, buffer, size in
                guard let opaque, let buffer, size > 0 else { return -EINVAL }
                return FilmReading.of(opaque).read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(size)))
            }, nil, { opaque, offset, from in opaque.map { FilmReading.of($0).seek(offset, from) } ?? Int64(-EINVAL) })
        guard let io else {
            av_free(buffer)
            return nil
        }
        self.io = io
        io.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        var io: UnsafeMutablePointer<AVIOContext>? = io
        av_free(io?.pointee.buffer)
        avio_context_free(&io)
    }

    private static func of(_ opaque: UnsafeMutableRawPointer) -> FilmReading {
        Unmanaged.fromOpaque(opaque).takeUnretainedValue()
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        guard let count = bytes.read(at: offset, into: buffer) else { return qd_EXIT }
        offset += Int64(count)
        return count == 0 ? qd_EOF : Int32(count)
    }

    private func seek(_ target: Int64, _ from: Int32) -> Int64 {
        let origin: Int64
        switch from & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return bytes.count
        case SEEK_SET: origin = 0
        case SEEK_CUR: origin = offset
        case SEEK_END: origin = bytes.count
        default: return Int64(-EINVAL)
        }
        let (place, overflow) = origin.addingReportingOverflow(target)
        guard place >= 0, !overflow else { return Int64(-EINVAL) }
        offset = place
        return place
    }
}
