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
struct LyricsLine: Sendable {
    let plain: TextBitmap
    let sung: TextBitmap
    /// Rows from top to bottom, with cells from left to right.
    let rows: [Row]
    var size: Size { plain.size }

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
    }

    static let empty = LyricsLine(plain: .empty, sung: .empty, rows: [])

    /// Returns the parts that are sung, and those that are not yet. `share`: sung share of a syllable, from 0 to 1.
    func parts(_ share: (Int) -> Double) -> (sung: [Rect], plain: [Rect]) {
        var (sung, plain): ([Rect], [Rect]) = ([], [])
        for row in rows {
            for cell in row.cells {
                let share = share(cell.syllable)
                var (before, after) = (cell.left, cell.right)
                if share > 0, share < 1 {
                    let way = Int((Double(cell.ink.count) * share).rounded())
                    let edge = cell.isRightToLeft ? cell.ink.upperBound - way : cell.ink.lowerBound + way
                    if cell.isRightToLeft { before = edge } else { after = edge }
                }
                if share > 0 { sung.extend(Rect(before, row.top, after - before, row.bottom - row.top)) }
                if share < 1 {
                    let rest =
                        share <= 0
                        ? (cell.left, cell.right) : cell.isRightToLeft ? (cell.left, before) : (after, cell.right)
                    plain.extend(Rect(rest.0, row.top, rest.1 - rest.0, row.bottom - row.top))
                }
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
