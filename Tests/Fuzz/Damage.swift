import TestKit

/// Changes bytes as a bad disk, a bad muxer or an attacker would.
enum Damage {
    private static let limits: [UInt64] = [
        0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF,
        0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, .max,
    ]
    /// Byte sequences that precede a size, a length or a count.
    private static let marks: [[UInt8]] =
        [
            "mvhd", "mdhd", "tkhd", "stts", "stsz", "stsc", "stco", "stss", "ctts", "elst", "trun", "tfhd", "stsd",
            "avcC",
            "avih", "strh", "strf", "idx1", "movi", "IHDR", "acTL", "fcTL", "VP8 ", "VP8X", "fmt ", "data", "OggS",
            "fLaC",
        ].map { Array($0.utf8) } + [
            [0x2A, 0xD7, 0xB1], [0x44, 0x89], [0xB0], [0xBA], [0xA3], [0x1F, 0x43, 0xB6, 0x75], [0xFF, 0xC0],
            [0x00, 0x00, 0x01],
            [0x47, 0x40],
        ]

    static func damaged(_ whole: [UInt8], _ numbers: inout SeededNumbers) -> [UInt8] {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...6, using: &numbers) { damage(&bytes, &numbers) }
        return bytes
    }

    private static func damage(_ bytes: inout [UInt8], _ numbers: inout SeededNumbers) {
        guard bytes.count > 16 else { return }
        let place = Int.random(in: 0..<bytes.count, using: &numbers)
        switch Int.random(in: 0..<10, using: &numbers) {
        case 0: bytes.removeSubrange(place...)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + length(4096, &numbers)))
        case 2: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + length(4096, &numbers))], at: place)
        case 3: for index in place..<min(bytes.count, place + length(512, &numbers)) { bytes[index] = 0 }
        case 4:
            for index in place..<min(bytes.count, place + length(64, &numbers)) {
                bytes[index] = .random(in: 0...255, using: &numbers)
            }
        case 5: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
        case 6: write(limits.randomElement(using: &numbers)!, at: place, in: &bytes, &numbers)
        default:
            guard let after = mark(in: bytes, from: place, &numbers) else { return }
            write(
                limits.randomElement(using: &numbers)!, at: after + .random(in: 0..<40, using: &numbers), in: &bytes,
                &numbers)
        }
    }

    private static func length(_ most: Int, _ numbers: inout SeededNumbers) -> Int {
        Int.random(in: 1...most, using: &numbers)
    }

    private static func write(
        _ value: UInt64, at place: Int, in bytes: inout [UInt8], _ numbers: inout SeededNumbers
    ) {
        let width = [1, 2, 4, 8].randomElement(using: &numbers)!
        let isLittle = Bool.random(using: &numbers)
        for index in 0..<width where place + index < bytes.count {
            bytes[place + index] = UInt8(
                truncatingIfNeeded: value >> UInt64(8 * (isLittle ? index : width - 1 - index)))
        }
    }

    /// Position after the first occurrence of a random mark behind `place`, else in the whole file.
    private static func mark(in bytes: [UInt8], from place: Int, _ numbers: inout SeededNumbers) -> Int? {
        let mark = marks.randomElement(using: &numbers)!
        func find(_ range: Range<Int>) -> Int? {
            guard range.count >= mark.count else { return nil }
            return range.dropLast(mark.count - 1).first { start in
                mark.indices.allSatisfy { bytes[start + $0] == mark[$0] }
            }
        }
        return (find(place..<bytes.count) ?? find(0..<bytes.count)).map { $0 + mark.count }
    }
}
