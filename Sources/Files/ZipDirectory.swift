import Base

// libzip does not replace this file and ZipFile. libzip refuses a zip with bytes before it, reads a directory of any
// size into memory when it opens the file, and unpacks beyond the stated size. Limits would need the parsing of the end
// record below, and callbacks for libzip's reads. doc/decisions/0122 has the trial.

/// The central directory at the end of a zip file. None of its numbers can be trusted.
public struct ZipDirectory: Sendable, Equatable {
    public let members: [Member]

    public struct Member: Sendable, Equatable {
        /// Path within the zip.
        public let name: String
        public let method: Method
        public let isEncrypted: Bool
        /// Compressed size, then uncompressed size, in bytes.
        public let packedSize: Int64
        public let size: Int64
        /// CRC-32 of the uncompressed data.
        public let checksum: UInt32
        /// Offset of the member's local header, which its data follows.
        public let head: Int64
    }

    public enum Method: Sendable, Equatable {
        case stored, deflated
        case other(Int)
    }

    /// Size in bytes of the end record with the longest comment.
    private static let longestTail = 22 + 65_535
    /// Largest size of a directory: names some ten thousand files, where a song has a few.
    private static let mostBytes = 1 << 20

    /// Reads the directory of a file of `size` bytes. `read`: returns so many bytes from an offset on.
    init(
        ofFile size: Int64, _ read: (_ offset: Int64, _ count: Int) throws(SourceTrouble) -> [UInt8]
    ) throws(SourceTrouble) {
        let length = Int(min(size, Int64(Self.longestTail))), tail = try read(size - Int64(length), length)
        guard let end = Self.end(in: tail) else {
            throw SourceTrouble(
                .damaged,
                "not a zip file, or truncated: the directory at its end is missing; a whole copy would be right")
        }
        let record = tail[end...]
        let (count, bytes, offset) = (record.number(10, 2), record.number(12, 4), record.number(16, 4))
        guard count != 0xFFFF, bytes != 0xFFFF_FFFF, offset != 0xFFFF_FFFF else {
            throw SourceTrouble(
                .unsupported, "the zip has more than 4 GiB or 65,535 files; a zip for each song would be right")
        }
        guard bytes <= Self.mostBytes else {
            throw SourceTrouble(.unsupported, "the zip has too many files; a zip for each song would be right")
        }
        let begin = size - Int64(tail.count - end) - Int64(bytes)
        // Number of bytes before the zip itself, such as a self-extractor.
        let shift = begin - Int64(offset)
        guard shift >= 0 else { throw .brokenZip }
        var (rest, members) = (try read(begin, bytes)[...], [Member]())
        for _ in 0..<count { members.append(try Member(takenFrom: &rest, shift)) }
        self.members = members
    }

    /// Returns the offset of the last valid end record: a comment may contain bytes that look like one.
    private static func end(in tail: [UInt8]) -> Int? {
        guard tail.count >= 22 else { return nil }
        return (0...(tail.count - 22)).reversed().first { place in
            let reader = tail[place...]
            return reader.number(0, 4) == 0x0605_4B50 && reader.number(20, 2) == tail.count - place - 22
                && reader.number(4, 2) == 0 && reader.number(6, 2) == 0
        }
    }

    /// Size of a local header's fixed part, in bytes.
    static let headSize = 30

    /// Distance from the start of a local header to the member's data.
    static func length(ofHead bytes: [UInt8]) throws(SourceTrouble) -> Int {
        let reader = bytes[...]
        guard bytes.count == headSize, reader.number(0, 4) == 0x0403_4B50 else { throw .brokenZip }
        return headSize + reader.number(26, 2) + reader.number(28, 2)
    }
}

extension ZipDirectory.Member {
    /// Removes the first entry of a directory. `shift`: number of bytes before the zip itself.
    fileprivate init(takenFrom rest: inout ArraySlice<UInt8>, _ shift: Int64) throws(SourceTrouble) {
        let entry = rest
        guard entry.count >= 46, entry.number(0, 4) == 0x0201_4B50 else { throw .brokenZip }
        let (named, extra, comment) = (entry.number(28, 2), entry.number(30, 2), entry.number(32, 2))
        guard entry.count >= 46 + named + extra + comment else { throw .brokenZip }
        rest = entry.dropFirst(46 + named + extra + comment)
        var large = largeNumbers(of: entry.dropFirst(46 + named).prefix(extra))[...]
        /// Values too large for 32 bits are in the extra field after the name; below zero if that lacks one.
        func number(_ offset: Int) -> Int64 {
            let short = entry.number(offset, 4)
            return Int64(short == 0xFFFF_FFFF ? large.popFirst() ?? -1 : short)
        }
        let sizes = (whole: number(24), packed: number(20)), offset = number(42)
        guard sizes.whole >= 0, sizes.packed >= 0, offset >= 0, offset <= Int64.max - shift else { throw .brokenZip }
        name = String(decoding: entry.dropFirst(46).prefix(named), as: UTF8.self)
        switch entry.number(10, 2) {
        case 0: method = .stored
        case 8: method = .deflated
        case let other: method = .other(other)
        }
        isEncrypted = entry.number(8, 2) & 0x2041 != 0
        (size, packedSize, head) = (sizes.whole, sizes.packed, offset + shift)
        checksum = UInt32(entry.number(16, 4))
    }
}

/// Returns the numbers of 64 bits in the extra fields of an entry.
private func largeNumbers(of extra: ArraySlice<UInt8>) -> [Int] {
    var rest = extra
    while rest.count >= 4 {
        let size = rest.number(2, 2)
        guard size <= rest.count - 4 else { return [] }
        let field = rest.dropFirst(4).prefix(size)
        if rest.number(0, 2) == 1 { return (0..<field.count / 8).map { field.number($0 * 8, 8) } }
        rest = rest.dropFirst(4 + size)
    }
    return []
}

extension ArraySlice<UInt8> {
    /// Reads a little-endian number of at most eight bytes, below zero if it is too large. Bytes past the end read as 0.
    fileprivate func number(_ offset: Int, _ count: Int) -> Int {
        dropFirst(offset).prefix(count).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

extension SourceTrouble {
    static let brokenZip = SourceTrouble(.damaged, "the zip's directory is damaged; a whole copy would be right")
}
