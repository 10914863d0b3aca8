import Base

/// Turns a part into marks. The parts of a tile are in PartMaker+Tile, those of the wall in PartMaker+Wall.
struct PartMaker {
    let texts: TextMaker?
    let shapes: ShapeStore
    /// Rect of the tile or of the window.
    let rect: Rect
    private(set) var marks: [Mark] = []
    /// True if all texts that were requested were ready.
    private(set) var isComplete = true

    mutating func make(_ part: Part) {
        switch part {
        case .card(let name, let detail, let top): card(name, detail, top: top)
        case .label(let text, let bottom): label(text, bottom)
        case .announcement(let card, let area): announcement(card, area)
        case .nextUp(let text, let area): nextUp(text, area)
        case .level(let level, let area): self.level(level, area)
        case .dim(let area): add(.solid(.dim), at: area)
        case .shade(let area): add(.fade, at: area)
        case .bar(let fill, let ends): bar(fill, ends)
        case .times(let time, let item): times(time, item)
        case .states(let states, let pace): self.states(states, pace)
        case .notes(let reasons): notes(reasons)
        case .time(let time, let top): self.time(time, top)
        case .figures(let lines, let text, let top, let limit): figures(lines, text, top, limit)
        case .sides(let sides, let bottom): self.sides(sides, bottom)
        case .wipe(let lines): wipe(lines)
        case .info(let lines, let top): info(lines, top)
        case .plot(let plot): self.plot(plot)
        case .spinner(let spinner): self.spinner(spinner)
        case .focusBorder(let opacity): focusBorder(opacity)
        case .idle(let card): idle(card)
        case .help(let lines): help(lines)
        case .wallInfo(let lines, let top): wallInfo(lines, top)
        case .foot(let line, let top): foot(line, top)
        }
    }

    /// nil if the text is not ready, or empty.
    mutating func text(_ text: String, _ height: Int, _ maxWidth: Int, _ style: TextStyle) -> TextBitmap? {
        if text.isEmpty || maxWidth < 1 { return nil }
        let bitmap = texts?.bitmap(text, height: height, maxWidth: maxWidth, style: style)
        if bitmap == nil && texts != nil { isComplete = false }
        return bitmap
    }

    mutating func add(_ bitmap: TextBitmap, x: Int, y: Int, clip: Rect? = nil) {
        marks.append(Mark(bitmap, at: Rect(x, y, bitmap.size.width, bitmap.size.height), clip: clip))
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
