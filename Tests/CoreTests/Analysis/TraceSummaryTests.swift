import Analysis
import Base
import Expectations
import Testing

@Suite struct TraceSummaryTests {
    private static func counts(_ at: Double, _ event: String, late: Int, dropped: Int, stalls: Int) -> String {
        """
        {"t":\(at),"event":"\(event)","presented":\(Int(at) * 30),"late":\(late),"missed":\(dropped),"max-open":1,\
        "tiles":{"a":{"presented":1,"late":0,"missed":0,"startup-ms":9,"stalls":\(stalls)}}}

        """
    }

    private static func trouble(_ at: Double, _ source: String) -> String {
        """
        {"t":\(at),"event":"trouble","tile":"a","source":"\(source)","item":0,"pts":null,"kind":"missing","what":"gone"}

        """
    }

    private static func seam(_ at: Double, _ reason: String) -> String {
        """
        {"t":\(at),"event":"seam","tile":"a","pass":1,"item":0,"round":0,"how":"swapped","late-ms":40,"reason":\(reason)}

        """
    }

    private static func read(_ lines: [String]) -> TraceSummary? {
        TraceSummary.read(lines.map { Array($0.utf8) }, tiles: ["a"])
    }

    /// Counts accumulate from the start of the run, also if the run continues in another file.
    @Test func aLongRunIsSummedUpByTheHour() throws {
        let first =
            Self.trouble(10, "b.mp4") + Self.counts(1800, "sums", late: 2, dropped: 1, stalls: 0)
            + Self.seam(2000, "null") + Self.counts(3600.01, "sums", late: 2, dropped: 5, stalls: 1)
        let second =
            Self.trouble(7300, "b.mp4") + Self.trouble(7400, "c.mp4") + Self.seam(7400, "\"slow\"")
            + Self.counts(9000, "end", late: 3, dropped: 5, stalls: 1)
        let run = try #require(Self.read([first, second]))
        expect(run.length, equals: .seconds(9000))
        expect(run.hours.keys.sorted(), equals: [0, 2])
        let begin = try #require(run.hours[0]), later = try #require(run.hours[2])
        expect((begin.late, begin.dropped, begin.stalls) == (2, 5, 1) && begin.presented == 3600 * 30)
        expect((begin.seams, begin.lateSeams, begin.troubles) == (1, 0, 1))
        expect((later.late, later.dropped, later.stalls) == (1, 0, 0) && later.presented == 5400 * 30)
        expect((later.seams, later.lateSeams, later.troubles) == (1, 1, 2))
        expect(run.total.late == 3 && run.total.dropped == 5 && run.total.stalls == 1 && run.total.seams == 2)
        expect(run.troubles.map(\.source), equals: ["b.mp4", "c.mp4"])
        expect(run.troubles[0].count == 2 && run.troubles[0].hours == [0, 2])
    }

    @Test func whatAPowerCutLeavesIsRead() throws {
        let whole = Self.trouble(10, "b.mp4") + Self.counts(600, "sums", late: 2, dropped: 0, stalls: 0)
        let torn = whole + String(Self.seam(700, "null").prefix(20))
        try expect(#require(Self.read([torn])), equals: #require(Self.read([whole])))
        expect(Self.read([torn + "\n" + whole]), equals: nil)
    }

    /// The trace has counts every ten minutes and at the end.
    @Test func ofARunThatGoesOnOnlyWhatWasCountedIsKnown() throws {
        let begun = try #require(Self.read([Self.seam(35, "null")]))
        expect(begun.countedTo == nil && !begun.hasEnded && !begun.isCounted(hour: 0))
        let counted = Self.counts(600, "sums", late: 0, dropped: 0, stalls: 0)
        let later = try #require(Self.read([counted + Self.seam(7300, "null")]))
        expect(later.countedTo == .seconds(600) && !later.hasEnded)
        expect(later.isCounted(hour: 0) && !later.isCounted(hour: 2))
        let whole = try #require(Self.read([counted + Self.counts(700, "end", late: 0, dropped: 0, stalls: 0)]))
        expect(whole.hasEnded && whole.isCounted(hour: 0))
    }
}
