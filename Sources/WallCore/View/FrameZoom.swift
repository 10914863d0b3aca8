/// Which part of their frames the tiles of a group show: from all to a few pixels, in all of them alike.
public struct FrameZoom: Hashable, Sendable {
    /// How many times larger than when all is shown.
    private(set) var factor = 1.0
    /// The middle of the part, in fractions of what is shown without it.
    private var middle = (x: 0.5, y: 0.5)

    /// A frame's pixel is drawn over so many of the window's at most.
    static let mostPixels = 16.0
    /// From one step to the next.
    static let step = 1.25

    var isWhole: Bool { factor == 1 }

    /// In fractions of what is shown without it.
    var part: Fractions {
        let side = 1 / factor
        return Fractions(place(middle.x, side), place(middle.y, side), side, side)
    }

    private func place(_ middle: Double, _ side: Double) -> Double { min(max(middle - side / 2, 0), 1 - side) }

    /// Steps on, or back; what lies at a place, in fractions of what is shown, stays there. `natural`: at which factor a
    /// pixel of the frame is one of the window.
    mutating func change(by steps: Double, at place: (x: Double, y: Double), natural: Double) {
        let before = factor
        var next = factor
        for _ in 0..<Int(steps.magnitude.rounded(.up)) { next = steps > 0 ? next * Self.step : next / Self.step }
        // One to one is one of the steps.
        if (before < natural - 1e-9 && next > natural) || (before > natural + 1e-9 && next < natural) { next = natural }
        set(next, at: place, most: natural * Self.mostPixels)
    }

    /// By any share, as two fingers move apart.
    mutating func scale(by share: Double, at place: (x: Double, y: Double), natural: Double) {
        set(factor * share, at: place, most: natural * Self.mostPixels)
    }

    private mutating func set(_ wanted: Double, at place: (x: Double, y: Double), most: Double) {
        let old = part
        let fixed = (x: old.x + place.x * old.width, y: old.y + place.y * old.height)
        factor = max(1, min(wanted, max(1, most)))
        let side = 1 / factor
        middle = (fixed.x - place.x * side + side / 2, fixed.y - place.y * side + side / 2)
        settle()
    }

    /// The frame by so much, in fractions of what is shown.
    mutating func move(by x: Double, _ y: Double) {
        let side = 1 / factor
        middle = (middle.x - x * side, middle.y - y * side)
        settle()
    }

    /// At the frame's edge it goes no further.
    private mutating func settle() {
        let part = part
        middle = (part.x + part.width / 2, part.y + part.height / 2)
    }

    public static func == (a: FrameZoom, b: FrameZoom) -> Bool {
        a.factor == b.factor && a.middle == b.middle
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(factor)
        hasher.combine(middle.x)
        hasher.combine(middle.y)
    }
}
