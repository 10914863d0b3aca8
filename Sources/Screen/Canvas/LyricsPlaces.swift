import Base

/// Places of lyrics over a frame: blocks of rows, one for each voice, below each other.
struct LyricsPlaces {
    /// Height of a line, in pixels.
    let height: Int
    let maxWidth: Int
    /// Area that marks leave free.
    private let area: Rect
    private let middle: Int
    let layout: LyricsLayout
    private let blocks: Int
    private let pitch: Int

    /// A drawn line with its place.
    struct Drawn {
        var block: Int
        /// nil if it is drawn above the block's first row.
        var row: Int?
        var bitmap: LyricsLine
        var sung: [Rect]
        var plain: [Rect]
    }

    /// `rect`: the frame. `area`: the part of it that marks leave free.
    init(_ layout: LyricsLayout, blocks: Int, in rect: Rect, _ area: Rect) {
        (self.area, self.layout, self.blocks) = (area, layout, blocks)
        middle = rect.y + rect.height / 2
        // All lines fit, whatever size was requested, and so do the dots above each block.
        let most = area.height * 4 / max(1, 5 * layout.lines * blocks + 3 * blocks)
        height = max(6, min(rect.height * layout.size / 100, most))
        pitch = height * 5 / 4
        maxWidth = rect.width * 92 / 100
    }

    func marks(of drawn: [Drawn]) -> [Mark] {
        // A line in several rows of letters takes more room.
        var heights = Array(repeating: Array(repeating: pitch, count: layout.lines), count: blocks)
        for line in drawn {
            if let row = line.row { heights[line.block][row] = max(pitch, line.bitmap.size.height) }
        }
        // Dots are half as high as a line.
        let gap = height * 3 / 5
        let whole = heights.joined().reduce(0, +) + (blocks - 1) * gap
        let lowest = area.maxY - whole
        var top =
            switch layout.position {
            case .top: min(area.y, lowest)
            case .middle: min(max(middle - whole / 2, area.y), lowest)
            case .bottom: lowest
            }
        var tops = heights
        for block in heights.indices {
            if block > 0 { top += gap }
            for row in heights[block].indices {
                tops[block][row] = top
                top += heights[block][row]
            }
        }
        return drawn.flatMap { line -> [Mark] in
            let size = line.bitmap.size
            let (tops, heights) = (tops[line.block], heights[line.block])
            let top = line.row.map { tops[$0] + (heights[$0] - size.height) / 2 } ?? tops[0] - size.height
            let rect = Rect(area.x + (area.width - size.width) / 2, top, size.width, size.height)
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
