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
        let rows = film.rows, width = min(columns, rows.count)
        guard let first = rows.first?.time, let last = rows.last?.time else { return }
        var run: [Column] = []
        for column in 0..<width {
            let part = rows[rows.count * column / width..<rows.count * (column + 1) / width]
            let values = part.compactMap { $0.figures?[name] }.filter(\.isFinite)
            if let time = part.first?.time, let least = values.min(), let most = values.max() {
                let place = last > first ? (time - first).seconds / (last - first).seconds : 0.5
                run.append(Column(place: place, least: least, most: most))
            } else if !run.isEmpty {
                runs.append(run)
                run = []
            }
        }
        if !run.isEmpty { runs.append(run) }
    }

    public var least: Double? { runs.joined().map(\.least).min() }
    public var most: Double? { runs.joined().map(\.most).max() }
}
