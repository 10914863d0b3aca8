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
            #expect(try watch.takeAll() == [path])
            #expect(try watch.takeAll() == [])
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
            sleep(until: monotonicNanoseconds() + WatchBench.quiet / 2)
            watch.step()
            append(" and half", to: file)
            watch.step()
            // The watch compares the state that it reports with the file's present state.
            #expect(try watch.takeAll() == [path])
            close(file)
            #expect(try watch.takeAll() == [])
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
                #expect(try watch.takeAll() == [path])
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
            #expect(try watch.takeAll() == [path])
            // GLib's editors: a hidden file is written and renamed over the old one, which stays as the backup.
            watch.write("by another", to: "\(folder)/.goutputstream")
            link(path, path + "~")
            rename("\(folder)/.goutputstream", path)
            #expect(try watch.takeAll() == [path])
            // emacs: a lock beside it, a copy as the backup, written in place.
            symlink("user@host", "\(folder)/.#wall.json")
            watch.write("by another", to: path + "~")
            watch.write("in place", to: path)
            unlink("\(folder)/.#wall.json")
            #expect(try watch.takeAll() == [path])
        }
    }

    @Test func aFileThatIsDeletedIsReportedOnceItIsMadeAgain() throws {
        try withWatch { watch, folder in
            let path = "\(folder)/wall.json"
            watch.write("old", to: path)
            try watch.watch([path])
            unlink(path)
            #expect(try watch.takeAll() == [])
            watch.write("new", to: path)
            #expect(try watch.takeAll() == [path])
        }
    }

    @Test func aFileThatIsMovedAwayAndBackHasNotChanged() throws {
        try withWatch { watch, folder in
            let path = "\(folder)/wall.json"
            watch.write("old", to: path)
            try watch.watch([path])
            rename(path, path + "2")
            #expect(try watch.takeAll() == [])
            rename(path + "2", path)
            #expect(try watch.takeAll() == [])
            chmod(path, 0o600)
            #expect(try watch.takeAll() == [])
            utimensat(AT_FDCWD, path, nil, 0)
            #expect(try watch.takeAll() == [path])
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
            #expect(try watch.takeAll() == [path])
            watch.write("where it led before", to: "\(folder)/a/wall.json")
            #expect(try watch.takeAll() == [])
            watch.write("where it leads now", to: "\(folder)/b/wall.json")
            #expect(try watch.takeAll() == [path])
            unlink(path)
            symlink("a/wall.json", path)
            #expect(try watch.takeAll() == [path])
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
            #expect(try watch.takeAll() == [path])
            watch.write("new", to: "\(folder)/b/wall.json")
            #expect(try watch.takeAll() == [path])
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
            #expect(try watch.takeAll() == [path])
            // The folder is moved away, and back unchanged.
            rename("\(folder)/walls", "\(folder)/gone")
            #expect(try watch.takeAll() == [])
            rename("\(folder)/gone", "\(folder)/walls")
            #expect(try watch.takeAll() == [])
            watch.write("again", to: path)
            #expect(try watch.takeAll() == [path])
            // Moved away, changed there, and moved back.
            rename("\(folder)/walls", "\(folder)/gone")
            watch.write("while it was away", to: "\(folder)/gone/north/wall.json")
            #expect(try watch.takeAll() == [])
            rename("\(folder)/gone", "\(folder)/walls")
            #expect(try watch.takeAll() == [path])
            // Deleted, and another folder in its place.
            removeAll("\(folder)/walls")
            #expect(try watch.takeAll() == [])
            mkdir("\(folder)/walls", 0o755)
            mkdir("\(folder)/walls/north", 0o755)
            #expect(try watch.takeAll() == [])
            watch.write("at last", to: path)
            #expect(try watch.takeAll() == [path])
        }
    }

    @Test func aHundredWritesAreReportedOnce() throws {
        try withWatch { watch, folder in
            let path = "\(folder)/wall.json"
            try watch.watch([path])
            for turn in 0..<100 {
                watch.write(String(repeating: "x", count: turn), to: path)
                sleep(until: monotonicNanoseconds() + 5_000_000)
            }
            #expect(try watch.takeAll() == [path])
        }
    }

    @Test func amongAThousandOthersOnlyItsOwnChangesAreReported() throws {
        try withWatch { watch, folder in
            let path = "\(folder)/wall.json"
            for number in 0..<1000 { watch.write("", to: "\(folder)/\(number)") }
            watch.write("old", to: path)
            try watch.watch([path])
            for number in 0..<1000 { watch.write("other", to: "\(folder)/\(number)") }
            #expect(try watch.takeAll() == [])
            for number in 0..<1000 {
                watch.write("others", to: "\(folder)/\(number)")
                if number == 500 { watch.write("new", to: path) }
            }
            #expect(try watch.takeAll() == [path])
        }
    }

    @Test func whatWeWriteOurselvesIsNotTold() throws {
        try withWatch { watch, folder in
            let path = "\(folder)/wall.json"
            watch.write("old", to: path)
            try watch.watch([path])
            for turn in 0..<3 {
                try FileReplacement.write(Array("ours \(turn)".utf8), to: path, announce: watch.ignore)
                #expect(try watch.takeAll() == [])
            }
            try FileReplacement.write(Array("not announced".utf8), to: path)
            #expect(try watch.takeAll() == [path])
            try FileReplacement.write(Array("ours".utf8), to: path, announce: watch.ignore)
            watch.write("and another's", to: path)
            #expect(try watch.takeAll() == [path])
        }
    }

    @Test func otherFilesMayBeWatchedInstead() throws {
        try withWatch { watch, folder in
            let paths = ["a", "b", "c"].map { "\(folder)/\($0)" }
            for path in paths { watch.write("old", to: path) }
            try watch.watch([paths[0], paths[1]])
            try watch.watch([paths[1], paths[2]])
            for path in paths { watch.write("new", to: path) }
            #expect(try watch.takeAll().sorted() == [paths[1], paths[2]])
        }
    }
}

@Suite struct FileWatchWithoutEventsTests {
    @Test func lookingDoes() throws {
        try withWatch(.withoutEvents, lookInterval: 20_000_000) { watch, folder in
            let path = "\(folder)/walls/wall.json"
            try watch.watch([path])
            mkdir("\(folder)/walls", 0o755)
            watch.write("new", to: path)
            #expect(watch.takeFirst(1) == [path])
            rename("\(folder)/walls", "\(folder)/gone")
            rename("\(folder)/gone", "\(folder)/walls")
            watch.write("newer", to: path)
            #expect(watch.takeFirst(1) == [path])
        }
    }

    @Test func itEndsAtOnceAndKeepsNoFile() throws {
        try withFolder { folder in
            for manner in [FileWatch.Manner.withEvents, .withoutEvents] {
                let watch = try FileWatch(manner, lookInterval: WatchBench.never) { _, _ in }
                watch.watch((0..<100).map { WatchedFile("\(folder)/\($0)", quiet: 1) })
                #expect(watch.stop(within: 5_000_000_000) == .joined)
            }
        }
    }
}
