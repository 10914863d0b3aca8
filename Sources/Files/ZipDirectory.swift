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

    /// Position of the directory in the file.
    struct Place: Equatable {
        let offset: Int64
        let size: Int
        let count: Int
        /// Number of bytes before the zip itself, such as a self-extractor.
        let shift: Int64
    }

    /// Size in bytes of the end record with the longest comment.
    static let longestTail = 22 + 65_535
    /// Largest size of a directory: names some ten thousand files, where a song has a few.
    static let mostBytes = 1 << 20

    /// `tail`: the last `longestTail` bytes of the file, or all of a shorter one. `size`: size of the file.
    static func place(in tail: [UInt8], ofFile size: Int64) throws(SourceTrouble) -> Place {
        guard let end = end(in: tail) else {
            throw SourceTrouble(
                .damaged,
                "not a zip file, or truncated: the directory at its end is missing; a whole copy would be right")
        }
        let reader = tail[end...]
        let (count, bytes, offset) = (reader.number(10, 2), reader.number(12, 4), reader.number(16, 4))
        guard count != 0xFFFF, bytes != 0xFFFF_FFFF, offset != 0xFFFF_FFFF else {
            throw SourceTrouble(
                .unsupported, "the zip has more than 4 GiB or 65,535 files; a zip for each song would be right")
        }
        guard bytes <= mostBytes else {
            throw SourceTrouble(.unsupported, "the zip has too many files; a zip for each song would be right")
        }
        let begin = size - Int64(tail.count - end) - Int64(bytes)
        guard begin >= Int64(offset) else { throw .brokenZip }
        return Place(offset: begin, size: bytes, count: count, shift: begin - Int64(offset))
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

    /// `bytes`: the bytes at `place`.
    init(_ bytes: [UInt8], at place: Place) throws(SourceTrouble) {
        var members: [Member] = []
        var rest = bytes[...]
        for _ in 0..<place.count {
            let reader = rest
            guard rest.count >= 46, reader.number(0, 4) == 0x0201_4B50 else { throw .brokenZip }
            let (name, extra, comment) = (reader.number(28, 2), reader.number(30, 2), reader.number(32, 2))
            guard rest.count >= 46 + name + extra + comment else { throw .brokenZip }
            let sizes = memberSizes(reader, extra: rest.dropFirst(46 + name).prefix(extra))
            guard let sizes, let head = Int64(exactly: sizes.head), head <= Int64.max - place.shift else {
                throw .brokenZip
            }
            let flags = reader.number(8, 2)
            let method: Method =
                switch reader.number(10, 2) {
                case 0: .stored
                case 8: .deflated
                case let other: .other(other)
                }
            members.append(
                Member(
                    name: String(decoding: rest.dropFirst(46).prefix(name), as: UTF8.self), method: method,
                    isEncrypted: flags & 0x2041 != 0, packedSize: sizes.packed, size: sizes.whole,
                    checksum: UInt32(reader.number(16, 4)), head: head + place.shift))
            rest = rest.dropFirst(46 + name + extra + comment)
        }
        self.members = members
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

/// Returns the sizes of a member, and its offset. Values too large for 32 bits are in the extra field after its name; nil
/// if that lacks one.
private func memberSizes(
    _ entry: ArraySlice<UInt8>, extra: ArraySlice<UInt8>
) -> (whole: Int64, packed: Int64, head: Int64)? {
    var large = largeNumbers(of: extra)[...]
    func number(_ short: Int) -> Int64? {
        guard short == 0xFFFF_FFFF else { return Int64(short) }
        return large.popFirst().flatMap { Int64(exactly: $0) }
    }
    guard let whole = number(entry.number(24, 4)), let packed = number(entry.number(20, 4)),
        let head = number(entry.number(42, 4))
    else { return nil }
    return (whole, packed, head)
}

private func largeNumbers(of extra: ArraySlice<UInt8>) -> [UInt64] {
    var rest = extra
    while rest.count >= 4 {
        let size = rest.number(2, 2)
        guard size <= rest.count - 4 else { return [] }
        let field = rest.dropFirst(4).prefix(size)
        if rest.number(0, 2) == 1 {
            return (0..<field.count / 8).map { place in
                field.dropFirst(place * 8).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
            }
        }
        rest = rest.dropFirst(4 + size)
    }
    return []
}

extension ArraySlice<UInt8> {
    /// Reads a little-endian number of at most four bytes; bytes past the end read as 0.
    fileprivate func number(_ offset: Int, _ count: Int) -> Int {
        dropFirst(offset).prefix(count).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

extension SourceTrouble {
    static let brokenZip = SourceTrouble(.damaged, "the zip's directory is damaged; a whole copy would be right")
}
