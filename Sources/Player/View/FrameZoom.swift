import Base
import Layout

/// Part of the frames that all tiles of a group show, from the whole frame to a few pixels.
public struct FrameZoom: Hashable, Sendable {
    /// Magnification relative to the whole frame.
    private(set) var factor = 1.0
    /// The part that is shown, in fractions of the part shown without zoom.
    private(set) var part = Fractions.all

    /// Largest magnification, in pixels of the window for one pixel of the frame.
    static let mostPixels = 16.0
    /// Factor from one step to the next.
    static let step = 1.25

    var isWhole: Bool { factor == 1 }

    init() {}

    init(_ part: FramePart) { show(factor: 1 / part.side, part.x, part.y) }

    /// The part as a layout states it, in millionths of the frame.
    var framePart: FramePart {
        func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
        return FramePart(x: rounded(part.x), y: rounded(part.y), side: rounded(part.width))
    }

    /// Zooms in by a number of steps, or out if negative. The point at `place`, in fractions of the shown part, stays
    /// there. `natural`: factor at which one pixel of the frame is one pixel of the window.
    mutating func change(by steps: Double, at place: (x: Double, y: Double), natural: Double) {
        let before = factor
        var next = factor
        for _ in 0..<Int(steps.magnitude.rounded(.up)) { next = steps > 0 ? next * Self.step : next / Self.step }
        // The factor 1:1 is always one of the steps.
        if (before < natural - 1e-9 && next > natural) || (before > natural + 1e-9 && next < natural) { next = natural }
        set(next, at: place, most: natural * Self.mostPixels)
    }

    /// Shows so many pixels of the window for one of the frame, around the middle of the part.
    mutating func show(at scale: Double, natural: Double) {
        set(natural * scale, at: (0.5, 0.5), most: natural * Self.mostPixels)
    }

    /// Zooms by any factor, as for two fingers that move apart.
    mutating func scale(by share: Double, at place: (x: Double, y: Double), natural: Double) {
        set(factor * share, at: place, most: natural * Self.mostPixels)
    }

    private mutating func set(_ wanted: Double, at place: (x: Double, y: Double), most: Double) {
        let next = max(1, min(wanted, max(1, most))), change = part.width - 1 / next
        show(factor: next, part.x + place.x * change, part.y + place.y * change)
    }

    /// Moves the frame, in fractions of the shown part.
    mutating func move(by x: Double, _ y: Double) {
        show(factor: factor, part.x - x * part.width, part.y - y * part.height)
    }

    /// Shows the part that begins at `x` and `y`, or the nearest one within the frame.
    private mutating func show(factor: Double, _ x: Double, _ y: Double) {
        let side = 1 / factor
        self.factor = factor
        part = Fractions(min(max(x, 0), 1 - side), min(max(y, 0), 1 - side), side, side)
    }
}
