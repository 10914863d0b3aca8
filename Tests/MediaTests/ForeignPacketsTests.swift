import Expectations
import Testing

@testable import Media

/// Packets of another codec in a stream of H.264 or HEVC.
@Suite struct ForeignPacketsTests {
    private func isForeign(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { ForeignPackets.isForeign($0) }
    }

    @Test func headersOfMPEG2AreForeign() {
        let cases: [(String, [UInt8], Bool)] = [
            ("a delimiter and a slice of H.264", [0, 0, 0, 1, 0x09, 0xF0, 0, 0, 1, 0x65, 0x88, 0x84], false),
            ("parameters of HEVC", [0, 0, 0, 1, 0x40, 1, 0x0C, 0, 0, 0, 1, 0x42, 1, 1], false),
            ("a sequence of MPEG-2", [0, 0, 1, 0xB3, 0x28, 0x01, 0x68], true),
            ("a picture of MPEG-2", [0, 0, 1, 0x00, 0x00, 0x57, 0xFF, 0xFB, 0x80, 0, 0, 1, 0xB5, 0x85], true),
            ("a plane of MPEG-4", [0, 0, 1, 0xB6, 0x10], true), ("a cut code", [0, 0, 1], false),
            ("nothing", [], false),
            ("a byte that follows no code", [0, 1, 0xB3, 1, 0xB3], false),
        ]
        for (name, bytes, expected) in cases { expect(isForeign(bytes), equals: expected, "\(name)") }
    }
}
