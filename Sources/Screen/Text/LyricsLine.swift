import Base

/// All that a drawn line of words depends on.
struct LyricsLineOrder: Hashable, Sendable {
    var syllables: [Syllable]
    /// Height of a line, in pixels. A longer text is drawn smaller, then in several rows.
    var height: Int
    var maxWidth: Int
    var color: Color
    var sung: Color

    struct Syllable: Hashable, Sendable {
        var text: String
        var isItalic = false
    }
}

/// A drawn line of words: unsung and sung, with the place of each syllable. Immutable.
struct LyricsLine: Drawing {
    let plain: TextBitmap
    let sung: TextBitmap
    /// Rows from top to bottom, with cells from left to right.
    let rows: [Row]
    var size: Size { plain.size }
    var bytes: Int { size.width * size.height * 8 }

    struct Row: Sendable {
        var top: Int
        var bottom: Int
        var cells: [Cell]
    }

    /// A syllable's part of a row. The cells of a row cover all of it.
    struct Cell: Sendable {
        var syllable: Int
        var left: Int
        var right: Int
        /// Columns of its letters.
        var ink: Range<Int>
        var isRightToLeft: Bool

        /// Column between the sung and the unsung part. `share`: sung share, from 0 to 1.
        func edge(of share: Double) -> Int {
            if share <= 0 || share >= 1 { return (share <= 0) == isRightToLeft ? right : left }
            let way = Int((Double(ink.count) * share).rounded())
            return isRightToLeft ? ink.upperBound - way : ink.lowerBound + way
        }
    }

    static let empty = LyricsLine(plain: .empty, sung: .empty, rows: [])

    /// Returns the parts that are sung, and those that are not yet. `share`: sung share of a syllable, from 0 to 1.
    func parts(_ share: (Int) -> Double) -> (sung: [Rect], plain: [Rect]) {
        var (sung, plain): ([Rect], [Rect]) = ([], [])
        for row in rows {
            for cell in row.cells {
                let edge = cell.edge(of: share(cell.syllable)), height = row.bottom - row.top
                let left = Rect(cell.left, row.top, edge - cell.left, height)
                let right = Rect(edge, row.top, cell.right - edge, height)
                sung.extend(cell.isRightToLeft ? right : left)
                plain.extend(cell.isRightToLeft ? left : right)
            }
        }
        return (sung, plain)
    }
}

extension [Rect] {
    /// Appends a rect, or widens the last one if the rect follows it.
    fileprivate mutating func extend(_ rect: Rect) {
        if rect.isEmpty { return }
        if let last, last.maxX == rect.x, last.y == rect.y, last.height == rect.height {
            self[count - 1].width += rect.width
        } else {
            append(rect)
        }
    }
}
