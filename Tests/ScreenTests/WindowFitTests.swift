import Base
import Expectations
import Testing

@testable import Screen

@Suite struct WindowFitTests {
    private let laptop = WindowFit.Display(bounds: Rect(0, 0, 1366, 768), usable: Rect(0, 30, 1366, 738))
    private let second = WindowFit.Display(bounds: Rect(1366, 0, 1920, 1080), usable: Rect(1366, 0, 1920, 1080))

    @Test func whatHasRoomStaysAsItIs() {
        let fit = WindowFit(Size(1280, 720), .decorated, onDisplay: 0, of: [laptop])
        expect((fit.size, fit.display, fit.sizeRemark, fit.displayRemark) == (Size(1280, 720), 0, nil, nil))
    }

    @Test func whatHasNoneKeepsItsShape() {
        let fit = WindowFit(Size(3840, 2160), .decorated, onDisplay: 0, of: [laptop, second])
        expect(fit.size, equals: Size(1312, 738))
        expect(fit.sizeRemark, equals: "the window is 1312x738; the display has no room for 3840x2160")
        expect(WindowFit(Size(4000, 16), .decorated, onDisplay: 1, of: [laptop, second]).size, equals: Size(1920, 7))
        expect(WindowFit(Size(16, 16_384), .decorated, onDisplay: 0, of: [laptop]).size, equals: Size(1, 738))
    }

    @Test func withoutAFrameItMayLieOverSeveralDisplays() {
        let wide = WindowFit(Size(3286, 768), .borderless, onDisplay: 0, of: [laptop, second])
        expect((wide.size, wide.sizeRemark) == (Size(3286, 768), nil))
        expect(WindowFit(Size(1366, 768), .borderless, onDisplay: 0, of: [laptop]).size, equals: Size(1366, 768))
        expect(WindowFit(Size(2732, 1536), .borderless, onDisplay: 0, of: [laptop]).size, equals: Size(1366, 768))
    }

    @Test func aDisplayThatIsNotThereIsReported() {
        let one = WindowFit(Size(640, 360), .decorated, onDisplay: 1, of: [laptop])
        expect(one.display, equals: 0)
        expect(one.displayRemark, equals: "display 1 does not exist (only 0 exists); using display 0")
        let two = WindowFit(Size(640, 360), .decorated, onDisplay: 7, of: [laptop, second])
        expect(two.displayRemark, equals: "display 7 does not exist (there are 0 to 1); using display 0")
    }
}
