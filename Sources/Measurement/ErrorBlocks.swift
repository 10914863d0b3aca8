import Base

/// Errors of two frames, summed in square blocks, to find the part where the frames differ most.
public struct ErrorBlocks: Sendable {
    /// Side of a block in pixels. Blocks at the right and lower edge may be smaller.
    public static let side = 16

    private let frame: Size
    private let columns: Int
    private let rows: Int
    /// Sum of the errors of all blocks above and left of each corner, row by row. A row has `columns + 1` corners.
    private var sums: [UInt64]

    /// `error`: error of the block in a column and a row.
    public init(of frame: Size, error: (_ column: Int, _ row: Int) -> UInt64) {
        self.frame = frame
        (columns, rows) = ((frame.width + Self.side - 1) / Self.side, (frame.height + Self.side - 1) / Self.side)
        sums = Array(repeating: 0, count: (columns + 1) * (rows + 1))
        for row in 0..<rows {
            var left: UInt64 = 0
            for column in 0..<columns {
                left += error(column, row)
                sums[(row + 1) * (columns + 1) + column + 1] = sums[row * (columns + 1) + column + 1] + left
            }
        }
    }

    /// Returns the part of the frame with the largest error, of `size` or smaller if the frame is. If parts are equal,
    /// the one whose middle is nearest to the errors is returned.
    public func worst(_ size: Size) -> Rect {
        let size = Size(min(size.width, frame.width), min(size.height, frame.height))
        let wide = min(columns, max(1, size.width / Self.side)), high = min(rows, max(1, size.height / Self.side))
        var best: [(column: Int, row: Int)] = []
        var most: UInt64 = 0
        for row in 0...rows - high {
            for column in 0...columns - wide {
                let sum = sum(columns: column..<column + wide, rows: row..<row + high)
                if sum > most { best.removeAll() }
                if sum >= most { best.append((column, row)) }
                most = max(most, sum)
            }
        }
        let middle = middle(columns: best[0].column..<best[0].column + wide, rows: best[0].row..<best[0].row + high)
        func distance(_ place: (column: Int, row: Int)) -> Double {
            let x = Double(place.column) + Double(wide) / 2 - middle.x
            let y = Double(place.row) + Double(high) / 2 - middle.y
            return x * x + y * y
        }
        let place = best.min { distance($0) < distance($1) }!
        return Rect(
            min(place.column * Self.side, frame.width - size.width),
            min(place.row * Self.side, frame.height - size.height), size.width, size.height)
    }

    private func sum(columns: Range<Int>, rows: Range<Int>) -> UInt64 {
        func corner(_ column: Int, _ row: Int) -> UInt64 { sums[row * (self.columns + 1) + column] }
        return corner(columns.upperBound, rows.upperBound) + corner(columns.lowerBound, rows.lowerBound)
            - corner(columns.lowerBound, rows.upperBound) - corner(columns.upperBound, rows.lowerBound)
    }

    /// Middle of the errors in a part, in blocks; the middle of the frame if there are none.
    private func middle(columns: Range<Int>, rows: Range<Int>) -> (x: Double, y: Double) {
        var (x, y, weight) = (0.0, 0.0, 0.0)
        for row in rows {
            for column in columns {
                let error = Double(sum(columns: column..<column + 1, rows: row..<row + 1))
                x += error * (Double(column) + 0.5)
                y += error * (Double(row) + 0.5)
                weight += error
            }
        }
        return weight > 0 ? (x / weight, y / weight) : (Double(self.columns) / 2, Double(self.rows) / 2)
    }
}
