import Base

/// Places of tiles in the window, and of frames in their tiles. Pure.
public enum TileGeometry {
    /// Returns each tile's rect in a window of any size, in the order of the layout.
    ///
    /// All rects scale with the window, each axis separately. Edges are rounded, not sizes: tiles that share an edge in
    /// the layout share it on the screen. Tiles therefore neither overlap nor leave a gap. A rect may reach beyond the
    /// window, and in a window with fewer pixels than cells it may be empty.
    public static func rects(of layout: Layout, in window: Size) -> [Rect] {
        let across = Axis(
            length: layout.window.size.width, pixels: window.width, count: layout.grid.columns,
            gap: layout.grid.gap, margin: layout.grid.margin)
        let down = Axis(
            length: layout.window.size.height, pixels: window.height, count: layout.grid.rows,
            gap: layout.grid.gap, margin: layout.grid.margin)
        return layout.tiles.map { tile in
            switch tile.place {
            case .cell(let column, let row, let columns, let rows):
                Rect(across: across.cells(column, columns), down: down.cells(row, rows))
            case .fractions(let part):
                Rect(across: across.part(part.x, part.width), down: down.part(part.y, part.height))
            case .pixels(let rect):
                Rect(across: across.span(rect.x, rect.width), down: down.span(rect.y, rect.height))
            }
        }
    }

    /// Returns the part of the final frame that is drawn, and its place within `rect`.
    ///
    /// The final frame is the upright one turned, then mirrored. `natural` is the upright frame's size in square pixels
    /// and `crop` a part of it, both before turn and flip. The returned crop is a part of the final frame.
    public static func fit(natural: Size, turn: Turn, flip: Flip, crop: Fractions, fit: Fit, rect: Rect)
        -> (crop: Fractions, target: Rect)
    {
        let crop = crop.turned(turn).flipped(flip)
        guard !rect.isEmpty, !natural.isEmpty else { return (crop, rect) }
        let frame = natural.turned(turn)
        let width = crop.width * Double(frame.width), height = crop.height * Double(frame.height)
        let rectWidth = Double(rect.width), rectHeight = Double(rect.height)
        let isWider = width * rectHeight > height * rectWidth

        switch fit {
        case .stretch: return (crop, rect)
        case .contain where isWider:
            let rows = rounded(height * rectWidth / width, in: 1...rect.height)
            return (crop, Rect(rect.x, rect.y + (rect.height - rows) / 2, rect.width, rows))
        case .contain:
            let columns = rounded(width * rectHeight / height, in: 1...rect.width)
            return (crop, Rect(rect.x + (rect.width - columns) / 2, rect.y, columns, rect.height))
        case .cover where isWider:
            let kept = crop.width * (height * rectWidth / rectHeight / width)
            return (Fractions(crop.x + (crop.width - kept) / 2, crop.y, kept, crop.height), rect)
        case .cover:
            let kept = crop.height * (width * rectHeight / rectWidth / height)
            return (Fractions(crop.x, crop.y + (crop.height - kept) / 2, crop.width, kept), rect)
        }
    }

    /// Returns the size that the whole final frame (after the turn) needs so that its largest view is drawn pixel by
    /// pixel. Never more than the source has; each side is at least 1. `natural` and the crops are before turn and
    /// flip, as for `fit`. A frame without views is 1x1.
    public static func decodeSize(natural: Size, turn: Turn, views: [(rect: Rect, fit: Fit, crop: Fractions)]) -> Size {
        let frame = natural.turned(turn)
        guard !frame.isEmpty else { return Size(1, 1) }
        var width = 1, height = 1
        for view in views where !view.rect.isEmpty {
            let crop = view.crop.turned(turn)
            var across = Double(view.rect.width) / (crop.width * Double(frame.width))
            var down = Double(view.rect.height) / (crop.height * Double(frame.height))
            switch view.fit {
            case .stretch: break
            case .contain: (across, down) = (min(across, down), min(across, down))
            case .cover: (across, down) = (max(across, down), max(across, down))
            }
            width = max(width, rounded(across * Double(frame.width), in: 1...frame.width))
            height = max(height, rounded(down * Double(frame.height), in: 1...frame.height))
        }
        return Size(width, height)
    }

    private static func rounded(_ value: Double, in range: ClosedRange<Int>) -> Int {
        Int(min(max(value.rounded(), Double(range.lowerBound)), Double(range.upperBound)))
    }
}

extension Rect {
    fileprivate init(across: Range<Int>, down: Range<Int>) {
        self.init(across.lowerBound, down.lowerBound, across.count, down.count)
    }
}

/// One axis of the window. Edges are exact fractions that are rounded once.
private struct Axis {
    /// Length of the layout's window.
    var length: Int
    /// Length of the actual window.
    var pixels: Int
    /// Number of columns or rows.
    var count: Int
    var gap: Int
    var margin: Int

    func cells(_ first: Int, _ span: Int) -> Range<Int> {
        edge(cellsBefore: first, gaps: first)..<edge(cellsBefore: first + span, gaps: first + span - 1)
    }

    /// Position after the margin, some gaps and some cells. All cells together fill the space that gaps and margins
    /// leave.
    private func edge(cellsBefore cells: Int, gaps: Int) -> Int {
        let room = max(0, length - 2 * margin - (count - 1) * gap)
        return rounded((margin + gaps * gap) * count + cells * room, over: count * length)
    }

    /// Fractions are taken in billionths, so that 0.3 + 0.6 ends where 0.9 begins.
    func part(_ start: Double, _ size: Double) -> Range<Int> {
        let billion = 1_000_000_000
        let first = rounded(Int((start * 1e9).rounded()), over: billion)
        return first..<max(first, rounded(Int(((start + size) * 1e9).rounded()), over: billion))
    }

    func span(_ start: Int, _ size: Int) -> Range<Int> {
        let first = rounded(start, over: length)
        return first..<max(first, rounded(start + size, over: length))
    }

    /// `pixels` times the fraction, to the nearest pixel, halves upwards.
    private func rounded(_ numerator: Int, over denominator: Int) -> Int {
        let (whole, rest) = (2 * numerator * pixels + denominator).quotientAndRemainder(dividingBy: 2 * denominator)
        return rest < 0 ? whole - 1 : whole
    }
}
