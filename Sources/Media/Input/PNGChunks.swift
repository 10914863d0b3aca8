/// Chunks of a PNG that are never shown: texts and colour profiles, which FFmpeg's decoder would inflate to any size.
enum PNGChunks {
    private static let unshown = ["tEXt", "zTXt", "iTXt", "iCCP", "eXIf"].map { Array($0.utf8) }
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// Bytes of a chunk's length, name and checksum.
    private static let frame = 12

    /// Removes these chunks in place and returns the remaining size. An incomplete chunk stays.
    static func dropUnshown(in bytes: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var next = bytes.starts(with: signature) ? signature.count : 0
        var kept = next
        while bytes.count - next >= frame {
            let length = bytes[next..<next + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - next - frame else { break }
            let chunk = next..<next + frame + length
            if !unshown.contains(where: { $0.elementsEqual(bytes[chunk.lowerBound + 4..<chunk.lowerBound + 8]) }) {
                kept = bytes.move(chunk, to: kept)
            }
            next = chunk.upperBound
        }
        return next == kept ? bytes.count : bytes.move(next..<bytes.count, to: kept)
    }
}

extension UnsafeMutableBufferPointer<UInt8> {
    /// Moves bytes towards the beginning; returns their new end.
    fileprivate func move(_ range: Range<Int>, to place: Int) -> Int {
        guard place != range.lowerBound, let baseAddress else { return range.upperBound }
        (baseAddress + place).update(from: baseAddress + range.lowerBound, count: range.count)
        return place + range.count
    }
}
