import Expectations
import TestKit
import Testing

@Suite struct StripTests {
    private func rows(_ mark: Mark) -> [Strip.Row: [Bool]] {
        Dictionary(uniqueKeysWithValues: Strip.Row.allCases.map { ($0, Strip.blocks(of: $0, for: mark)) })
    }

    @Test func everyMarkIsReadAsItWasWritten() {
        for clip in 0..<16 {
            for number in stride(from: 0, to: 4096, by: 37) {
                let mark = Mark(clip: clip, number: number)
                expect(Strip.read(rows(mark)), equals: mark)
            }
        }
    }

    @Test func aMixOfTwoFramesIsNoMark() {
        for number in 0..<500 {
            let (one, next) = (rows(Mark(clip: 3, number: number)), rows(Mark(clip: 3, number: number + 1)))
            for row in Strip.Row.allCases {
                var mixed = one
                mixed[row] = next[row]
                expect(Strip.read(mixed), equals: nil)
            }
        }
    }

    @Test func ofTwoThatShineThroughEachOtherBothAreRead() {
        for share in [6, 12, 25, 40, 44] {
            for number in stride(from: 0, to: 4000, by: 41) {
                let (over, under) = (Mark(clip: 3, number: number), Mark(clip: 5, number: 4000 - number))
                let mixed = Dictionary(
                    uniqueKeysWithValues: Strip.Row.allCases.map { row in
                        let (a, b) = (Strip.blocks(of: row, for: over), Strip.blocks(of: row, for: under))
                        return (row, zip(a, b).map { 16 + 219 * (($0 ? 100 - share : 0) + ($1 ? share : 0)) / 100 })
                    })
                let read = Strip.readFade(mixed)
                expect(read?.over == over && read?.under == under)
                expect(abs((read?.share ?? 0) - share), atMost: 1)
            }
        }
        expect(Strip.readFade(rows(Mark(clip: 1, number: 1)).mapValues { $0.map { $0 ? 235 : 16 } }) == nil)
    }

    @Test func aStripWhoseHeadIsCroppedIsReadAtItsFoot() {
        let mark = Mark(clip: 7, number: 99)
        expect(Strip.read([.foot: Strip.blocks(of: .foot, for: mark)]), equals: mark)
        expect(Strip.read([.check: Strip.blocks(of: .check, for: mark)]), equals: nil)
    }
}

@Suite struct SuccessionTests {
    private func runs(_ numbers: [Int], clip: Int = 1) -> [Run] {
        numbers.enumerated().map { index, number in
            let time = Double(index) * 0.04
            return Run(
                reading: number < 0 ? .black : .frame(Mark(clip: clip, number: number)), first: time, last: time,
                end: time + 0.04)
        }
    }

    @Test func aCleanLoopDropsNothing() {
        let seen = Succession(runs([8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0]), looping: 1, 10)
        expect(seen.missing.isEmpty && seen.backward.isEmpty && seen.black == 0)
        expect(seen.seams.count, equals: 2)
    }

    @Test func whatWasSkippedIsNamedAcrossTheLoopToo() {
        let seen = Succession(runs([6, 7, 9, 1, 2]), looping: 1, 10)
        expect(seen.missing.map(\.number), equals: [8, 0])
    }

    @Test func aStepBackIsNoSeam() {
        let seen = Succession(runs([4, 5, 4, 5, 6]), looping: 1, 10)
        expect(seen.backward.map(\.number), equals: [4])
        expect(seen.seams.isEmpty)
    }

    @Test func blackAndStrangersAreCounted() {
        let seen = Succession(runs([4, -1, 5]) + runs([6], clip: 2), looping: 1, 10)
        expect(seen.black == 1 && seen.unreadable == 1 && seen.missing.isEmpty)
    }

    @Test func clipsFollowEachOtherByTheirNumbers() {
        let one = runs([3, 4], clip: 1), two = runs([0, 1], clip: 2), again = runs([0], clip: 1)
        let seen = Succession(one + two + again, playing: [(1, 0..<5), (2, 0..<3)])
        expect(seen.missing, equals: [Mark(clip: 2, number: 2)])
    }
}
