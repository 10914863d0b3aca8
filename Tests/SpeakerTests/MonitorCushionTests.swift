import Expectations
import Testing

@testable import Base
@testable import Speaker

/// Lengths of the buffer of a monitored microphone: the least that holds.
@Suite struct MonitorCushionTests {
    /// An output that runs dry if the cushion is shorter than it needs at the time.
    private struct Output {
        var cushion = MonitorCushion()
        private(set) var underruns: [Int] = []
        private var seconds = 0

        mutating func play(seconds count: Int, needing length: UInt32) {
            for _ in 0..<count {
                seconds += 1
                // The server reports an underrun for each second in which it has too little.
                while cushion.length < length, cushion.canGrow {
                    cushion.grow()
                    underruns.append(seconds)
                }
                for _ in 0..<20 { _ = cushion.shrinks(after: SoundGrid.rate / 20) }
            }
        }
    }

    @Test func theCushionGoesBackDownAfterADisturbance() {
        var output = Output()
        let shortest = output.cushion.length
        output.play(seconds: 60, needing: shortest)
        expect(output.cushion.length == shortest && output.underruns.isEmpty)
        output.play(seconds: 2, needing: 60)
        expect(output.cushion.length, atLeast: 60)
        output.play(seconds: 120, needing: shortest)
        expect(output.cushion.length, equals: shortest)
    }

    @Test func whatItNeedsIsTriedSeldomAndKept() {
        var output = Output()
        output.play(seconds: 3600, needing: 40)
        expect(output.cushion.length, atLeast: 40)
        // Trials of a shorter cushion become rare.
        expect(output.underruns.filter { $0 > 10 }.count, atMost: 12)
        expect(output.underruns.filter { $0 > 1800 }.count, atMost: 5)
        let before = output.underruns.count
        output.play(seconds: 3600, needing: 10)
        expect(output.cushion.length == 10 && output.underruns.count == before)
    }

    @Test func theLongestDoesNotGrow() {
        var cushion = MonitorCushion()
        while cushion.canGrow { cushion.grow() }
        expect(cushion.length, equals: 120)
        var lengths: [UInt32] = []
        for _ in 0..<2_000_000 where cushion.shrinks(after: SoundGrid.rate / 10) { lengths.append(cushion.length) }
        expect(lengths == lengths.sorted(by: >) && lengths.last == 10, "\(lengths)")
    }
}
