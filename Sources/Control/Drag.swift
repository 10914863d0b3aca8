import Screen
import WallCore

/// Clicks, taps and drags, from where the pointer or the one finger went down to where it left.
public struct Drag: Sendable {
    /// Pixels within which a press is a click, and a drag is none yet.
    static let slack = 8
    /// Two taps within these are a double tap.
    static let doubleTapMilliseconds: Int64 = 300
    static let doubleTapPixels = 40

    private var state = State.up
    private var fingers: Set<Int64> = []
    private var lastTap: (at: Point, milliseconds: Int64)?

    private enum State {
        case up
        /// May still become a click or a drag.
        case pressed(at: Point)
        case scrubbing(from: Point)
        /// A second finger: nothing until all have left.
        case void
    }

    public init() {}

    public mutating func commands(for event: InputEvent) -> [Command] {
        switch event {
        case .pointerDown(let point, .left, _):
            state = .pressed(at: point)
            return []
        case .pointerMoved(let point):
            return moved(to: point)
        case .pointerUp(let point, .left, let clicks):
            return ended() ? [clicks == 2 ? .doubleClick(point) : .click(point)] : endOfScrub()
        case .touchDown(let finger, let point, _):
            fingers.insert(finger)
            if fingers.count == 1 {
                state = .pressed(at: point)
                return []
            }
            defer { state = .void }
            return endOfScrub()
        case .touchMoved(_, let point):
            return moved(to: point)
        case .touchUp(let finger, let point, let milliseconds):
            fingers.remove(finger)
            if !fingers.isEmpty { return [] }
            return ended() ? [tap(at: point, milliseconds)] : endOfScrub()
        case .window(.focusLost), .window(.minimised), .window(.hidden), .window(.pointerLeft):
            fingers = []
            defer { state = .up }
            return endOfScrub()
        default:
            return []
        }
    }

    private mutating func moved(to point: Point) -> [Command] {
        switch state {
        case .pressed(let start):
            let across = abs(point.x - start.x), along = abs(point.y - start.y)
            if max(across, along) <= Drag.slack { return [] }
            state = .scrubbing(from: start)
            return [
                .scrub(.began(at: start, across > along ? .sideways : .upright)),
                .scrub(.moved(by: point.x - start.x, down: point.y - start.y)),
            ]
        case .scrubbing(let start):
            return [.scrub(.moved(by: point.x - start.x, down: point.y - start.y))]
        case .up, .void:
            return []
        }
    }

    /// Whether it was a click. A scrub's state stays, for `endOfScrub`.
    private mutating func ended() -> Bool {
        switch state {
        case .pressed:
            state = .up
            return true
        case .scrubbing:
            return false
        case .up, .void:
            state = .up
            return false
        }
    }

    private mutating func endOfScrub() -> [Command] {
        guard case .scrubbing = state else { return [] }
        state = .up
        return [.scrub(.ended)]
    }

    private mutating func tap(at point: Point, _ milliseconds: Int64) -> Command {
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
