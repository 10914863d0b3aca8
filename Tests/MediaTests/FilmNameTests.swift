import Expectations
import Foundation
import TestKit
import Testing

@testable import Base
@testable import Media

/// Names of films that are written.
@Suite struct FilmNameTests {
    /// Writes one frame of 16x16 pixels.
    private func write(_ format: FilmFormat, _ file: String) throws(FilmTrouble) {
        let film = try Film(FilmSpec(format: format, size: Size(16, 16), rate: FrameRate(25, 1)), file: file)
        let pixels = UnsafeMutablePointer<UInt8>.allocate(capacity: 16 * 16 * 4)
        pixels.initialize(repeating: 0, count: 16 * 16 * 4)
        defer { pixels.deallocate() }
        try film.add(pixels, stride: 16 * 4)
        try film.finish()
    }

    @Test func aNameMayBeAsLongAsTheFileSystemAllows() throws {
        let folder = try Scratch.newFolder("names")
        let stems =
            [239, 240, 251].map { String(repeating: "a", count: $0) } + [String(repeating: "\u{E4}", count: 125)]
        for stem in stems {
            for (format, ending) in [(FilmFormat.frame, ".png"), (.gif, ".gif")] {
                try write(format, "\(folder)/\(stem)\(ending)")
            }
        }
        let written = try FileManager.default.contentsOfDirectory(atPath: folder)
        expect(written.count, equals: stems.count * 2, "\(written.map(\.count))")
    }

    @Test func aNameThatIsTooLongIsReportedAsThat() throws {
        let folder = try Scratch.newFolder("names")
        let cases: [(FilmFormat, String)] = [
            (.frame, String(repeating: "a", count: 252) + ".png"), (.gif, String(repeating: "a", count: 252) + ".gif"),
            (.frameSequence, String(repeating: "a", count: 244) + "%05d.png"),
        ]
        for (format, name) in cases {
            do throws(FilmTrouble) {
                try write(format, "\(folder)/\(name)")
                Issue.record("written: \(name.count)")
            } catch { expect(error.what.hasSuffix("File name too long"), "\(error.what.suffix(60))") }
        }
        try expect(FileManager.default.contentsOfDirectory(atPath: folder), equals: [])
    }
}
