import Base
import Commands

/// Turns clicks, taps and drags of the pointer or of one finger into changes.
struct Drag: Sendable {
    /// Farthest movement, in pixels, at which a press is still a click and not a drag.
    static let slack = 8
    /// Longest time and distance between two taps that make a double tap.
    static let doubleTapMilliseconds: Int64 = 300
    static let doubleTapPixels = 40

    private var state = State.up
    /// Point at which the right button went down, and the pointer's last point since then; nil while the button is up.
    private var held: (at: Point, now: Point)?
    /// Last position of the pointer, since wheel events carry none. nil until the pointer moves in the window.
    private var pointer: Point?
    private var fingers: [Int64: Point] = [:]
    private var lastTap: (at: Point, milliseconds: Int64)?

    private enum State {
        case up
        /// May still become a click or a drag.
        case pressed(at: Point)
        case scrubbing(from: Point)
        /// A second finger has touched: two fingers can pinch. No tap or drag follows until all fingers are up.
        case severalFingers
    }

    mutating func changes(for event: InputEvent) -> [Change] {
        switch event {
        case .pointerDown(let point, .left, _):
            state = .pressed(at: point)
            return []
        case .pointerDown(let point, .right, _):
            held = (point, point)
            return []
        case .pointerUp(_, .right, _):
            held = nil
            return []
        case .wheel(_, let up) where up != 0: return pointer.map { [.magnify(.steps(up), at: $0)] } ?? []
        case .pointerMoved(let point):
            pointer = point
            guard let (start, last) = held else { return moved(to: point) }
            held = (start, point)
            return [.magnify(.move(point.x - last.x, point.y - last.y), at: start)]
        case .pointerUp(let point, .left, let clicks):
            let click = isPressed ? [clicks == 2 ? Change.doubleClick(point) : .click(point)] : []
            return click + ended()
        case .touchDown(let finger, let point, _):
            fingers[finger] = point
            if fingers.count == 1 {
                state = .pressed(at: point)
                return []
            }
            defer { state = .severalFingers }
            return ended()
        case .touchMoved(let finger, let point):
            let pinch = fingers.count == 2 ? pinch(finger, to: point) : []
            fingers[finger] = point
            return pinch + moved(to: point)
        case .touchUp(let finger, let point, let milliseconds):
            fingers[finger] = nil
            if !fingers.isEmpty { return [] }
            return (isPressed ? [tap(at: point, milliseconds)] : []) + ended()
        case .window(.focusLost), .window(.minimised), .window(.hidden), .window(.pointerLeft):
            (fingers, held, pointer) = ([:], nil, nil)
            return ended()
        default: return []
        }
    }

    private mutating func moved(to point: Point) -> [Change] {
        switch state {
        case .pressed(let start):
            let across = abs(point.x - start.x), along = abs(point.y - start.y)
            if max(across, along) <= Drag.slack { return [] }
            state = .scrubbing(from: start)
            return [
                .scrub(.began(at: start, across > along ? .sideways : .upright)),
                .scrub(.moved(by: point.x - start.x, down: point.y - start.y)),
            ]
        case .scrubbing(let start): return [.scrub(.moved(by: point.x - start.x, down: point.y - start.y))]
        case .up, .severalFingers: return []
        }
    }

    /// Returns the changes for a pinch: a change of the distance zooms, a move of the middle pans. `finger` has moved,
    /// and the other finger is still.
    private func pinch(_ finger: Int64, to point: Point) -> [Change] {
        guard let from = fingers[finger], let other = fingers.first(where: { $0.key != finger })?.value else {
            return []
        }
        func distance(_ a: Point) -> Double {
            let (x, y) = (Double(a.x - other.x), Double(a.y - other.y))
            return (x * x + y * y).squareRoot()
        }
        let middle = Point((point.x + other.x) / 2, (point.y + other.y) / 2)
        var changes: [Change] = []
        if min(distance(from), distance(point)) > 1 {
            changes.append(.magnify(.scale(distance(point) / distance(from)), at: middle))
        }
        let moved = Point(middle.x - (from.x + other.x) / 2, middle.y - (from.y + other.y) / 2)
        if moved != Point(0, 0) { changes.append(.magnify(.move(moved.x, moved.y), at: middle)) }
        return changes
    }

    /// True if the end of the press is a click or a tap.
    private var isPressed: Bool { if case .pressed = state { true } else { false } }

    /// Ends a press or a drag.
    private mutating func ended() -> [Change] {
        defer { state = .up }
        return if case .scrubbing = state { [.scrub(.ended)] } else { [] }
    }

    private mutating func tap(at point: Point, _ milliseconds: Int64) -> Change {
        if let last = lastTap, milliseconds - last.milliseconds <= Drag.doubleTapMilliseconds,
            max(abs(point.x - last.at.x), abs(point.y - last.at.y)) <= Drag.doubleTapPixels
        {
            lastTap = nil
            return .doubleTap(point)
        }
        lastTap = (point, milliseconds)
        return .tap(point)
    }
}
