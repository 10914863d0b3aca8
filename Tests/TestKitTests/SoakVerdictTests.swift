import Expectations
import TestKit
import Testing

/// Tests which samples `make soak` accepts as those of a wall that stays as it was.
@Suite struct SoakVerdictTests {
    /// Judges two hours of samples, after `change` was applied to each.
    private func verdict(
        minutes: Int = 120, ending: String? = nil, _ change: (Int, inout SoakSample) -> Void = { _, _ in }
    ) -> SoakVerdict {
        let samples = (0..<minutes * 2).map { place in
            var sample = SoakSample(
                second: Double(place) * 30, memory: 90_000_000 + place % 7 * 900_000,
                alone: place % 2 == 0
                    ? nil : .init(memory: 60_000_000 + place % 5 * 900_000, heap: 20_000_000 + place % 5 * 100_000),
                displayMemory: 40_000_000,
                threads: place % 5 == 0 ? 12 : 9, files: 17)
            change(place, &sample)
            return sample
        }
        return SoakVerdict(samples, ending)
    }

    @Test func whatStaysAsItIsPasses() {
        expect(verdict().isGood, "\(verdict().text)")
        // Growth while warming up.
        expect(verdict { if $0 < 30 { $1.memory = 1_000_000 * $0 } }.isGood)
        expect(verdict { if $0 < 30 { grow(&$1.alone, by: 1_000_000 * $0) } }.isGood)
        expect(verdict(minutes: 10).isGood)
    }

    @Test func whatWaversIsOnlySeenToGrowWhenItDoes() {
        expect(verdict { if $0 % 40 == 39 { $1.memory += 50_000_000 } }.isGood)
        expect(verdict { $1.memory += $0 * 37 % 61 * 400_000 }.isGood)
        expect(!verdict { $1.memory += $0 * 37 % 61 * 400_000 + $0 * 200_000 }.isGood)
    }

    @Test func whatGrowsFails() {
        // 1.1 MiB an hour, at 120 samples an hour.
        let grows = verdict { grow(&$1.alone, by: $0 * 9_700) }
        expect(!grows.isGood && grows.text.contains("slope 1.1"), "\(grows.text)")
        expect(verdict { grow(&$1.alone, by: $0 * 7_000) }.isGood)
        expect(!verdict { $1.memory += $0 * 20_000 }.isGood)
        expect(!verdict { grow(&$1.alone, \.memory, by: $0 * 20_000) }.isGood)
        expect(!verdict { $1.displayMemory += $0 * 9_700 }.isGood)
        expect(!verdict { $1.threads += $0 / 60 }.isGood)
        expect(!verdict { $1.files += $0 / 20 }.isGood)
    }

    /// An hour that cannot distinguish growth from none has not shown that there is none.
    @Test func anHourMustTell() {
        let wavering = verdict { grow(&$1.alone, by: $0 * 37 % 61 * 400_000) }
        expect(!wavering.isGood && wavering.text.contains("not told from 1"), "\(wavering.text)")
        let short = verdict(minutes: 20) { grow(&$1.alone, by: $0 * 37 % 61 * 40_000) }
        expect(short.isGood && short.text.contains("too short to tell from 1"), "\(short.text)")
        expect(!verdict(minutes: 20) { grow(&$1.alone, by: $0 * 400_000) }.isGood)
        expect(!verdict { $1.alone = nil }.isGood)
        // Constant for hours, with a step at the end.
        expect(!verdict { if $0 > 180 { grow(&$1.alone, by: 3_000_000) } }.isGood)
    }

    private func grow(
        _ alone: inout SoakSample.Alone?, _ what: WritableKeyPath<SoakSample.Alone, Int> = \.heap, by bytes: Int
    ) { alone?[keyPath: what] += bytes }

    @Test func aTileThatDropsFramesFails() {
        expect(!verdict { if $0 == 3 { $1.dropped = 1 } }.isGood)
        expect(!verdict { if $0 == 3 { $1.seen = ["1 time black"] } }.isGood)
        // No program can show frames on a machine that stands still.
        expect(verdict { if $0 == 3 { ($1.dropped, $1.excused) = (2, 2) } }.isGood)
        expect(!verdict { if $0 == 3 { ($1.dropped, $1.excused) = (2, 1) } }.isGood)
    }

    @Test func whenFramesAreDroppedIsReadInTheTrace() throws {
        let shown = [0, 1, 2, 5, 6, 8, 30].map { number -> String in
            let due = Double(number) / 30
            return #"{"t":\#(due + 0.001),"event":"picture","tile":"a","due":\#(due)}"#
        }
        let others = #"{"t":0.07,"event":"picture","tile":"b","due":0.0666}"# + "\n"
        let dropped = DroppedFrames(Trace(text: others + shown.joined(separator: "\n")), tile: "a", rate: 30)
        try #require(dropped.gaps.map(\.count) == [2, 1, 21])
        expect(abs(dropped.gaps[0].from - 0.0677) < 0.001 && abs(dropped.gaps[0].to - 0.1677) < 0.001)
        // A trace that is read in parts also has the gap between two parts.
        let first = DroppedFrames(Trace(text: shown[..<3].joined(separator: "\n")), tile: "a", rate: 30)
        let text = shown[3...].joined(separator: "\n")
        let second = DroppedFrames(Trace(text: text), tile: "a", rate: 30, after: first.last)
        expect((first.gaps + second.gaps), equals: dropped.gaps)
    }

    @Test func anUglyEndFails() {
        expect(!verdict(ending: "the wall ended with 139").isGood)
        // Too few samples for a verdict.
        expect(!verdict(minutes: 4).isGood)
    }
}
