import Expectations
import TestKit
import Testing

@testable import Base
@testable import Files

/// Directories of zip files, and the members that make a song.
@Suite struct ZipDirectoryTests {
    struct File {
        var name: String
        var flags = 0
        var method = 8
        var size = 100
        var extra: [UInt8] = []
    }

    private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// Returns a zip file with this directory. The members' contents are zeros.
    private static func zip(_ files: [File], before: Int = 0, comment: String = "") -> [UInt8] {
        var directory: [UInt8] = []
        let body = 50 * files.count
        for (index, file) in files.enumerated() {
            let size = file.extra.isEmpty ? file.size : 0xFFFF_FFFF
            directory += bytes(0x0201_4B50, 4) + bytes(20, 4) + bytes(file.flags, 2) + bytes(file.method, 2)
            directory += bytes(0, 4) + bytes(0xABCD, 4) + bytes(50, 4) + bytes(size, 4)
            directory += bytes(file.name.utf8.count, 2) + bytes(file.extra.count, 2) + bytes(0, 10)
            directory += bytes(index * 50, 4) + file.name.utf8 + file.extra
        }
        return [UInt8](repeating: 0, count: before + body) + directory + bytes(0x0605_4B50, 4) + bytes(0, 4)
            + bytes(files.count, 2) + bytes(files.count, 2) + bytes(directory.count, 4) + bytes(body, 4)
            + bytes(comment.utf8.count, 2) + comment.utf8
    }

    private static func directory(of zip: [UInt8]) throws(SourceTrouble) -> ZipDirectory {
        try ZipDirectory(ofFile: Int64(zip.count)) { offset, count in Array(zip[Int(offset)..<Int(offset) + count]) }
    }

    @Test(arguments: [0, 7000], ["", "a song", "PK\u{5}\u{6} and so on, longer than an end is"])
    func membersAreWhereTheDirectorySays(_ before: Int, _ comment: String) throws {
        let zip = Self.zip(
            [File(name: "Folder/"), File(name: "Folder/Song.CDG", method: 0), File(name: "ä.mp3", flags: 1)],
            before: before, comment: comment)
        let members = try Self.directory(of: zip).members
        expect(members.map(\.name), equals: ["Folder/", "Folder/Song.CDG", "ä.mp3"])
        expect(members.map(\.head), equals: [0, 50, 100].map { Int64(before + $0) })
        expect(members.map(\.method), equals: [.deflated, .stored, .deflated])
        expect(members.map(\.isEncrypted), equals: [false, false, true])
        expect(members[1].size == 100 && members[1].packedSize == 50 && members[1].checksum == 0xABCD)
    }

    @Test func aSizeOf64BitsStandsBehindTheName() throws {
        let large = Self.bytes(0x9999, 2) + Self.bytes(1, 2) + [7] + Self.bytes(1, 2) + Self.bytes(8, 2)
        let files = [File(name: "a", extra: large + Self.bytes(1 << 33, 8)), File(name: "b")]
        try expect(Self.directory(of: Self.zip(files)).members.map(\.size), equals: [1 << 33, 100])
        for extra in [large, large + Self.bytes(-1, 8), [1, 0, 200, 0, 1]] {
            #expect(throws: SourceTrouble.brokenZip) {
                try Self.directory(of: Self.zip([File(name: "a", extra: extra)]))
            }
        }
    }

    @Test func whatIsCutOffOrBrokenIsReported() {
        let whole = Self.zip([File(name: "a.cdg"), File(name: "a.mp3")])
        for count in 0..<whole.count {
            #expect(throws: SourceTrouble.self) { try Self.directory(of: Array(whole.prefix(count))) }
        }
        var random = SeededNumbers(3)
        for _ in 0..<20_000 {
            var zip = whole
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                zip[Int.random(in: zip.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? Self.directory(of: zip).members.map { _ = $0 }
        }
    }

    @Test(arguments: [
        (["song.cdg", "song.mp3"], "song.cdg song.mp3"),
        (["readme.txt", "In/A Song.MP3", "In/A Song.CDG", "In/"], "In/A Song.CDG In/A Song.MP3"),
        (["__MACOSX/._a.cdg", "a.cdg", "x.ogg", ".b.cdg"], "a.cdg x.ogg"),
        (["a.cdg"], "a.cdg -"), (["a.cdg", "b.mp3", "a.flac"], "a.cdg a.flac"),
        ([], "the zip has no CDG file; song.cdg and song.mp3 in it would be right"),
        (["song.mp3", "cdg", "x.cdg/y"], "the zip has no CDG file; song.cdg and song.mp3 in it would be right"),
        (
            ["d/a.cdg", "a.mp3", "b.cdg"],
            "the zip has 2 CDG files, such as a.cdg and b.cdg; a zip for each song would be right"
        ),
        (
            ["a.cdg", "b.mp3", "c.mp3"],
            "the zip has several sound files; one named like a.cdg would be right"
        ),
    ]) func aSongHasOneCDGAndItsSound(_ names: [String], _ expected: String) throws {
        let directory = try Self.directory(of: Self.zip(names.map { File(name: $0) }))
        do throws(SourceTrouble) {
            let (frames, sound) = try CDGSong.parts(of: directory)
            expect("\(frames.name) \(sound?.name ?? "-")", equals: expected)
        } catch {
            expect(error.what == expected && error.kind == .unsupported)
        }
    }

    @Test func partnersHaveTheSameNameButForTheEnding() {
        expect(CDGSong.partners(of: "/a.b/Song 1.mp3"), equals: ["/a.b/Song 1.cdg", "/a.b/Song 1.CDG"])
        expect(CDGSong.partners(of: "x.CDG").prefix(3), equals: ["x.mp3", "x.MP3", "x.ogg"])
        for name in ["x.mp4", "x.zip", "x", "a.mp3/b", ""] { expect(CDGSong.partners(of: name).isEmpty, "\(name)") }
        let names: Set = ["a.cdg", "a.mp3", "b.cdg", "c.ogg"]
        expect(names.filter { CDGSong.isCoveredByAudioFile($0, among: names) }, equals: ["a.cdg"])
    }
}
