import Base

/// Places of lyrics over a frame: blocks of rows, one for each voice, below each other.
struct LyricsPlaces {
    /// Height of a line, in pixels.
    let height: Int
    let maxWidth: Int
    private let rect: Rect
    private let position: LyricsLayout.Position
    private let rows: Int
    private let blocks: Int
    private let pitch: Int
    private let margin: Int

    /// A drawn line with its place.
    struct Drawn {
        var block: Int
        var row: Int
        var bitmap: LyricsLine
        var sung: [Rect]
        var plain: [Rect]
        /// True if it is drawn above its row.
        var isAbove = false

        init(block: Int, row: Int, _ bitmap: LyricsLine, sung: [Rect], plain: [Rect], isAbove: Bool = false) {
            (self.block, self.row, self.bitmap) = (block, row, bitmap)
            (self.sung, self.plain, self.isAbove) = (sung, plain, isAbove)
        }
    }

    init(_ layout: LyricsLayout, blocks: Int, in rect: Rect) {
        (self.rect, position, rows, self.blocks) = (rect, layout.position, layout.lines, blocks)
        margin = rect.height * 5 / 100
        // All lines fit, whatever size was requested.
        let most = (rect.height - 2 * margin) * 4 / 5 / max(1, layout.lines * blocks)
        height = max(6, min(rect.height * layout.size / 100, most))
        pitch = height * 5 / 4
        maxWidth = rect.width * 92 / 100
    }

    func marks(of drawn: [Drawn]) -> [Mark] {
        // A line in several rows of letters takes more room.
        var heights = Array(repeating: Array(repeating: pitch, count: rows), count: blocks)
        for line in drawn where !line.isAbove {
            heights[line.block][line.row] = max(pitch, line.bitmap.size.height)
        }
        let whole = heights.joined().reduce(0, +)
        var top =
            switch position {
            case .top: rect.y + margin
            case .middle: rect.y + (rect.height - whole) / 2
            case .bottom: rect.maxY - margin - whole
            }
        var tops = heights
        for block in heights.indices {
            for row in heights[block].indices {
                tops[block][row] = top
                top += heights[block][row]
            }
        }
        return drawn.flatMap { line -> [Mark] in
            let size = line.bitmap.size
            let top =
                tops[line.block][line.row]
                + (line.isAbove ? -size.height : (heights[line.block][line.row] - size.height) / 2)
            let rect = Rect(rect.x + (rect.width - size.width) / 2, top, size.width, size.height)
            return marks(of: line.plain, line.bitmap.plain, rect) + marks(of: line.sung, line.bitmap.sung, rect)
        }
    }

    private func marks(of parts: [Rect], _ bitmap: TextBitmap, _ rect: Rect) -> [Mark] {
        parts.compactMap { part in
            let clip = Rect(rect.x + part.x, rect.y + part.y, part.width, part.height).intersection(rect)
            return clip.isEmpty ? nil : Mark(bitmap, at: rect, clip: clip)
        }
    }
}
