/// What stands in a PNG frame and is never shown: texts and colour profiles, which its decoder would inflate to any
/// size.
enum PNGChunks {
    private static let unshown = ["tEXt", "zTXt", "iTXt", "iCCP", "eXIf"].map { Array($0.utf8) }
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// Its length, its name and its sum.
    private static let frame = 12

    /// Moves the others together; answers how many bytes they are. What is no whole chunk stays.
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
    /// Towards the beginning; answers where they end.
    fileprivate func move(_ range: Range<Int>, to place: Int) -> Int {
        guard place != range.lowerBound, let baseAddress else { return range.upperBound }
        (baseAddress + place).update(from: baseAddress + range.lowerBound, count: range.count)
        return place + range.count
    }
}
