import Expectations
import Testing

@testable import Base
@testable import Decoded
@testable import Scene

/// Frames of which only the opacity matters.
private enum Glass {
    static let opaque = frame(.opaque)
    static let clear = frame(.translucent)

    private static func frame(_ opacity: Frame.Opacity) -> Frame {
        Frame(size: Size(1, 1), natural: Size(1, 1), format: .bgra(opacity), planes: [])
    }
}
private let window = Size(100, 100)

private func scene(_ views: View...) -> Scene {
    Scene(size: window, background: .black, views: views)
}
private func frame(
    _ tile: Int, _ target: Rect, serial: Int = 1, _ glass: Frame = Glass.opaque, rect: Rect? = nil, label: String? = nil
) -> View {
    let stamp = Stamp(feed: FeedID(number: tile), serial: serial)
    return View(
        tile: TileID(number: tile), rect: rect ?? target,
        content: .frame(PlacedFrame(glass, stamp: stamp, crop: .all, target: target)), label: label)
}
private func card(_ tile: Int, _ rect: Rect, _ detail: String = "") -> View {
    View(
        tile: TileID(number: tile), rect: rect, content: .card(Card(.placeholder, "\(tile)", detail)),
        label: nil)
}
private let left = Rect(0, 0, 50, 100), right = Rect(50, 0, 50, 100), small = Rect(10, 10, 20, 20)
private let all = Rect(window)

@Suite struct DamageTests {
    @Test func onlyWhatDiffersIsDamaged() {
        let cases: [(String, Scene?, Scene, [Rect])] = [
            ("nothing before", nil, scene(frame(0, left)), [all]),
            ("the same", scene(frame(0, left)), scene(frame(0, left)), []),
            (
                "a new frame", scene(frame(0, left), frame(1, right)),
                scene(frame(0, left), frame(1, right, serial: 2)), [right]
            ),
            (
                "two new frames", scene(frame(0, left), frame(1, right)),
                scene(frame(0, left, serial: 2), frame(1, right, serial: 2)), [left, right]
            ),
            (
                "a tile moved", scene(frame(0, small)), scene(frame(0, Rect(60, 60, 20, 20))),
                [small, Rect(60, 60, 20, 20)]
            ),
            ("a tile grew: the old place is within the new", scene(frame(0, small)), scene(frame(0, left)), [left]),
            ("a tile went", scene(frame(0, left), frame(1, small)), scene(frame(0, left)), [small]),
            ("a tile came", scene(frame(0, left)), scene(frame(0, left), frame(1, small)), [small]),
            (
                "a tile went that others follow", scene(frame(0, left), frame(1, right)), scene(frame(1, right)),
                [left]
            ),
            (
                "beyond the window", scene(frame(0, Rect(90, 90, 30, 30))),
                scene(frame(0, Rect(90, 90, 30, 30), serial: 2)), [Rect(90, 90, 10, 10)]
            ),
            (
                "outside of the window", scene(frame(0, Rect(200, 0, 9, 9))),
                scene(frame(0, Rect(200, 0, 9, 9), serial: 2)), []
            ),
            (
                "a label came: the canvas knows its area", scene(frame(0, small, rect: left)),
                scene(frame(0, small, rect: left, label: "a")), []
            ),
            (
                "a labelled frame changed", scene(frame(0, small, rect: left, label: "a")),
                scene(frame(0, small, serial: 2, rect: left, label: "a")), [small]
            ),
            (
                "a card became a frame beside bars", scene(card(0, left)),
                scene(frame(0, small, rect: left)), [left]
            ),
            ("a card's text", scene(card(0, left, "a")), scene(card(0, left, "b")), [left]),
            ("the same card", scene(card(0, left, "a")), scene(card(0, left, "a")), []),
            (
                "covered by an opaque tile", scene(frame(0, small), frame(1, left)),
                scene(frame(0, small, serial: 2), frame(1, left)), []
            ),
            (
                "under a clear tile", scene(frame(0, small), frame(1, left, Glass.clear)),
                scene(frame(0, small, serial: 2), frame(1, left, Glass.clear)), [small]
            ),
            (
                "two tiles changed places", scene(frame(0, left), frame(1, small)),
                scene(frame(1, small), frame(0, left)), [small]
            ),
            (
                "two tiles that don't meet changed places", scene(frame(0, left), frame(1, right)),
                scene(frame(1, right), frame(0, left)), []
            ),
            ("a second view of a tile", scene(frame(0, left)), scene(frame(0, left), frame(0, small)), [small]),
            ("an empty wall", scene(), scene(), []),
        ]
        for (what, old, new, expected) in cases {
            let damage = new.damage(since: old)
            expect(Set(damage) == Set(expected) && damage.count == expected.count, "\(what)")
        }
    }

    @Test func areasOfMarksAreDamagedToo() {
        let old = scene(frame(0, left)), new = scene(frame(0, left, serial: 2))
        expect(new.damage(since: old, decorated: [small, Rect(90, 90, 20, 20)]), equals: [left, Rect(90, 90, 10, 10)])
        expect(old.damage(since: nil, decorated: [small]), equals: [all])
        let stack = scene(frame(0, all), frame(1, left))
        expect(stack.isHidden(small, above: 0) && !stack.isHidden(right, above: 0) && !stack.isHidden(small, above: 1))
    }

    @Test func aNewSizeOrBackgroundDamagesAll() {
        var other = scene(frame(0, left))
        other.size = Size(120, 100)
        expect(other.damage(since: scene(frame(0, left))), equals: [Rect(0, 0, 120, 100)])
        var blue = scene(frame(0, left))
        blue.background = Color(red: 0, green: 0, blue: 1)
        expect(blue.damage(since: scene(frame(0, left))), equals: [all])
    }

    @Test func whatIsHiddenIsNotDrawn() {
        let stack = scene(frame(0, left), frame(1, all), frame(2, small, Glass.clear))
        expect(stack.layers(in: left), equals: Layers(bare: [], first: 1))
        let half = scene(frame(0, left), frame(1, small, Glass.clear))
        expect(half.layers(in: all), equals: Layers(bare: [right], first: 0))
        expect(half.layers(in: small), equals: Layers(bare: [], first: 0))
        expect(scene().layers(in: small), equals: Layers(bare: [small], first: 0))
    }

    @Test func beneathABlankViewTheBackgroundShows() {
        let blank = View(tile: TileID(number: 0), rect: left, content: .blank, label: nil)
        expect(scene(blank).layers(in: small), equals: Layers(bare: [small], first: 0))
        expect(scene(frame(1, all), blank).layers(in: small), equals: Layers(bare: [], first: 0))
        expect(scene(blank).damage(since: scene(card(0, left))), equals: [left])
        expect(scene(blank).damage(since: scene(blank)).isEmpty)
    }
}
