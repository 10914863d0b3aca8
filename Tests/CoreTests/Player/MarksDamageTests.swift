import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Player
@testable import Scene
@testable import SimulatedWall

@Suite struct MarksDamageTests {
    private let rect = Rect(0, 0, 640, 360)
    private var places: MarksPlaces { MarksPlaces(in: rect) }

    private func scene(_ marks: Marks?, _ overlay: Overlay? = nil, serial: Int = 1) -> Scene {
        let content = View.Content.frame(.fake(serial: serial, at: rect))
        return Scene(
            size: Size(800, 400), background: .black,
            views: [View(tile: 0, rect: rect, content: content, label: nil, marks: marks)], overlay: overlay)
    }
    private func marks(_ change: (inout Marks) -> Void = { _ in }) -> Marks {
        var marks = Marks()
        marks.progress = .init(position: .seconds(1), length: .seconds(20), item: 0, of: 2)
        marks.states = [.paused]
        marks.spinner = .init(step: 0)
        marks.focusBorder = 1
        change(&marks)
        return marks
    }

    @Test func onlyTheMarkThatChangedIsDamaged() {
        let overlays = OverlayPlaces(in: Size(800, 400))
        let help = Overlay(help: KeyTable.wall.lines)
        let panel = overlays.help(of: KeyTable.wall.lines).panel
        let cases: [(String, Scene, Scene, [Rect])] = [
            ("none", scene(nil), scene(nil), []),
            ("the same", scene(marks()), scene(marks()), []),
            ("less than a pixel", scene(marks()), scene(marks { $0.progress!.fraction! += 0.0001 }), []),
            ("the bar", scene(marks()), scene(marks { $0.progress!.fraction! += 0.01 }), [places.barArea]),
            ("a second", scene(marks()), scene(marks { $0.progress!.time = "0:02" }), [places.strip]),
            ("the spinner", scene(marks()), scene(marks { $0.spinner!.step = 1 }), [places.spinner(.init(step: 1))]),
            ("the frame", scene(marks()), scene(marks { $0.focusBorder = 0.5 }), places.edges),
            ("goes on", scene(marks()), scene(marks { $0.states = [] }), [places.corner(of: marks())]),
            (
                "the time", scene(marks { $0.time = "0:01" }), scene(marks { $0.time = "0:02" }),
                [places.time(of: marks { $0.time = "0:02" })]
            ),
            (
                "a reason", scene(marks()), scene(marks { $0.reasons = [.trouble("x")] }),
                [places.notes(of: marks { $0.reasons = [.trouble("x")] })]
            ),
            ("dimmed", scene(marks()), scene(marks { $0.isDimmed = true }), [rect]),
            (
                "dimmed alone", scene(nil),
                scene(
                    {
                        var marks = Marks(); marks.isDimmed = true; return marks
                    }()), [rect]
            ),
            (
                "a second more", scene(marks { $0.reasons = [.noNewFrame("5 s")] }),
                scene(marks { $0.reasons = [.noNewFrame("6 s")] }),
                [places.notes(of: marks { $0.reasons = [.noNewFrame("6 s")] })]
            ),
            ("a frame too", scene(marks()), scene(marks { $0.spinner = nil }, serial: 2), [rect]),
            ("help came", scene(nil), scene(nil, help), [panel]),
            ("help stays", scene(nil, help), scene(nil, help), []),
            ("help went", scene(nil, help), scene(nil), [panel]),
            ("a foot came", scene(nil, help), scene(nil, Overlay(help: help.help, foot: "x")), [overlays.foot]),
            (
                "a line beside the help", scene(nil, help), scene(nil, Overlay(help: help.help, info: ["x"])),
                [overlays.info(of: Overlay(help: help.help, info: ["x"]))]
            ),
        ]
        for (name, old, new, expected) in cases {
            expect(new.damage(since: old), equals: expected, "\(name)")
        }
    }
}
