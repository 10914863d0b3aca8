import Expectations
import Testing

@testable import Base
@testable import Measurement

@Suite struct FrameMatchTests {
    private static let pixels = FrameChanges.size.width * FrameChanges.size.height

    /// Returns the frame at an instant: squares that become lighter and darker, each in its own way.
    private static func frame(_ seconds: Double, seed: Int) -> [Double] {
        (0..<pixels).map { pixel in
            let square = pixel % 32 / 4 + pixel / 32 / 3 * 8 + seed * 100
            var light = 128.0
            for wave in 1...3 {
                let turns = seconds * (0.31 + Double((square * 37 * wave) % 101) / 60)
                light += 25 * cosine(ofTurns: turns + Double((square * 53 * wave) % 97) / 97)
            }
            return light
        }
    }

    /// `from`: start of the clip within the filmed event, in seconds.
    private static func clip(
        from start: Double = 0, seconds: Double = 8, rate: Int64 = 25, seed: Int = 1, light: (Double) -> Double = { $0 }
    ) -> FrameChanges {
        var changes = FrameChanges()
        let length = Time(1, ofUnits: 1, over: rate)
        for number in 0..<Int64(seconds * Double(rate)) {
            let time = Time(number, ofUnits: 1, over: rate)
            let bytes = frame(start + time.seconds, seed: seed).map { UInt8(min(255, max(0, light($0)))) }
            changes.append(bytes, start: time, length: length)
        }
        return changes
    }

    static let pairs: [(from: Double, rate: Int64, dark: Bool, due: Time)] = [
        (0, 25, false, .zero), (1.2, 25, false, .milliseconds(-1_200)), (1.2, 25, true, .milliseconds(-1_200)),
        (0.6, 50, false, .milliseconds(-600)), (2, 30, false, .seconds(-2)),
    ]

    @Test(arguments: 0..<5) func framesAreFoundToTheFrame(_ index: Int) {
        let pair = Self.pairs[index]
        let other = Self.clip(from: pair.from, seconds: 6, rate: pair.rate) { pair.dark ? 20 + $0 * 0.5 : $0 }
        for (verdict, due) in [
            (FrameMatch(Self.clip(), other).verdict, pair.due), (FrameMatch(other, Self.clip()).verdict, -pair.due),
        ] {
            guard case .found(let offset, let confidence) = verdict else {
                Issue.record("\(pair): \(verdict)")
                continue
            }
            // At equal rates the offset is exact, so that no tile shows the frame before.
            expect(
                (offset - due).magnitude, atMost: (pair.rate == 30 ? .milliseconds(20) : .zero), "\(pair): \(offset)")
            expect(confidence, above: 0.5)
        }
    }

    private static func still() -> FrameChanges { clip { _ in 90 } }

    @Test func otherFramesStandingOnesAndShortClipsAreRefused() {
        expect(FrameMatch(Self.clip(), Self.clip(seed: 2)).verdict, equals: .refused(.unrelated))
        expect(FrameMatch(Self.clip(), Self.still()).verdict, equals: .refused(.tooEven))
        expect(FrameMatch(Self.clip(), Self.clip(seconds: 0.8)).verdict, equals: .refused(.tooShort))
    }

    /// Light and dark alternate once a second.
    @Test func aLampThatBlinksIsRefused() {
        func blinking(_ start: Double) -> FrameChanges {
            var changes = FrameChanges()
            for number in 0..<Int64(200) {
                let time = Time(number, ofUnits: 1, over: 25), second = start + time.seconds
                let light: UInt8 = second - second.rounded(.down) < 0.5 ? 40 : 200
                changes.append(
                    [UInt8](repeating: light, count: Self.pixels), start: time, length: Time(1, ofUnits: 1, over: 25))
            }
            return changes
        }
        guard case .refused(.repeats) = FrameMatch(blinking(0), blinking(0.2)).verdict else {
            Issue.record("\(FrameMatch(blinking(0), blinking(0.2)).verdict)")
            return
        }
    }

    /// Black frames with one white flash of a fifth of a second.
    @Test func oneFlashIsTooLittle() {
        func flash(_ numbers: Range<Int64>) -> FrameChanges {
            var changes = FrameChanges()
            for number in 0..<Int64(250) {
                changes.append(
                    [UInt8](repeating: numbers.contains(number) ? 235 : 16, count: Self.pixels),
                    start: Time(number, ofUnits: 1, over: 25), length: Time(1, ofUnits: 1, over: 25))
            }
            return changes
        }
        expect(FrameMatch(flash(75..<80), flash(125..<130)).verdict, equals: .refused(.tooFew))
    }

    /// Each case: both rates, a shift, and the expected shift.
    @Test(arguments: [
        (25, 25, 0.4012, 0.4), (25, 25, 0.3985, 0.4), (25, 25, -0.4012, -0.4), (25, 25, 0.41, 0.41),
        (25, 50, 0.4199, 0.42), (25, 30, 0.4012, 0.4012), (60, 60, 0.1, 0.1), (60, 60, 0.101, 0.1),
    ])
    func aShiftNextToAFrameIsThatFrame(_ one: Int64, _ other: Int64, _ shift: Double, _ due: Double) {
        let frames = [one, other].map { Time(1, ofUnits: 1, over: $0) }
        let snapped = Time(seconds: shift).snapped(toFramesOf: frames[0], frames[1])
        expect((snapped - Time(seconds: due)).magnitude, atMost: Time(ticks: 1), "\(snapped.seconds)")
    }

    /// Each case: score, prominence, rival, events, whether the shift is exact, and the expected refusal.
    @Test(
        arguments: [
            (0.9, 20, 0.1, 30, false, nil), (0.9, 20, 0.7, 30, false, .repeats(.zero, .seconds(1))),
            (0.9, 20, 0.7, 30, true, nil), (0.9, 20, 0.9, 30, true, .repeats(.zero, .seconds(1))),
            (0.9, 20, 0.1, 3, false, .tooFew), (0.9, 3, 0.1, 30, false, .unrelated),
            (0.1, 20, 0.1, 30, false, .unrelated),
        ] as [(Double, Double, Double, Double, Bool, AlignRefusal?)])
    func aJudgeRefusesWhatDoesNotStandOut(
        _ score: Double, _ prominence: Double, _ rival: Double, _ events: Double, _ isExact: Bool, _ due: AlignRefusal?
    ) {
        let judge = MatchJudge(score: score, prominence: prominence, rival: rival, events: events, isExact: isExact)
        expect(judge.refusal([.init(score: 0.2, prominence: 5)], .zero, .seconds(1)), equals: due)
    }
}
