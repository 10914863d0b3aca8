import Base
import CZlib
import Glibc

// libzip does not replace this file: ZipDirectory.swift says why.

/// An open zip. Only requested members are unpacked, into memory.
///
/// Used by one thread at a time; closes in deinit. May block as long as the file system does.
public final class ZipFile {
    public let directory: ZipDirectory
    private let file: Int32
    private static let chunkSize = 1 << 16

    public init(path: String) throws(SourceTrouble) {
        // Without O_NONBLOCK, opening a FIFO may never return.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw SourceTrouble(errno: errno) }
        do throws(SourceTrouble) {
            directory = try ZipFile.directory(of: file)
        } catch {
            close(file)
            throw error
        }
        self.file = file
    }

    deinit { close(file) }

    private static func directory(of file: Int32) throws(SourceTrouble) -> ZipDirectory {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw SourceTrouble(errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SourceTrouble(.unreadable, "it is not a regular file") }
        let size = Int64(status.st_size), length = min(size, Int64(ZipDirectory.longestTail))
        let tail = try bytes(of: file, at: size - length, Int(length))
        let place = try ZipDirectory.place(in: tail, ofFile: size)
        return try ZipDirectory(try bytes(of: file, at: place.offset, place.size), at: place)
    }

    /// Returns the unpacked bytes; throws if there are more than `most`.
    public func bytes(of member: ZipDirectory.Member, most: Int) throws(SourceTrouble) -> [UInt8] {
        guard !member.isEncrypted else {
            throw SourceTrouble(.unsupported, "it is encrypted; a zip without a password would be right")
        }
        guard member.size <= Int64(most), member.packedSize <= Int64(most) else {
            throw SourceTrouble(.unsupported, "it exceeds \(most >> 20) MiB")
        }
        let head = try ZipFile.bytes(of: file, at: member.head, ZipDirectory.headSize)
        let place = member.head + Int64(try ZipDirectory.length(ofHead: head))
        let bytes: [UInt8]
        switch member.method {
        case .stored:
            bytes = try ZipFile.bytes(of: file, at: place, Int(member.size))
        case .deflated:
            bytes = try inflated(from: place, Int(member.packedSize), size: Int(member.size))
        case .other(let number):
            throw SourceTrouble(.unsupported, "compression method \(number) is not supported; deflate would be right")
        }
        let sum = bytes.withUnsafeBufferPointer { crc32_z(0, $0.baseAddress, $0.count) }
        guard sum == UInt(member.checksum) else { throw ZipFile.damaged }
        return bytes
    }

    private func inflated(from place: Int64, _ packedSize: Int, size: Int) throws(SourceTrouble) -> [UInt8] {
        var stream = z_stream()
        guard qd_inflate_begin(&stream) == Z_OK else { throw SourceTrouble(.unreadable, "no memory to unpack it") }
        defer { inflateEnd(&stream) }
        // Grows while unpacking: a directory may claim any size.
        var (result, offset): ([UInt8], Int) = ([], 0)
        var room = [UInt8](repeating: 0, count: ZipFile.chunkSize)
        while true {
            let count = min(ZipFile.chunkSize, packedSize - offset)
            guard count > 0 else { throw ZipFile.damaged }
            var packed = try ZipFile.bytes(of: file, at: place + Int64(offset), count)
            offset += count
            let status = ZipFile.inflate(&stream, &packed, &room, into: &result, most: size)
            if status == Z_STREAM_END, result.count == size { return result }
            guard status == Z_OK else { throw ZipFile.damaged }
        }
    }

    /// Unpacks all of `packed`. Returns `Z_OK` if the stream goes on.
    private static func inflate(
        _ stream: inout z_stream, _ packed: inout [UInt8], _ room: inout [UInt8], into result: inout [UInt8], most: Int
    ) -> Int32 {
        packed.withUnsafeMutableBufferPointer { packed in
            stream.next_in = packed.baseAddress
            stream.avail_in = UInt32(packed.count)
            while true {
                let status = room.withUnsafeMutableBufferPointer { room in
                    stream.next_out = room.baseAddress
                    stream.avail_out = UInt32(room.count)
                    return CZlib.inflate(&stream, Z_NO_FLUSH)
                }
                let count = room.count - Int(stream.avail_out)
                guard result.count + count <= most else { return Z_DATA_ERROR }
                result += room[..<count]
                // Z_BUF_ERROR without input only means that more input is needed.
                if status == Z_BUF_ERROR, stream.avail_in == 0 { return Z_OK }
                guard status == Z_OK, stream.avail_in > 0 || count == room.count else { return status }
            }
        }
    }

    private static func bytes(of file: Int32, at offset: Int64, _ count: Int) throws(SourceTrouble) -> [UInt8] {
        var failure: Int32?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, size in
            while size < count {
                let step = pread(file, buffer.baseAddress! + size, count - size, off_t(offset) + off_t(size))
                if step < 0, errno == EINTR { continue }
                if step < 0 { failure = errno }
                guard step > 0 else { return }
                size += step
            }
        }
        if let failure { throw SourceTrouble(errno: failure) }
        guard bytes.count == count else { throw .brokenZip }
        return bytes
    }

    private static let damaged = SourceTrouble(.damaged, "it is damaged; a whole copy would be right")
}

extension LinkedLibrary {
    public static var ofFiles: [LinkedLibrary] { [LinkedLibrary("zlib", String(cString: zlibVersion()))] }
}
