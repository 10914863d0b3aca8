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
        return try ZipDirectory(ofFile: Int64(status.st_size)) { offset, count throws(SourceTrouble) in
            try bytes(of: file, at: offset, count)
        }
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
        // The system gives no memory before it is written: a directory may claim any size.
        let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, size))
        defer { room.deallocate() }
        (stream.next_out, stream.avail_out) = (room.baseAddress, UInt32(size))
        var offset = 0
        while true {
            var packed = try ZipFile.bytes(
                of: file, at: place + Int64(offset), min(ZipFile.chunkSize, packedSize - offset))
            offset += packed.count
            let status = packed.withUnsafeMutableBufferPointer { packed in
                (stream.next_in, stream.avail_in) = (packed.baseAddress, UInt32(packed.count))
                return inflate(&stream, Z_NO_FLUSH)
            }
            if status == Z_STREAM_END, stream.avail_out == 0 { return Array(room.prefix(size)) }
            guard status == Z_OK, stream.avail_in == 0, offset < packedSize else { throw ZipFile.damaged }
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
