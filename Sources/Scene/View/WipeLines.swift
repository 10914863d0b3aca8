import Base

/// The lines that divide a rectangle into bands, one for each frame of a wipe.
///
/// A pixel belongs to the first band whose line lies beyond the pixel's centre. All lines have the same angle and move
/// together.
public struct WipeLines: Hashable, Sendable {
    /// The divided rectangle.
    public let target: Rect
    /// Place of the line between two bands, from 0 to 1.
    public let at: Double
    private let middle: SIMD2<Double>
    private let across: Double
    private let down: Double
    /// Distance from the middle to the outermost corner, across the lines.
    private let reach: Double
    /// Distances of the lines from the middle, rising. There is one line less than there are bands.
    public let offsets: [Double]

    /// `at`: place of the line between two bands. More lines are spread evenly around it.
    public init(in rect: Rect, bands: Int, at: Double, angle: Angle) {
        (target, self.at) = (rect, at)
        middle = SIMD2(Double(rect.x) + Double(rect.width) / 2, Double(rect.y) + Double(rect.height) / 2)
        (across, down) = (angle.cosine, angle.sine)
        let reach = (Double(rect.width) * across.magnitude + Double(rect.height) * down.magnitude) / 2
        self.reach = reach
        offsets = (1..<max(2, bands)).map { line in
            let place = at + Double(line) / Double(max(2, bands)) - 0.5
            return (min(max(place, 0), 1) - 0.5) * 2 * reach
        }
    }

    /// True if the lines are vertical, so that all rows are divided alike.
    public var areUpright: Bool { down.magnitude < 1e-9 }

    /// The pixels of the lines, `thickness` wide, as rectangles within `rect`.
    public func strokes(in rect: Rect, thickness: Int) -> [Rect] {
        let isSteep = across.magnitude >= down.magnitude
        return offsets.flatMap { offset in
            var strokes: [Rect] = []
            for position in isSteep ? rect.y..<rect.maxY : rect.x..<rect.maxX {
                let middle = Double(position) + 0.5
                let place =
                    isSteep
                    ? self.middle.x + (offset - (middle - self.middle.y) * down) / across
                    : self.middle.y + (offset - (middle - self.middle.x) * across) / down
                let first = Int(place.rounded(.down)) - thickness / 2
                // Consecutive rows, or columns, with the line at the same place are one rectangle.
                if let last = strokes.last, (isSteep ? last.x : last.y) == first {
                    if isSteep { strokes[strokes.count - 1].height += 1 } else { strokes[strokes.count - 1].width += 1 }
                } else {
                    strokes.append(isSteep ? Rect(first, position, thickness, 1) : Rect(position, first, 1, thickness))
                }
            }
            return strokes.map { $0.intersection(rect) }.filter { !$0.isEmpty }
        }
    }

    /// Distance of a point from the middle, across the lines; positive towards the last band.
    private func way(_ x: Double, _ y: Double) -> Double { (x - middle.x) * across + (y - middle.y) * down }

    /// Distance of a pixel from the nearest line, in pixels.
    public func distance(of point: Point) -> Double {
        let way = way(Double(point.x) + 0.5, Double(point.y) + 0.5)
        return offsets.map { (way - $0).magnitude }.min() ?? .infinity
    }

    /// Change of `at` when a line is moved by that many pixels.
    public func change(movedBy x: Int, _ y: Int) -> Double {
        reach > 0 ? (Double(x) * across + Double(y) * down) / (2 * reach) : 0
    }

    /// The bands in one row of pixels, from left to right, each with the column at which it ends; `columns` bounds
    /// them.
    public func bands(inRow y: Int, columns: Range<Int>) -> [(band: Int, end: Int)] {
        let height = (Double(y) + 0.5 - middle.y) * down
        // The lines are almost level with the row: all of the row is in one band.
        guard across.magnitude > 1e-9 else {
            return [(offsets.count { $0 <= height }, columns.upperBound)]
        }
        let isForward = across > 0
        let ends = (isForward ? offsets : offsets.reversed()).map { offset -> Int in
            let x = middle.x + (offset - height) / across
            // End of the pixels with centres before the line.
            let end = isForward ? (x - 0.5).rounded(.up) : (x - 0.5).rounded(.down) + 1
            return Int(min(max(end, Double(columns.lowerBound)), Double(columns.upperBound)))
        }
        var bands: [(band: Int, end: Int)] = []
        var start = columns.lowerBound
        for (place, end) in (ends + [columns.upperBound]).enumerated() {
            if end > start { bands.append((isForward ? place : offsets.count - place, end)) }
            start = max(start, end)
        }
        return bands
    }
}
