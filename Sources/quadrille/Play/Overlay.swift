import Base
import Console
import Layout
import Player
import Scene

/// Marks and a line of text that lie over the wall for some time. Main thread only.
struct Overlay {
    var marks = MarksVisibility()
    private var notice: (text: String, until: Time)?
    /// True until the first frames of a comparison are shown, if the wall was begun as one.
    private var awaitsComparison: Bool

    init(begins content: WallContent) {
        if case .comparison = content { awaitsComparison = true } else { awaitsComparison = false }
    }

    /// Time at which the text disappears; nil if none is shown.
    var noticeEnds: Time? { notice?.until }

    mutating func show(_ text: String, for length: Time) { notice = (text, Time.now + length) }

    /// Adds the visible marks to a scene. `next` becomes the time at which they change, if that is earlier.
    mutating func mark(_ scene: inout Scene, _ next: inout Time?, of wall: inout Wall, at now: Time) {
        if awaitsComparison, scene.views.contains(where: \.content.isComparison) {
            awaitsComparison = false
            marks.opened(at: now)
        }
        let (visible, change) = marks.visibility(at: now)
        let marked = wall.mark(&scene, visible, at: now)
        next = [next, change, marked].compactMap { $0 }.min()
    }

    mutating func addNotice(to scene: inout Scene) {
        guard let (text, until) = notice else { return }
        if Time.now >= until { notice = nil } else { scene.showNotice(text) }
    }

    /// Adds the card of a wall that has nothing to play: its name, and how to begin. Visitors see the name alone.
    func addCard(of layout: Layout, socket: String?, to scene: inout Scene) {
        var lines: [String] = []
        if layout.window.input == .all { lines.append("drop films, images, folders or a layout here") }
        if !layout.hidesMessages, let socket {
            lines += ["quadrille ctl loadfile FILE plays a file", "control socket: \(socket.printable)"]
        }
        if layout.window.input == .all { lines.append("h shows the keys") }
        scene.overlay.idle = IdleCard(name: layout.title, lines: lines)
    }

    mutating func pointerMoved(to point: Point) {
        commanded()
        marks.pointer = point
    }

    mutating func commanded() { marks.commanded(at: Time.now) }
}
