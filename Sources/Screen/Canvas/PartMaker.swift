import Base
import Scene

/// Turns a part into marks. The parts of a tile are in PartMaker+Tile.
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
        let top = Rect(rect.x, rect.y, rect.width, radius), foot = Rect(rect.x, rect.maxY - radius, rect.width, radius)
        let cap = Shape.panel(radius: radius, ink)
        add(cap, at: Rect(rect.x, rect.y, rect.width, 2 * radius), clip: top)
        add(cap, at: Rect(rect.x, foot.y - radius, rect.width, 2 * radius), clip: foot)
        add(.solid(ink), at: Rect(rect.x, rect.y + radius, rect.width, rect.height - 2 * radius))
    }
}

// Parts that are drawn over the whole wall.
extension PartMaker {
    /// Draws the name in the height of a tile's card, and the lines below it.
    mutating func idle(_ card: IdleCard) {
        let name = CardPlaces(in: rect).name
        let line = max(11, min(rect.height / 24, rect.width / 38, 60)), pitch = line * 8 / 5
        let room = rect.width * 23 / 25
        let block = name + (card.lines.isEmpty ? 0 : name / 2 + card.lines.count * pitch)
        let top = rect.y + (rect.height - block) / 2, first = top + name + name / 2
        if let bitmap = text(card.name, name, room, .title) { add(bitmap, x: centred(bitmap), y: top) }
        for (number, words) in card.lines.enumerated() {
            guard let bitmap = text(words, line, room, .detail) else { continue }
            add(bitmap, x: centred(bitmap), y: first + number * pitch)
        }
    }

    mutating func help(_ lines: [KeyLine]) {
        let places = OverlayPlaces(in: rect.size).help(of: lines)
        addPanel(places.panel, radius: places.pitch * 2 / 3, .darkest)
        for (number, line) in lines.enumerated() {
            let column = number / places.rows, row = number % places.rows
            let x = places.panel.x + places.pitch + column * (places.columnWidth + places.pitch)
            let y = places.panel.y + places.pitch + row * places.pitch
            keyCaps(line.keys, x, y, places)
            if let description = text(line.description, places.text, places.columnWidth - places.keysWidth, .plain) {
                add(description, x: x + places.keysWidth, y: y + (places.pitch - places.text) / 2)
            }
        }
    }

    /// Draws a cap for each key. Keys are separated by two spaces.
    private mutating func keyCaps(_ keys: String, _ left: Int, _ y: Int, _ places: OverlayPlaces.Help) {
        let height = places.pitch * 7 / 8, inset = max(2, places.text / 3)
        var x = left
        for key in keys.split(separator: "  ") {
            guard let bitmap = text(String(key), places.text, places.keysWidth - 3 * inset, .title) else { continue }
            let width = max(height, bitmap.size.width + 2 * inset)
            add(.panel(radius: height / 4, .key), at: Rect(x, y + (places.pitch - height) / 2, width, height))
            add(bitmap, x: x + (width - bitmap.size.width) / 2, y: y + (places.pitch - places.text) / 2)
            x += width + inset
        }
    }

    mutating func wallInfo(_ lines: [String], _ top: Int) {
        let places = OverlayPlaces(in: rect.size)
        for (number, line) in lines.enumerated() { pill(line, places.infoText, top + number * places.infoPitch) }
    }

    /// Drawn on the right, since labels are on the left.
    mutating func foot(_ line: String, _ top: Int) {
        pill(line, OverlayPlaces(in: rect.size).footText, top, isOnTheRight: true)
    }

    /// Draws a line on a pill, in the middle or on the right.
    private mutating func pill(_ line: String, _ height: Int, _ top: Int, isOnTheRight: Bool = false) {
        guard let line = self.line(line, height, rect.width * 9 / 10 - 2 * height) else { return }
        let width = line.width + 2 * height
        let left = isOnTheRight ? rect.width - width - height : (rect.width - width) / 2
        add(line, onPill: Rect(left, top, width, height * 7 / 4))
    }
}
