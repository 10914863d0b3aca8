import WallCore

/// All that a drawn line of words depends on.
struct LyricsLineOrder: Hashable, Sendable {
    var syllables: [Syllable]
    /// Of a line in pixels. A longer text is drawn smaller, then in several rows.
    var height: Int
    var maxWidth: Int
    var color: Color
    var sung: Color

    struct Syllable: Hashable, Sendable {
        var text: String
        var isItalic = false
    }
}

/// A drawn line of words: as it is before it is sung, and after, and where each syllable stands. Immutable.
final class LyricsLine: Sendable {
    let plain: TextBitmap
    let sung: TextBitmap
    /// From top to bottom; in each from left to right.
    private let rows: [Row]
    var size: Size { plain.size }

    struct Row: Sendable {
        var top: Int
        var bottom: Int
        var cells: [Cell]
    }

    /// A syllable's part of a row; all of them together are the whole row.
    struct Cell: Sendable {
        var syllable: Int
        var left: Int
        var right: Int
        /// Where its letters are.
        var ink: Range<Int>
        var isRightToLeft: Bool
    }

    init(plain: TextBitmap, sung: TextBitmap, rows: [Row]) { (self.plain, self.sung, self.rows) = (plain, sung, rows) }

    static let empty = LyricsLine(plain: .empty, sung: .empty, rows: [])

    /// Which parts are sung, and which are not yet. `share`: of each syllable, from 0 to 1.
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
    /// As a part of the last one, where it follows that.
    fileprivate mutating func extend(_ rect: Rect) {
        if rect.isEmpty { return }
        if let last, last.maxX == rect.x, last.y == rect.y, last.height == rect.height {
            self[count - 1].width += rect.width
        } else {
            append(rect)
        }
    }
}
