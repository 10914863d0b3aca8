import Base

/// Values over time, reduced to a few columns: the lowest and the highest value of the frames in each column.
public struct Curve: Sendable {
    /// A column: its place from 0 to 1 of the width, and its range of values. Infinite values are left out.
    public struct Column: Hashable, Sendable {
        public let place: Double
        public let least: Double
        public let most: Double
    }

    /// Runs of adjacent columns. A run ends where nothing was measured or all frames were equal.
    public private(set) var runs: [[Column]] = []

    public init(_ name: FrameFigures.Name, of film: MeasuredFilm, columns: Int) {
        var run: [Column] = []
        for (place, frames) in Curve.columns(of: film.rows, most: columns) {
            let values = film.rows[frames].compactMap { $0.figures?[name] }.filter(\.isFinite)
            if let least = values.min(), let most = values.max() {
                run.append(Column(place: place, least: least, most: most))
            } else if !run.isEmpty {
                runs.append(run)
                run = []
            }
        }
        if !run.isEmpty { runs.append(run) }
    }

    /// Returns the place of each column, from 0 to 1, and its frames.
    public static func columns(of rows: [MeasuredFilm.Row], most: Int) -> [(place: Double, frames: Range<Int>)] {
        guard let first = rows.first?.time, let last = rows.last?.time else { return [] }
        let width = min(most, rows.count)
        return (0..<width).map { column in
            let frames = rows.count * column / width..<rows.count * (column + 1) / width
            let time = rows[frames.lowerBound].time
            return (last > first ? (time - first).seconds / (last - first).seconds : 0.5, frames)
        }
    }

    public var least: Double? { runs.joined().map(\.least).min() }
    public var most: Double? { runs.joined().map(\.most).max() }
}
