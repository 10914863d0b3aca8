import Expectations
import Foundation
import TestKit
import Testing
import Threads

@testable import Base
@testable import Lyrics
@testable import Media

@Suite struct LyricsLibraryTests {
    private func text(_ found: LyricsLibrary.Found?) -> String? {
        guard case .lines(let lyrics)? = found?.words else { return nil }
        return lyrics.lines.map { $0.syllables.map(\.text).joined() }.joined(separator: "/")
    }

    @Test func anotherVersionIsReadWhileTheOneBeforeIsThere() throws {
        let library = LyricsLibrary {}
        defer { expect(library.stop(within: 1_000_000_000), equals: []) }
        let path = try Scratch.file("words.lrc", "[00:01.00]one\n")
        expect(library.words(of: .file(path)) == nil)
        expect(library.settle(within: 5_000_000_000))
        let first = library.words(of: .file(path))
        expect(text(first), equals: "one")
        try "[00:01.00]two\n".write(toFile: path, atomically: true, encoding: .utf8)
        expect(library.words(of: .file(path))?.reading, equals: first?.reading)
        expect(text(library.words(of: .file(path), version: 1)), equals: "one")
        expect(library.settle(within: 5_000_000_000))
        expect(text(library.words(of: .file(path), version: 1)), equals: "two")
        // Lyrics that can't be read any more are still shown.
        try FileManager.default.removeItem(atPath: path)
        _ = library.words(of: .file(path), version: 2)
        expect(library.settle(within: 5_000_000_000))
        expect(text(library.words(of: .file(path), version: 2)), equals: "two")
        expect(library.words(of: .file(path), version: 2)?.reading != first?.reading)
    }

    @Test func whatWasMissingIsFoundWhenItHasCome() throws {
        let library = LyricsLibrary {}
        defer { expect(library.stop(within: 1_000_000_000), equals: []) }
        let path = Scratch.path("later.lrc")
        _ = library.words(of: .file(path))
        expect(library.settle(within: 5_000_000_000))
        expect(text(library.words(of: .file(path))), equals: nil)
        try "[00:01.00]late\n".write(toFile: path, atomically: true, encoding: .utf8)
        _ = library.words(of: .file(path), version: 1)
        expect(library.settle(within: 5_000_000_000))
        expect(text(library.words(of: .file(path), version: 1)), equals: "late")
    }

    @Test func subtitlesFartherAwayThanAnyFilmLastsAreLeftOut() throws {
        let library = LyricsLibrary {}
        defer { expect(library.stop(within: 1_000_000_000), equals: []) }
        let path = try Scratch.file(
            "far.srt",
            "1\n00:00:01,000 --> 00:00:02,000\nnear\n\n2\n5000:00:00,000 --> 5000:00:05,000\nfar\n")
        _ = library.words(of: .file(path))
        expect(library.settle(within: 5_000_000_000))
        guard case .script(let script)? = library.words(of: .file(path))?.words else {
            Issue.record("no subtitles")
            return
        }
        expect(script.events(from: 0).map(\.begin), equals: [Time.seconds(1)])
    }
}
