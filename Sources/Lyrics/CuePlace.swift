/// One of nine places for a WebVTT cue that has a line in its settings, such as `line:0 align:start`.
public struct CuePlace: Equatable, Sendable {
    private let row: Row
    private let column: Column

    fileprivate enum Row: Int { case bottom, middle, top }
    fileprivate enum Column: Int { case left, center, right }

    /// Rows of text in a frame, for lines given as numbers.
    private static let rows = 15.0

    /// nil if the settings have no line. The cue is then shown in the usual place.
    public init?(settings: String) {
        var (row, column): (Row?, Column) = (nil, .center)
        for setting in settings.split(whereSeparator: \.isWhitespace) {
            let parts = setting.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            // The part after a comma names an edge of the cue and is ignored.
            let value = parts[1].split(separator: ",").first.map(String.init) ?? ""
            switch parts[0] {
            case "line": row = Row(line: value, of: Self.rows) ?? row
            case "align": column = Column(align: value) ?? column
            default: continue
            }
        }
        guard let row else { return nil }
        (self.row, self.column) = (row, column)
    }

    /// Alignment as in ASS: the digits of a keypad.
    public var alignment: Int { row.rawValue * 3 + column.rawValue + 1 }
}

extension CuePlace.Row {
    fileprivate init?(line: String, of rows: Double) {
        let isShare = line.hasSuffix("%")
        guard let number = Double(isShare ? String(line.dropLast()) : line), number.isFinite else { return nil }
        // Negative line numbers count from the bottom.
        let share = isShare ? number / 100 : (number < 0 ? number + rows : number) / rows
        self = share < 1.0 / 3 ? .top : share < 2.0 / 3 ? .middle : .bottom
    }
}

extension CuePlace.Column {
    fileprivate init?(align: String) {
        switch align {
        case "start", "left": self = .left
        case "center", "middle": self = .center
        case "end", "right": self = .right
        default: return nil
        }
    }
}
