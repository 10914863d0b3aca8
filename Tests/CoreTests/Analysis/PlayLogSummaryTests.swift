import Analysis
import Expectations
import Testing

@Suite struct PlayLogSummaryTests {
    /// An item that was neither seen nor heard is in the sums, but is no play.
    @Test func aPlayIsWhatWasSeenOrHeard() throws {
        let lines = [("eof", 2, 60), ("stopped", 1, 30), ("eof", 0, 0), ("error", 0, 0), ("eof", 4, 0)].map {
            #"{"tile":"a","item":0,"source":"b.mp4","seconds":\#($1),"presented":\#($2),"ended":"\#($0)"}"# + "\n"
        }
        var summary = PlayLogSummary()
        summary.add(Array(lines.joined().utf8), day: "2026-05-10")
        let row = try #require(summary.rows.first)
        expect(summary.rows.count == 1 && (row.plays, row.whole) == (3, 2))
        expect(row.seconds == 7 && row.presented == 90)
    }

    @Test func whatNoWallHasWrittenEndsNoSum() throws {
        let line = #"{"tile":"a","source":"b.mp4","seconds":1e300,"presented":1e15,"missed":1e15,"late":-1}"# + "\n"
        var summary = PlayLogSummary()
        summary.add(Array(String(repeating: line, count: 10_000).utf8), day: "2026-05-10")
        let row = try #require(summary.rows.first)
        expect(row.plays == 10_000 && row.presented == row.dropped && row.late == 0)
    }

    private func rows(_ lines: [String], by grouping: PlayLogSummary.Grouping = .source) -> [PlayLogSummary.Row] {
        var summary = PlayLogSummary(by: grouping)
        summary.add(Array(lines.map { $0 + "\n" }.joined().utf8), day: "2026-05-10")
        return summary.rows
    }

    /// Each case is one item's line, the number of its complete plays, and the share of its frames that was presented.
    @Test(
        arguments: [
            (#""frames":300,"presented":300,"missed":0,"seconds":10"#, 1, 1.0),
            (#""frames":300,"presented":297,"missed":3,"seconds":10"#, 1, 0.99),
            (#""frames":300,"presented":296,"missed":4,"seconds":10"#, 0, 296.0 / 300),
            // The film's server went away.
            (#""frames":300,"presented":225,"missed":0,"seconds":7.5"#, 0, 0.75),
            (#""frames":300,"presented":310,"repeated":20,"missed":0,"seconds":10"#, 0, 290.0 / 300),
            // Lines without `frames`, as older versions wrote them.
            (#""presented":225,"missed":75,"seconds":10"#, 0, 0.75),
            (#""presented":225,"missed":0,"seconds":10"#, 1, 1),
            (#""frames":0,"presented":0,"missed":0,"seconds":9.95,"length":10"#, 1, 0.995),
            (#""frames":0,"presented":0,"missed":0,"seconds":5,"length":10"#, 0, 0.5),
        ])
    func anItemIsWholeIfNearlyAllOfItWasPresented(_ fields: String, _ whole: Int, _ share: Double) throws {
        let row = try #require(rows([#"{"tile":"a","item":0,"source":"b.mp4",\#(fields),"ended":"eof"}"#]).first)
        expect(row.plays == 1 && row.whole == whole)
        expect(abs(try #require(row.share) - share), below: 1e-9)
    }

    @Test func aSourceIsOneRowWhereverItStands() throws {
        let lines = [0, 3, 1].map {
            #"{"tile":"a","item":\#($0),"source":"b.mp4","frames":30,"presented":30,"seconds":1,"ended":"eof"}"#
        }
        let row = try #require(rows(lines).first)
        expect(rows(lines).count == 1 && (row.key.item, row.plays, row.whole, row.frames) == (nil, 3, 3, 90))
        expect(rows(lines, by: .item).map(\.key.item), equals: [0, 1, 3])
    }

    @Test func whatCouldNotBePlayedHasNoShare() throws {
        let line = #"{"tile":"a","item":0,"source":"b.mp4","frames":0,"presented":0,"seconds":0,"ended":"error"}"#
        let row = try #require(rows([line]).first)
        expect(row.plays == 0 && row.share == nil)
    }

    /// Layouts name one file in many ways. Lines of former versions have no `file`.
    @Test func aFileIsOneRowByWhateverName() {
        let names = [
            #""source":"./b.mp4","file":"/films/b.mp4""#, #""source":"/films/b.mp4","file":"/films/b.mp4""#,
            #""source":"link.mp4","file":"/films/b.mp4""#, #""source":"http://a/b.mp4","file":null"#,
            #""source":"b.mp4""#,
        ]
        let rows = rows(
            names.map { #"{"tile":"a","item":0,\#($0),"frames":30,"presented":30,"seconds":1,"ended":"eof"}"# })
        expect(rows.map(\.key.source), equals: ["/films/b.mp4", "b.mp4", "http://a/b.mp4"])
        expect(rows.map(\.plays), equals: [3, 1, 1])
    }
}
