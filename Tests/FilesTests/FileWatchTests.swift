import Base
import Expectations
import Glibc
import Testing
import Threads

@testable import Files

@Suite struct FileWatchTests {
    @Test func aFileThatIsWrittenInPlaceIsReportedOnce() throws {
        try withWatch { watch, folder in
            let path = "\(folder)/wall.json"
            watch.write("old", to: path)
            try watch.watch([path])
            watch.write("new", to: path)
            try expect(watch.takeAll(), equals: [path])
            try expect(watch.takeAll(), equals: [])
        }
    }

    @Test func aFileThatIsWrittenInPartsIsReportedAfterTheLast() throws {
        try withWatch { watch, folder in
            let path = "\(folder)/wall.json"
            watch.write("old", to: path)
            try watch.watch([path])
            let file = open(path, O_WRONLY | O_TRUNC)
            watch.step()
            append("half", to: file)
            // The file must be quiet for a while, and for less than the time after which it is reported.
            sleep(until: monotonicNanoseconds() + WatchBench.quiet / 2)
            watch.step()
            append(" and half", to: file)
            watch.step()
            // The watch compares the state that it reports with the file's present state.
            try expect(watch.takeAll(), equals: [path])
            close(file)
            try expect(watch.takeAll(), equals: [])
        }
    }

    @Test func aFileThatIsRenamedOverIsReported() throws {
        try withWatch { watch, folder in
            let path = "\(folder)/wall.json"
            watch.write("old", to: path)
            try watch.watch([path])
            for text in ["first", "second"] {
                write(text, to: "\(folder)/new")
                rename("\(folder)/new", path)
                try expect(watch.takeAll(), equals: [path])
            }
        }
    }

    @Test func whatEditorsDoIsOneChange() throws {
        try withWatch { watch, folder in
            let path = "\(folder)/wall.json"
            watch.write("old", to: path)
            try watch.watch([path])
            // vim: the old file becomes the backup, a new one takes its name.
            watch.write("", to: "\(folder)/4913")
            unlink("\(folder)/4913")
            rename(path, path + "~")
            watch.write("by vim", to: path)
            chmod(path, 0o644)
            unlink(path + "~")
            try expect(watch.takeAll(), equals: [path])
            // GLib's editors: a hidden file is written and renamed over the old one, which stays as the backup.
            watch.write("by another", to: "\(folder)/.goutputstream")
            link(path, path + "~")
            rename("\(folder)/.goutputstream", path)
            try expect(watch.takeAll(), equals: [path])
            // emacs: a lock beside it, a copy as the backup, written in place.
            symlink("user@host", "\(folder)/.#wall.json")
            watch.write("by another", to: path + "~")
            watch.write("in place", to: path)
            unlink("\(folder)/.#wall.json")
            try expect(watch.takeAll(), equals: [path])
        }
    }

    @Test func aFileThatIsDeletedIsReportedOnceItIsMadeAgain() throws {
        try withWatch { watch, folder in
            let path = "\(folder)/wall.json"
            watch.write("old", to: path)
            try watch.watch([path])
            unlink(path)
            try expect(watch.takeAll(), equals: [])
            watch.write("new", to: path)
            try expect(watch.takeAll(), equals: [path])
        }
    }

    @Test func aFileThatIsMovedAwayAndBackHasNotChanged() throws {
        try withWatch { watch, folder in
            let path = "\(folder)/wall.json"
            watch.write("old", to: path)
            try watch.watch([path])
            rename(path, path + "2")
            try expect(watch.takeAll(), equals: [])
            rename(path + "2", path)
            try expect(watch.takeAll(), equals: [])
            chmod(path, 0o600)
            try expect(watch.takeAll(), equals: [])
            utimensat(AT_FDCWD, path, nil, 0)
            try expect(watch.takeAll(), equals: [path])
        }
    }

    @Test func aLinkThatIsSetElsewhereIsReported() throws {
        try withWatch { watch, folder in
            let path = "\(folder)/wall.json"
            for name in ["a", "b"] {
                mkdir("\(folder)/\(name)", 0o755)
                write(name, to: "\(folder)/\(name)/wall.json")
            }
            symlink("a/wall.json", path)
            try watch.watch([path])
            symlink("\(folder)/b/wall.json", path + "2")
            rename(path + "2", path)
            try expect(watch.takeAll(), equals: [path])
            watch.write("where it led before", to: "\(folder)/a/wall.json")
            try expect(watch.takeAll(), equals: [])
            watch.write("where it leads now", to: "\(folder)/b/wall.json")
            try expect(watch.takeAll(), equals: [path])
            unlink(path)
            symlink("a/wall.json", path)
            try expect(watch.takeAll(), equals: [path])
        }
    }

    @Test func aLinkOnTheWayThatIsSetElsewhereIsReported() throws {
        try withWatch { watch, folder in
            let path = "\(folder)/now/deep/../wall.json"
            for name in ["a", "b"] {
                mkdir("\(folder)/\(name)", 0o755)
                mkdir("\(folder)/\(name)/deep", 0o755)
                write(name, to: "\(folder)/\(name)/wall.json")
            }
            symlink("a", "\(folder)/first")
            symlink("first", "\(folder)/now")
            try watch.watch([path])
            symlink("b", "\(folder)/next")
            rename("\(folder)/next", "\(folder)/first")
            try expect(watch.takeAll(), equals: [path])
            watch.write("new", to: "\(folder)/b/wall.json")
            try expect(watch.takeAll(), equals: [path])
        }
    }

    @Test func aFolderMayGoAndComeBack() throws {
        try withWatch { watch, folder in
            let path = "\(folder)/walls/north/wall.json"
            // The folders do not exist yet.
            try watch.watch([path])
            mkdir("\(folder)/walls", 0o755)
            mkdir("\(folder)/walls/north", 0o755)
            watch.write("first", to: path)
            try expect(watch.takeAll(), equals: [path])
            // The folder is moved away, and back unchanged.
            rename("\(folder)/walls", "\(folder)/gone")
            try expect(watch.takeAll(), equals: [])
            rename("\(folder)/gone", "\(folder)/walls")
            try expect(watch.takeAll(), equals: [])
            watch.write("again", to: path)
            try expect(watch.takeAll(), equals: [path])
            // Moved away, changed there, and moved back.
            rename("\(folder)/walls", "\(folder)/gone")
            watch.write("while it was away", to: "\(folder)/gone/north/wall.json")
            try expect(watch.takeAll(), equals: [])
            rename("\(folder)/gone", "\(folder)/walls")
            try expect(watch.takeAll(), equals: [path])
            // Deleted, and another folder in its place.
            removeAll("\(folder)/walls")
            try expect(watch.takeAll(), equals: [])
            mkdir("\(folder)/walls", 0o755)
            mkdir("\(folder)/walls/north", 0o755)
            try expect(watch.takeAll(), equals: [])
            watch.write("at last", to: path)
            try expect(watch.takeAll(), equals: [path])
        }
    }

    @Test func aHundredWritesAreReportedOnce() throws {
        try withWatch { watch, folder in
            let path = "\(folder)/wall.json"
            try watch.watch([path])
            for turn in 0..<100 {
                watch.write(String(repeating: "x", count: turn), to: path)
                // The duration keeps the writes apart. Nothing may be reported between them.
                sleep(until: monotonicNanoseconds() + 5_000_000)
            }
            try expect(watch.takeAll(), equals: [path])
        }
    }

    @Test func amongAThousandOthersOnlyItsOwnChangesAreReported() throws {
        try withWatch { watch, folder in
            let path = "\(folder)/wall.json"
            for number in 0..<1000 { watch.write("", to: "\(folder)/\(number)") }
            watch.write("old", to: path)
            try watch.watch([path])
            for number in 0..<1000 { watch.write("other", to: "\(folder)/\(number)") }
            try expect(watch.takeAll(), equals: [])
            for number in 0..<1000 {
                watch.write("others", to: "\(folder)/\(number)")
                if number == 500 { watch.write("new", to: path) }
            }
            try expect(watch.takeAll(), equals: [path])
        }
    }

    @Test func whatWeWriteOurselvesIsNotTold() throws {
        try withWatch { watch, folder in
            let path = "\(folder)/wall.json"
            watch.write("old", to: path)
            try watch.watch([path])
            for turn in 0..<3 {
                try FileReplacement.write(Array("ours \(turn)".utf8), to: path, announce: watch.ignore)
                try expect(watch.takeAll(), equals: [])
            }
            try FileReplacement.write(Array("not announced".utf8), to: path)
            try expect(watch.takeAll(), equals: [path])
            try FileReplacement.write(Array("ours".utf8), to: path, announce: watch.ignore)
            watch.write("and another's", to: path)
            try expect(watch.takeAll(), equals: [path])
        }
    }

    @Test func otherFilesMayBeWatchedInstead() throws {
        try withWatch { watch, folder in
            let paths = ["a", "b", "c"].map { "\(folder)/\($0)" }
            for path in paths { watch.write("old", to: path) }
            try watch.watch([paths[0], paths[1]])
            try watch.watch([paths[1], paths[2]])
            for path in paths { watch.write("new", to: path) }
            try expect(watch.takeAll().sorted(), equals: [paths[1], paths[2]])
        }
    }
}

@Suite struct FileWatchWithoutEventsTests {
    @Test func lookingDoes() throws {
        try withWatch(.withoutPipe, lookInterval: 20_000_000) { watch, folder in
            let path = "\(folder)/walls/wall.json"
            try watch.watch([path])
            mkdir("\(folder)/walls", 0o755)
            watch.write("new", to: path)
            expect(watch.takeFirst(1), equals: [path])
            rename("\(folder)/walls", "\(folder)/gone")
            rename("\(folder)/gone", "\(folder)/walls")
            watch.write("newer", to: path)
            expect(watch.takeFirst(1), equals: [path])
        }
    }

    @Test func aWatchEndsAtOnceAndKeepsNoFile() throws {
        try withFolder { folder in
            for manner in [Mailbox<WatchRequests>.Manner.withPipe, .withoutPipe] {
                let watch = try FileWatch(events: manner, lookInterval: WatchBench.never) { _, _ in }
                watch.watch((0..<100).map { WatchedFile("\(folder)/\($0)", quiet: 1) })
                expect(watch.stop(within: 5_000_000_000), equals: [])
            }
        }
    }
}
