import Base
import Scene

/// Turns a part into marks. The parts of a tile are in PartMaker+Tile, those of the wall in PartMaker+Wall.
struct PartMaker {
    let texts: TextMaker?
    /// Bitmaps that need not be made again.
    let known: Bitmaps
    /// Bitmaps in the marks of all parts.
    private(set) var used = Bitmaps()
    let shapes: ShapeStore
    let places: MarksPlaces
    private(set) var marks: [Mark] = []
    /// True if all texts of the part were ready.
    private(set) var isComplete = true

    /// Bitmaps that belong to the view itself. A store of all views' shapes would keep each plot in vain.
    struct Bitmaps {
        fileprivate(set) var texts: [TextOrder: TextBitmap] = [:]
        fileprivate(set) var plot: (curves: FigurePlot, bitmap: TextBitmap)?
    }

    /// Rect of the tile or of the window.
    var rect: Rect { places.rect }

    mutating func begin() { (marks, isComplete) = ([], true) }

    /// nil if the text is not ready, or empty.
    mutating func text(_ text: String, _ height: Int, _ maxWidth: Int, _ style: TextStyle) -> TextBitmap? {
        if text.isEmpty || maxWidth < 1 { return nil }
        let order = TextOrder(text: text, height: height, maxWidth: maxWidth, style: style)
        let bitmap = known.texts[order] ?? texts?.bitmap(text, height: height, maxWidth: maxWidth, style: style)
        used.texts[order] = bitmap
        if bitmap == nil && texts != nil { isComplete = false }
        return bitmap
    }

    /// A line of text, in one bitmap or in several side by side.
    struct Line {
        var glyphs: [(bitmap: TextBitmap, x: Int)]
        var width: Int
        let height: Int
    }

    /// nil if the text is not ready, or empty.
    mutating func line(_ text: String, _ height: Int, _ maxWidth: Int) -> Line? {
        self.text(text, height, maxWidth, .plain).map {
            Line(glyphs: [($0, 0)], width: $0.size.width, height: height)
        }
    }

    /// `clip`: nothing is drawn outside of it.
    mutating func add(_ line: Line, x: Int, y: Int, clip: Rect? = nil) {
        for (bitmap, left) in line.glyphs { add(bitmap, x: x + left, y: y, clip: clip) }
    }

    /// Adds a line in the middle of a dark pill.
    mutating func add(_ line: Line, onPill pill: Rect) {
        add(.pill(.dark), at: pill)
        add(line, x: pill.x + (pill.width - line.width) / 2, y: pill.y + (pill.height - line.height) / 2)
    }

    mutating func add(_ bitmap: TextBitmap, x: Int, y: Int, clip: Rect? = nil) {
        let place = Rect(x, y, bitmap.size.width, bitmap.size.height)
        marks.append(Mark(bitmap, at: place, clip: clip.map(place.intersection)))
    }

    mutating func add(_ shape: Shape, at rect: Rect, clip: Rect? = nil) {
        if rect.isEmpty { return }
        let isColumn =
            switch shape {
            case .solid, .fade: true
            default: false
            }
        let size = isColumn ? Size(1, rect.height) : rect.size
        marks.append(Mark(shapes.bitmap(shape, size), at: rect, clip: clip))
    }

    mutating func add(_ plot: FigurePlot, at rect: Rect) {
        if rect.isEmpty { return }
        let isKnown = known.plot.map { $0.curves == plot && $0.bitmap.size == rect.size } ?? false
        let bitmap = isKnown ? known.plot!.bitmap : plot.bitmap(rect.size)
        used.plot = (plot, bitmap)
        marks.append(Mark(bitmap, at: rect))
    }

    /// Adds a panel of any size with round corners, made of few pixels.
    mutating func addPanel(_ rect: Rect, radius: Int, _ ink: Shape.Ink) {
        let radius = min(radius, rect.width / 2, rect.height / 2)
        let caps = Size(rect.width, 2 * radius)
        let top = Rect(rect.x, rect.y, rect.width, radius), foot = Rect(rect.x, rect.maxY - radius, rect.width, radius)
        add(.panel(radius: radius, ink), at: Rect(rect.x, rect.y, caps.width, caps.height), clip: top)
        add(.panel(radius: radius, ink), at: Rect(rect.x, foot.maxY - caps.height, caps.width, caps.height), clip: foot)
        add(.solid(ink), at: Rect(rect.x, rect.y + radius, rect.width, rect.height - 2 * radius))
    }
}
