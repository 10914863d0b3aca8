import Base
import Layout

/// Part of the frames that all tiles of a group show, from the whole frame to a few pixels.
public struct FrameZoom: Hashable, Sendable {
    /// Magnification relative to the whole frame.
    private(set) var factor = 1.0
    /// Centre of the part, in fractions of the part shown without zoom.
    private var (middleX, middleY) = (0.5, 0.5)

    /// Largest magnification, in pixels of the window for one pixel of the frame.
    static let mostPixels = 16.0
    /// Factor from one step to the next.
    static let step = 1.25

    var isWhole: Bool { factor == 1 }

    init() {}

    init(_ part: FramePart) {
        factor = 1 / part.side
        (middleX, middleY) = (part.x + part.side / 2, part.y + part.side / 2)
        settle()
    }

    /// The part as a layout states it, in millionths of the frame.
    var framePart: FramePart {
        func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
        return FramePart(x: rounded(part.x), y: rounded(part.y), side: rounded(part.width))
    }

    /// The part that is shown, in fractions of the part shown without zoom.
    var part: Fractions {
        let side = 1 / factor
        return Fractions(place(middleX, side), place(middleY, side), side, side)
    }

    private func place(_ middle: Double, _ side: Double) -> Double { min(max(middle - side / 2, 0), 1 - side) }

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
        let old = part
        let fixed = (x: old.x + place.x * old.width, y: old.y + place.y * old.height)
        factor = max(1, min(wanted, max(1, most)))
        let side = 1 / factor
        (middleX, middleY) = (fixed.x - place.x * side + side / 2, fixed.y - place.y * side + side / 2)
        settle()
    }

    /// Moves the frame, in fractions of the shown part.
    mutating func move(by x: Double, _ y: Double) {
        let side = 1 / factor
        (middleX, middleY) = (middleX - x * side, middleY - y * side)
        settle()
    }

    /// Keeps the part within the frame.
    private mutating func settle() {
        let part = part
        (middleX, middleY) = (part.x + part.width / 2, part.y + part.height / 2)
    }
}
