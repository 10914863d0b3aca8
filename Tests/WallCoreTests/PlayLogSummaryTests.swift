import Testing
import WallCore

@Suite struct PlayLogSummaryTests {
    /// What nobody saw or heard is in the sums, and was no play.
    @Test func aPlayIsWhatWasSeenOrHeard() throws {
        let lines = [("eof", 2, 60), ("stopped", 1, 30), ("eof", 0, 0), ("error", 0, 0), ("eof", 4, 0)].map {
            #"{"tile":"a","item":0,"source":"b.mp4","seconds":\#($1),"presented":\#($2),"ended":"\#($0)"}"# + "\n"
        }
        var summary = PlayLogSummary()
        summary.add(Array(lines.joined().utf8), day: "2026-05-10")
        let row = try #require(summary.sorted.first)
        #expect(summary.rows.count == 1 && (row.plays, row.whole) == (3, 2))
        #expect(row.seconds == 7 && row.presented == 90)
    }

    @Test func whatNoWallHasWrittenEndsNoSum() throws {
        let line = #"{"tile":"a","source":"b.mp4","seconds":1e300,"presented":1e15,"missed":1e15,"late":-1}"# + "\n"
        var summary = PlayLogSummary()
        summary.add(Array(String(repeating: line, count: 10_000).utf8), day: "2026-05-10")
        let row = try #require(summary.sorted.first)
        #expect(row.plays == 10_000 && row.presented == row.missed && row.late == 0)
    }
}
