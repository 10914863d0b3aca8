import Base
import CSDL2
import Commands
import Expectations
import Foundation
import Layout
import Media
import Scene
import Testing
import Threads

@testable import Screen

/// Windows on private X servers. SDL's state belongs to the process, so the tests run one after the other.
@Suite(.serialized) struct WindowTests {
    private func window(_ canvas: CanvasChoice, _ texts: TextMaker? = nil) throws -> Window {
        try Window(title: "test", layout(Size(640, 360)), canvas: canvas, texts: texts)
    }

    private func layout(_ size: Size) -> WindowLayout {
        var layout = WindowLayout()
        layout.size = size
        return layout
    }

    /// Handles events until `isEnough` is true, for at most 5 s.
    private func wait(_ window: Window, until isEnough: ([InputEvent]) -> Bool) -> [InputEvent] {
        let limit = monotonicNanoseconds() + 5_000_000_000
        var events: [InputEvent] = []
        while !isEnough(events), monotonicNanoseconds() < limit { events += window.wait(untilNanoseconds: limit) }
        return events
    }

    /// A scene with something of each kind, odd places and sizes included.
    private func wall(_ size: Size, serial: Int = 1) -> Scene {
        let (w, h) = (size.width / 2, size.height / 2)
        var marks = Marks()
        marks.progress = .init(position: .seconds(7), length: .seconds(20), item: 0, of: 2)
        marks.states = [.paused, .heard, .focus]
        marks.reasons = [.trouble("damaged")]
        marks.info = ["h264 1280x720"]
        marks.spinner = .init(step: 3)
        marks.isDimmed = true
        marks.reasons.append(.noNewFrame("12 s"))
        marks.focusBorder = 0.5
        var first = View.shown(
            Drawn.i420(w, h, .gradient), tile: 0, serial: serial, at: Rect(0, 0, w, h), label: "Label")
        first.marks = marks
        var scene = Scene(
            size, first,
            .shown(Drawn.i420(201, 113, .gradient, .init(.bt601, .limited)), tile: 1, at: Rect(w, 0, w, h)),
            .shown(
                Drawn.i420(201, 113, .gradient, .init(.bt601, .full)), tile: 2, crop: Fractions(0.25, 0.25, 0.5, 0.5),
                at: Rect(0, h, w - 21, h)),
            .shown(Drawn.i444(w, h, .gradient, .init(.bt2020, .limited)), tile: 3, at: Rect(w, h, w / 2, h)),
            .card("card", "waits", tile: 4, at: Rect(w + w / 2, h, w / 2, h)),
            .shown(
                Drawn.bgra(99, 77, Color(red: 250, green: 120, blue: 0), alpha: 120), tile: 5,
                at: Rect(w - 50, h - 41, 99, 77)))
        scene.overlay = Overlay(info: ["Volume 80"])
        return scene
    }

    @Test func withoutADisplayTheMessageSaysWhatToDo() throws {
        unsetenv("DISPLAY")
        unsetenv("WAYLAND_DISPLAY")
        unsetenv("SDL_VIDEODRIVER")
        #expect {
            try window(.auto)
        } throws: {
            guard let trouble = $0 as? ScreenTrouble else { return false }
            return trouble.kind == .noDisplay && !trouble.description.contains("\n")
                && trouble.description.contains("neither DISPLAY nor WAYLAND_DISPLAY is set")
        }
    }

    @Test func theCPUCanvasShowsTheScene() throws {
        let display = try Display()
        try withExtendedLifetime(display) {
            let window = try window(.cpu)
            expect(window.canvasName, equals: "cpu")
            expect(window.pixelSize, equals: Size(640, 360))
            expect(window.refreshInterval, above: 1_000_000)
            let frame = Drawn.i420(640, 360, .noise)
            let scene = Scene(Size(640, 360), View.shown(frame, at: Rect(0, 0, 640, 360)))
            expect(window.present(scene), equals: .drawn)
            expect(window.present(scene), equals: .unchanged)
            expect(window.snapshot().1, equals: converted(frame))
        }
    }

    @Test func withoutAGPUAutoIsTheCPU() throws {
        let display = try Display()
        try withExtendedLifetime(display) {
            let window = try window(.auto)
            expect(window.canvasName, equals: "cpu")
        }
    }

    @Test func bothCanvasesShowTheSame() throws {
        let display = try Display()
        try withExtendedLifetime(display) {
            let texts = TextMaker {}
            defer { texts.stop() }
            func look(_ canvas: CanvasChoice) throws -> [UInt32] {
                let window = try window(canvas, texts)
                expect(window.canvasName, equals: canvas.rawValue)
                expect(window.present(wall(Size(640, 360))), equals: .drawn)
                expect(texts.settle(within: 20_000_000_000), equals: .settled)
                window.present(wall(Size(640, 360)))
                expect(window.present(wall(Size(640, 360))), equals: .unchanged)
                expect(window.present(wall(Size(640, 360), serial: 2)), equals: .drawn)
                let (size, pixels) = window.snapshot()
                expect(size, equals: Size(640, 360))
                keep(size, pixels, as: "canvas-\(canvas.rawValue)")
                return pixels
            }
            let cpu = try look(.cpu), gpu = try look(.gpu)
            expect(meanDifference(cpu, gpu), below: 1.5)
        }
    }

    /// Differences are amplified, so the two canvases must draw frames exactly alike.
    @Test(arguments: [CanvasChoice.cpu, .gpu])
    func aComparisonLooksTheSameOnEachCanvas(_ canvas: CanvasChoice) throws {
        let display = try Display()
        try withExtendedLifetime(display) {
            let window = try window(canvas)
            let size = Size(640, 360)
            let frames = [Drawn.i420(320, 180, .noise), Drawn.i420(201, 113, .noise, seed: 3)]
            for (place, mode) in ComparisonMode.allCases.enumerated() where mode != .blink {
                for crop in [Fractions.all, Fractions(0.3, 0.4, 0.1, 0.1)] {
                    let target = Rect(0, 0, 640, 360)
                    let parts = frames.enumerated().map {
                        PlacedFrame(
                            $1, stamp: Stamp(feed: FeedID(number: $0), serial: place), crop: crop, target: target)
                    }
                    let compared = ComparedFrames(
                        parts, mode: mode, gain: 8, at: 0.4, angle: Angle(degrees: 20), precision: .full)
                    let scene = Scene(
                        size,
                        View(
                            tile: TileID(number: 0), rect: target, content: .comparison(compared), label: nil))
                    expect(window.present(scene), equals: .drawn)
                    let paper = Paper(640, 360)
                    _ = Painter(texts: nil).paint(scene, into: paper.raster, .everything)
                    expect(window.snapshot().1, equals: paper.raster.pixels, "\(mode)")
                }
            }
        }
    }

    @Test func aSoftwareRendererServesWhereThereIsNoOpenGL() throws {
        let display = try Display()
        try withExtendedLifetime(display) {
            setenv("SDL_RENDER_DRIVER", "software", 1)
            defer { unsetenv("SDL_RENDER_DRIVER") }
            let window = try window(.gpu)
            expect(window.canvasName, equals: "gpu")
            expect(window.present(wall(Size(640, 360))), equals: .drawn)
            let (size, pixels) = window.snapshot()
            let paper = Paper(640, 360)
            _ = Painter(texts: nil).paint(wall(Size(640, 360)), into: paper.raster, .everything)
            keep(size, pixels, as: "canvas-software")
            expect(meanDifference(paper.raster.pixels, pixels), below: 2.5)
        }
    }

    @Test(arguments: [CanvasChoice.cpu, .gpu])
    func aNewSizeIsReportedAndDrawnWhole(_ canvas: CanvasChoice) throws {
        let display = try Display()
        try withExtendedLifetime(display) {
            let window = try window(canvas)
            expect(window.present(wall(window.pixelSize)), equals: .drawn)
            for size in [Size(801, 451), Size(333, 217)] {
                _ = window.follow(layout(size), after: layout(window.pixelSize))
                let events = wait(window) { $0.contains(.window(.resized(size))) }
                expect(events.contains(.window(.resized(size))))
                expect(window.pixelSize, equals: size)
                expect(window.present(wall(Size(640, 360))), equals: .lost)
                expect(window.present(wall(size)), equals: .drawn)
                let paper = Paper(size.width, size.height)
                _ = Painter(texts: nil).paint(wall(size), into: paper.raster, .everything)
                let (shown, pixels) = window.snapshot()
                expect(shown, equals: size)
                expect(meanDifference(paper.raster.pixels, pixels), below: 1.5)
            }
        }
    }

    @Test func aSixteenBitDisplayIsDrawnOn() throws {
        let display = try Display(depth: 16)
        try withExtendedLifetime(display) {
            let window = try window(.cpu)
            let frame = Drawn.i420(640, 360, .gradient)
            let scene = Scene(Size(640, 360), View.shown(frame, at: Rect(0, 0, 640, 360)))
            expect(window.present(scene), equals: .drawn)
            expect(window.present(scene), equals: .unchanged)
            expect(window.snapshot().1, equals: converted(frame))
        }
    }

    @Test func aWakeUpEndsTheWait() throws {
        let display = try Display()
        try withExtendedLifetime(display) {
            let window = try window(.cpu)
            _ = wait(window) { $0.contains(.window(.shown)) || $0.contains(.window(.exposed)) }
            let waker = window.waker
            for _ in 0..<3 {
                let worker = try Worker("waker") { for _ in 0..<100_000 { waker.wake() } }
                let events = wait(window) { $0.contains(.wake) }
                expect(events.contains(.wake))
                expect(worker.join(), equals: [])
                _ = window.wait(untilNanoseconds: 0)
            }
            let start = monotonicNanoseconds()
            while monotonicNanoseconds() < start + 30_500_000 { _ = window.wait(untilNanoseconds: start + 30_500_000) }
            expect(monotonicNanoseconds(), below: start + 100_000_000)
        }
    }

    @Test func fullScreenAndBackWithoutAWindowManager() throws {
        let display = try Display()
        try withExtendedLifetime(display) {
            let window = try window(.cpu)
            window.setMode(.fullscreen)
            _ = wait(window) { $0.contains(.window(.resized(Size(1280, 800)))) }
            expect(window.pixelSize, equals: Size(1280, 800))
            expect(window.mode, equals: .fullscreen)
            expect(window.present(wall(Size(1280, 800))), equals: .drawn)
            window.setMode(.windowed)
            _ = wait(window) { $0.contains(.window(.resized(Size(640, 360)))) }
            expect(window.pixelSize, equals: Size(640, 360))
            expect(window.mode, equals: .windowed)
            expect(window.present(wall(Size(640, 360))), equals: .drawn)
        }
    }
}
