import Expectations
import Testing

@testable import Base
@testable import Player

private func ms(_ count: Int64) -> Time { .milliseconds(count) }

@Suite struct ZoomAnimationTests {
    @Test func theRectangleGoesFromOneToTheOther() {
        let zoom = ZoomAnimation(from: Rect(100, 50, 100, 100), to: Rect(0, 0, 800, 400), begin: ms(1000))
        let cases: [(Int64, Rect, Bool)] = [
            (0, Rect(100, 50, 100, 100), false), (1000, Rect(100, 50, 100, 100), false),
            // Half of the time has passed: seven eighths of the way.
            (1100, Rect(12, 6, 713, 363), false), (1200, Rect(0, 0, 800, 400), true),
            (5000, Rect(0, 0, 800, 400), true),
        ]
        for (now, rect, isOver) in cases {
            expect(zoom.rect(at: ms(now)), equals: rect, "\(now)")
            expect(zoom.isOver(at: ms(now)), equals: isOver)
        }
    }

    @Test func eachStepIsWithinTheNextOne() {
        let zoom = ZoomAnimation(from: Rect(333, 111, 97, 55), to: Rect(0, 0, 1919, 1079), begin: .zero)
        for now in 0..<200 { expect(zoom.rect(at: ms(Int64(now) + 1)).contains(zoom.rect(at: ms(Int64(now))))) }
    }

    @Test func aZoomTurnsBackFromWhereItIs() {
        let zoom = ZoomAnimation(from: Rect(100, 50, 100, 100), to: Rect(0, 0, 800, 400), begin: ms(1000))
        let back = zoom.turned(to: zoom.from, at: ms(1100))
        expect(back.rect(at: ms(1100)), equals: zoom.rect(at: ms(1100)))
        expect(back.rect(at: ms(1300)), equals: zoom.from)
        expect(!back.isOver(at: ms(1299)))
    }
}
