import Expectations
import Testing

@testable import Media

@Suite struct PNGChunksTests {
    private func chunk(_ name: String, _ bytes: [UInt8] = [], length: Int? = nil) -> [UInt8] {
        let length = length ?? bytes.count
        return [UInt8(length >> 24 & 255), UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255)]
            + Array(name.utf8) + bytes + [1, 2, 3, 4]
    }

    private func kept(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let count = bytes.withUnsafeMutableBufferPointer { PNGChunks.dropUnshown(in: $0) }
        return Array(bytes[..<count])
    }

    private let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    @Test func textsAndProfilesGoAndAllElseStays() {
        let shown = chunk("IHDR", Array(0..<13)), data = chunk("IDAT", [7, 8, 9]), end = chunk("IEND")
        let unshown = ["zTXt", "tEXt", "iTXt", "iCCP", "eXIf"].flatMap { chunk($0, Array(repeating: 5, count: 40)) }
        for head in [signature, []] {
            expect(kept(head + shown + unshown + data + unshown + end), equals: head + shown + data + end)
            expect(kept(head + shown + data + end), equals: head + shown + data + end)
        }
    }

    @Test func whatIsNoChunkStays() {
        for bytes in [[], [1, 2, 3], signature, signature + [0, 0, 0], Array(repeating: 0xFF, count: 100)] as [[UInt8]]
        {
            expect(kept(bytes), equals: bytes)
        }
        // The chunk's length exceeds the file.
        let torn = signature + chunk("IHDR") + chunk("zTXt", [1, 2, 3]) + chunk("zTXt", [1, 2], length: 1000)
        expect(kept(torn), equals: signature + chunk("IHDR") + chunk("zTXt", [1, 2], length: 1000))
        expect(kept(chunk("zTXt", [9], length: Int(UInt32.max))), equals: chunk("zTXt", [9], length: Int(UInt32.max)))
    }
}
