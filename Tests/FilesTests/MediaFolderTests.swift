import Expectations
import Foundation
import Testing

@testable import Files

/// The files of a folder that are played.
@Suite struct MediaFolderTests {
    /// The smallest zip with one empty file.
    private func zip(of name: String) -> Data {
        func bytes(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        let size = name.utf8.count
        let head = bytes(0x0403_4B50, 4) + bytes(20, 2) + bytes(0, 20) + bytes(size, 2) + bytes(0, 2) + Array(name.utf8)
        let entry =
            bytes(0x0201_4B50, 4) + bytes(20, 2) + bytes(20, 2) + bytes(0, 20) + bytes(size, 2) + bytes(0, 16)
            + Array(name.utf8)
        return Data(
            head + entry + bytes(0x0605_4B50, 4) + bytes(0, 4) + bytes(1, 2) + bytes(1, 2) + bytes(entry.count, 4)
                + bytes(head.count, 4) + bytes(0, 2))
    }

    @Test(arguments: [-20_000_000_000, 10_413_792_000, 15_000_000_000])
    func aFileOfAnyDateIsPlayed(secondsSince1970: Double) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("a.mp4")
        try Data("x".utf8).write(to: file)
        let date = Date(timeIntervalSince1970: secondsSince1970)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
        expect(MediaFolder(path: folder.path, quiet: 2_000_000_000)?.files, equals: [file.path])
    }

    @Test func aSongOfTwoFilesIsOneMediumAndAZipWhereItIsASong() throws {
        try withFolder { folder in
            for name in [
                "a.mp3", "a.cdg", "B.CDG", "B.ogg", "c.cdg", "d.mp3", "e.mp4", "f.txt", ".g.cdg", ".h.mp3", "no.zip",
            ] {
                try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
            }
            try zip(of: "In/Song.CDG").write(to: URL(fileURLWithPath: "\(folder)/song.zip"))
            try zip(of: "letters.txt").write(to: URL(fileURLWithPath: "\(folder)/other.zip"))
            let media = try #require(MediaFolder(path: folder))
            // A zip that can't be read is listed: its trouble is reported when it would play.
            expect(
                media.files.map { String($0.dropFirst(folder.count + 1)) },
                equals: [
                    "B.ogg", "a.mp3", "c.cdg", "d.mp3", "e.mp4", "no.zip", "song.zip",
                ])
        }
    }

    @Test func aSongOfUltraStarsIsOneMediumByItsText() throws {
        try withFolder { folder in
            for name in ["song.mp3", "video.mp4", "cover.jpg", "other.mp4", "notes.txt"] {
                try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
            }
            let song =
                "#TITLE:T\n#ARTIST:A\n#BPM:120\n#MP3:song.mp3\n#VIDEO:video.mp4\n#COVER:cover.jpg\n: 0 4 0 a\nE\n"
            try Data(song.utf8).write(to: URL(fileURLWithPath: "\(folder)/song.txt"))
            let media = try #require(MediaFolder(path: folder))
            expect(media.files.map { String($0.dropFirst(folder.count + 1)) }, equals: ["other.mp4", "song.txt"])
        }
    }

    private func write(_ text: String, _ path: String) throws {
        let folder = (path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private func song(_ title: String, sound: String = "song.mp3") -> String {
        "#TITLE:\(title)\n#ARTIST:A\n#BPM:120\n#MP3:\(sound)\n: 0 4 0 a\nE\n"
    }

    @Test func aLibraryIsTheSongsOfItsFolders() throws {
        try withFolder { folder in
            for name in ["B/song", "A/deep/down/song", "A/deep/down/too/song", ".hidden/song", "C/one", "C/two"] {
                try write(song(name), "\(folder)/\(name).txt")
            }
            for name in ["B/song.mp3", "B/other.jpg", "C/film.mp4", "D/disc.cdg", "D/disc.mp3", "D/lone.mp3"] {
                try write("x", "\(folder)/\(name)")
            }
            let media = try #require(MediaFolder(path: folder))
            expect(
                media.files.map { String($0.dropFirst(folder.count + 1)) },
                equals: ["A/deep/down/song.txt", "B/song.txt", "C/one.txt", "C/two.txt", "D/disc.mp3"])
            expect(media.isLibrary)
            expect(media.folders.map(\.path).contains("\(folder)/A/deep/down"))
            expect(MediaFolder(path: folder, depth: 0)?.files, equals: [])
            // Films are played without the songs below.
            try write("x", "\(folder)/film.mp4")
            let films = try #require(MediaFolder(path: folder))
            expect(films.files == ["\(folder)/film.mp4"] && !films.isLibrary && films.folders.count == 1)
        }
    }

    @Test func aSongAndItsInstrumentalAreOneMedium() throws {
        try withFolder { folder in
            try write(song("Title"), "\(folder)/song.txt")
            try write(song("Title (Instrumental)", sound: "inst.mp3"), "\(folder)/song [INSTRUMENTAL].txt")
            try write(song("Title", sound: "duet.mp3"), "\(folder)/duet.txt")
            for name in ["song.mp3", "inst.mp3", "duet.mp3"] { try write("x", "\(folder)/\(name)") }
            let files = try #require(MediaFolder(path: folder)).files
            expect(files.map { String($0.dropFirst(folder.count + 1)) }, equals: ["duet.txt", "song.txt"])
            expect(MediaFolder.instrumental(of: "\(folder)/song.txt"), equals: "\(folder)/song [INSTRUMENTAL].txt")
            expect(MediaFolder.instrumental(of: "\(folder)/duet.txt"), equals: nil)
        }
        try withFolder { folder in
            try write(song("One"), "\(folder)/song.txt")
            try write(song("", sound: "inst.mp3"), "\(folder)/Instrumental.txt")
            try write(song("Karaoke Night"), "\(folder)/other/Karaoke Night.txt")
            try write(song("Two"), "\(folder)/other/two.txt")
            let files = try #require(MediaFolder(path: folder)).files
            expect(
                files.map { String($0.dropFirst(folder.count + 1)) },
                equals: ["other/Karaoke Night.txt", "other/two.txt", "song.txt"])
            expect(MediaFolder.instrumental(of: "\(folder)/song.txt"), equals: "\(folder)/Instrumental.txt")
        }
    }

    @Test func aSongWaitsForBothOfItsFiles() throws {
        try withFolder { folder in
            for name in ["a.mp3", "a.cdg", "b.mp3"] {
                let path = "\(folder)/\(name)"
                try Data("x".utf8).write(to: URL(fileURLWithPath: path))
                let changed = Date(timeIntervalSinceNow: name == "a.cdg" ? -1 : -60)
                try FileManager.default.setAttributes([.modificationDate: changed], ofItemAtPath: path)
            }
            let media = try #require(MediaFolder(path: folder, quiet: 10_000_000_000))
            expect(media.files == ["\(folder)/b.mp3"] && media.unfinished == ["\(folder)/a.cdg"])
        }
    }
}
