import Base
import Expectations
import Testing

@testable import Files

/// Time is passed in; a file's version is its modification time.
@Suite struct QuietFilesTests {
    private func version(_ number: Int64) -> FileIdentity {
        FileIdentity(device: 1, inode: 1, size: 1, modified: number)
    }

    private func watching(_ known: WatchedFile.Known = .file(FileIdentity(device: 1, inode: 1, size: 1, modified: 0)))
        -> QuietFiles
    {
        var files = QuietFiles()
        files.watch([WatchedFile("a", quiet: 100, known: known)])
        return files
    }

    @Test func aChangeIsDueWhenTheFileHasBeenQuiet() {
        var files = watching()
        files.stir("a", now: 0)
        files.stir("a", now: 60)
        expect(files.due(now: 159), equals: [])
        expect(files.nextDue, equals: 160)
        expect(files.due(now: 160), equals: ["a"])
        let isReported = files.settle("a", version(1), now: 160)
        expect(isReported)
        expect(files.nextDue, equals: nil)
    }

    @Test func whatIsAsItWasIsNotTold() {
        var files = watching()
        for (now, number, expected) in [(0, 0, false), (200, 1, true), (400, 1, false), (600, 0, true)]
            as [(Int64, Int64, Bool)]
        {
            files.stir("a", now: now)
            let isReported = files.settle("a", version(number), now: now + 100)
            expect(isReported, equals: expected, "at \(now)")
        }
    }

    @Test func aFileThatIsGoneIsNotToldUntilItIsMadeAgain() {
        var files = watching()
        files.stir("a", now: 0)
        let whenGone = files.settle("a", nil, now: 100)
        expect(!whenGone)
        expect(files.nextDue, equals: nil)
        files.see("a", nil, now: 150)
        expect(files.nextDue, equals: nil)
        files.stir("a", now: 200)
        let whenMade = files.settle("a", version(1), now: 300)
        expect(whenMade)
    }

    @Test func whatOnlyLookingShowsIsReportedOnceItStaysTheSame() {
        var files = watching()
        files.see("a", version(1), now: 0)
        files.see("a", version(1), now: 50)
        expect(files.nextDue, equals: 100)
        files.see("a", version(2), now: 90)
        expect(files.nextDue, equals: 190)
        let whileChanging = files.settle("a", version(3), now: 190)
        expect(!whileChanging)
        expect(files.nextDue, equals: 290)
        let whenQuiet = files.settle("a", version(3), now: 290)
        expect(whenQuiet)
        files.see("a", version(3), now: 400)
        expect(files.nextDue, equals: nil)
    }

    @Test func whatIsFoundAtFirstIsNoChange() {
        var files = watching(.asFound)
        files.see("a", version(1), now: 0)
        expect(files.nextDue, equals: nil)
        files.stir("a", now: 10)
        let isReported = files.settle("a", version(1), now: 110)
        expect(!isReported)
        var absent = watching(.asFound)
        absent.see("a", nil, now: 0)
        absent.see("a", version(1), now: 10)
        expect(absent.nextDue, equals: 110)
    }

    @Test func whatIsKnownAlreadyIsCompared() {
        var files = watching(.absent)
        files.see("a", version(1), now: 0)
        expect(files.nextDue, equals: 100)
        files.watch([WatchedFile("a", quiet: 100, known: .file(version(1)))])
        let isReported = files.settle("a", version(1), now: 100)
        expect(!isReported)
    }

    @Test func aFileThatStaysWatchedGoesOn() {
        var files = watching()
        files.stir("a", now: 0)
        files.watch([WatchedFile("a", quiet: 5), WatchedFile("b", quiet: 5)])
        expect(files.due(now: 100), equals: ["a"])
        let isReported = files.settle("a", version(1), now: 100)
        expect(isReported)
        files.watch([WatchedFile("b", quiet: 5)])
        files.stir("a", now: 200)
        expect(files.nextDue, equals: nil)
        expect(files.paths, equals: ["b"])
    }

    @Test func whatWasAnnouncedIsNotTold() {
        var files = watching()
        files.ignore(version(1))
        files.stir("a", now: 0)
        let own = files.settle("a", version(1), now: 100)
        expect(!own)
        files.stir("a", now: 200)
        let foreign = files.settle("a", version(2), now: 300)
        expect(foreign)
    }

    @Test func onlySoManyAnnouncementsAreRemembered() {
        var files = watching()
        for number in 1...65 as ClosedRange<Int64> { files.ignore(version(number)) }
        for (number, expected) in [(1, true), (2, false), (65, false)] as [(Int64, Bool)] {
            files.stir("a", now: 0)
            let isReported = files.settle("a", version(number), now: 100)
            expect(isReported, equals: expected, "\(number)")
        }
    }
}
