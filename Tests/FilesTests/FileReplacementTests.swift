import Base
import Expectations
import Glibc
import Testing

@testable import Files

@Suite struct FileReplacementTests {
    private func trouble(_ path: String, _ text: String = "new") -> FileTrouble? {
        do throws(FileTrouble) {
            try FileReplacement.write(Array(text.utf8), to: path)
            return nil
        } catch { return error }
    }

    @Test func aFileIsReplacedAndItsModeKept() throws {
        try withFolder { folder in
            let path = "\(folder)/wall.json"
            write("old", to: path)
            for mode: mode_t in [0o600, 0o640, 0o755, 0o666] {
                chmod(path, mode)
                let before = FileIdentity(path: path)
                let identity = try FileReplacement.write(Array("mode \(mode)".utf8), to: path)
                expect(text(of: path), equals: "mode \(mode)")
                expect(identity, equals: FileIdentity(path: path))
                expect(identity != before)
                expect(status(path)?.st_mode, equals: S_IFREG | mode)
            }
            expect(entries(folder), equals: ["wall.json"])
        }
    }

    @Test func aNewFileCanBeReadByItsUserAlone() throws {
        try withFolder { folder in
            let path = "\(folder)/new"
            try FileReplacement.write([], to: path)
            expect(status(path)?.st_mode, equals: S_IFREG | 0o600)
            expect(text(of: path), equals: "")
            expect(entries(folder), equals: ["new"])
        }
    }

    @Test(.enabled(if: geteuid() == 0)) func ownerAndGroupAreKept() throws {
        try withFolder { folder in
            let path = "\(folder)/wall.json"
            write("old", to: path)
            chown(path, 12345, 23456)
            chmod(path, 0o640)
            try FileReplacement.write(Array("new".utf8), to: path)
            let after = try #require(status(path))
            expect((after.st_uid, after.st_gid) == (12345, 23456))
            expect(after.st_mode, equals: S_IFREG | 0o640)
        }
    }

    @Test func linksAreFollowedAndStay() throws {
        try withFolder { folder in
            mkdir("\(folder)/far", 0o755)
            write("old", to: "\(folder)/far/wall.json")
            symlink("far/second", "\(folder)/first")
            symlink("\(folder)/far/third", "\(folder)/far/second")
            symlink("../far/wall.json", "\(folder)/far/third")
            try FileReplacement.write(Array("new".utf8), to: "\(folder)/first")
            expect(text(of: "\(folder)/far/wall.json"), equals: "new")
            expect(linkTarget(of: "\(folder)/first"), equals: "far/second")
            expect(linkTarget(of: "\(folder)/far/third"), equals: "../far/wall.json")
            expect(entries("\(folder)/far"), equals: ["second", "third", "wall.json"])

            symlink("far/none yet", "\(folder)/hanging")
            try FileReplacement.write(Array("made".utf8), to: "\(folder)/hanging")
            expect(text(of: "\(folder)/far/none yet"), equals: "made")
            expect(linkTarget(of: "\(folder)/hanging"), equals: "far/none yet")
        }
    }

    @Test func whatCannotBeReplacedIsReportedAndStays() throws {
        try withFolder { folder in
            mkdir("\(folder)/folder", 0o755)
            mkfifo("\(folder)/pipe", 0o600)
            write("", to: "\(folder)/file")
            symlink("round", "\(folder)/round")
            let cases: [(String, Int32)] = [
                ("none/wall.json", ENOENT), ("file/wall.json", ENOTDIR), ("folder", EISDIR), ("pipe", EINVAL),
                ("round", ELOOP), ("", EISDIR),
            ]
            let before = entries(folder)
            for (name, number) in cases {
                expect(trouble("\(folder)/\(name)"), equals: FileTrouble(path: "\(folder)/\(name)", number: number))
            }
            expect(trouble("\(folder)/none/a")?.description, equals: "\(folder)/none/a: No such file or directory")
            expect(entries(folder), equals: before)
            expect(trouble("/proc/version") != nil)
            expect(trouble("/sys/kernel/quadrille") != nil)
        }
    }

    @Test(.enabled(if: geteuid() != 0)) func aReadOnlyFolderOrFileIsLeftAlone() throws {
        try withFolder { folder in
            write("old", to: "\(folder)/wall.json")
            chmod("\(folder)/wall.json", 0o444)
            expect(trouble("\(folder)/wall.json")?.number, equals: EACCES)
            chmod("\(folder)/wall.json", 0o644)
            chmod(folder, 0o555)
            expect(trouble("\(folder)/wall.json")?.number, equals: EACCES)
            chmod(folder, 0o755)
            expect(text(of: "\(folder)/wall.json"), equals: "old")
            expect(entries(folder), equals: ["wall.json"])
        }
    }

    @Test func onAFullDiskTheOldFileStays() throws {
        try withFolder { folder in
            let path = "\(folder)/wall.json"
            write("old", to: path)
            var calls = 0
            #expect(throws: FileTrouble(path: path, number: ENOSPC)) {
                try FileReplacement.write(Array("new content".utf8), to: path, announce: { _ in Issue.record("none") })
                {
                    file, bytes, count in
                    calls += 1
                    if calls == 1 { return Glibc.write(file, bytes, count / 2) }
                    errno = ENOSPC
                    return -1
                }
            }
            expect(calls, equals: 2)
            expect(text(of: path), equals: "old")
            expect(entries(folder), equals: ["wall.json"])
        }
    }

    @Test func interruptedAndShortWritesGoOn() throws {
        try withFolder { folder in
            let path = "\(folder)/wall.json"
            let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
            var calls = 0
            _ = try FileReplacement.write(bytes, to: path, announce: { _ in }) { file, bytes, count in
                calls += 1
                errno = EINTR
                return calls.isMultiple(of: 2) ? -1 : Glibc.write(file, bytes, min(count, 7))
            }
            expect(contents(of: path), equals: bytes)
        }
    }

    @Test func theIdentityIsKnownBeforeThePathLeadsToIt() throws {
        try withFolder { folder in
            let path = "\(folder)/wall.json"
            write("old", to: path)
            var announced: FileIdentity?
            let identity = try FileReplacement.write(Array("new".utf8), to: path) {
                announced = $0
                expect(text(of: path), equals: "old")
            }
            expect(announced, equals: identity)
        }
    }

    @Test func aReaderSeesTheOldOrTheNewFileAndNothingBetween() throws {
        try withFolder { folder in
            let path = "\(folder)/wall.json"
            let contents = [[UInt8](repeating: 1, count: 100_000), [UInt8](repeating: 2, count: 50_000)]
            try FileReplacement.write(contents[0], to: path)
            for turn in 1...20 {
                let file = open(path, O_RDONLY)
                try FileReplacement.write(contents[turn % 2], to: path)
                expect(FilesTests.contents(of: file), equals: contents[(turn + 1) % 2])
                expect(FilesTests.contents(of: path), equals: contents[turn % 2])
            }
        }
    }

    @Test func theRealFolderOfAFileIsWithoutLinks() throws {
        try withFolder { folder in
            mkdir("\(folder)/a", 0o755)
            symlink("a", "\(folder)/b")
            let cases = [("\(folder)/b/../b/./none.json", "\(folder)/a"), ("/none.json", "/")]
            for (path, expected) in cases {
                let real = try realFolder(ofFile: path)
                expect(real, equals: expected)
            }
            let own = try realFolder(ofFile: "none.json")
            expect(own.hasPrefix("/"))
            #expect(throws: FileTrouble.self) { try realFolder(ofFile: "\(folder)/none/a.json") }
        }
    }
}
