import Base
import Expectations
import Layout
import Testing

@testable import Screen

@Suite struct WindowFitTests {
    private let laptop = WindowFit.Display(bounds: Rect(0, 0, 1366, 768), usable: Rect(0, 30, 1366, 738))
    private let second = WindowFit.Display(bounds: Rect(1366, 0, 1920, 1080), usable: Rect(1366, 0, 1920, 1080))

    private func fitted(
        _ size: Size, isBorderless: Bool = false, onDisplay display: Int, of displays: [WindowFit.Display]
    ) -> WindowFit {
        var window = WindowLayout()
        (window.size, window.isBorderless, window.display) = (size, isBorderless, display)
        return WindowFit(window, of: displays)
    }

    @Test func whatHasRoomStaysAsItIs() {
        let fit = fitted(Size(1280, 720), onDisplay: 0, of: [laptop])
        expect((fit.size, fit.display, fit.sizeRemark, fit.displayRemark) == (Size(1280, 720), 0, nil, nil))
    }

    @Test func whatHasNoneKeepsItsShape() {
        let fit = fitted(Size(3840, 2160), onDisplay: 0, of: [laptop, second])
        expect(fit.size, equals: Size(1312, 738))
        expect(fit.sizeRemark, equals: "the window is 1312x738; the display has no room for 3840x2160")
        expect(fitted(Size(4000, 16), onDisplay: 1, of: [laptop, second]).size, equals: Size(1920, 7))
        expect(fitted(Size(16, 16_384), onDisplay: 0, of: [laptop]).size, equals: Size(1, 738))
    }

    @Test func withoutAFrameItMayLieOverSeveralDisplays() {
        let wide = fitted(Size(3286, 768), isBorderless: true, onDisplay: 0, of: [laptop, second])
        expect((wide.size, wide.sizeRemark) == (Size(3286, 768), nil))
        expect(fitted(Size(1366, 768), isBorderless: true, onDisplay: 0, of: [laptop]).size, equals: Size(1366, 768))
        expect(fitted(Size(2732, 1536), isBorderless: true, onDisplay: 0, of: [laptop]).size, equals: Size(1366, 768))
    }

    @Test func aDisplayThatIsNotThereIsReported() {
        let one = fitted(Size(640, 360), onDisplay: 1, of: [laptop])
        expect(one.display, equals: 0)
        expect(one.displayRemark, equals: "display 1 does not exist (only 0 exists); using display 0")
        let two = fitted(Size(640, 360), onDisplay: 7, of: [laptop, second])
        expect(two.displayRemark, equals: "display 7 does not exist (there are 0 to 1); using display 0")
    }
}
