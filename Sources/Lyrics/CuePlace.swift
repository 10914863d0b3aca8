/// One of nine places for a WebVTT cue that has a line in its settings, such as `line:0 align:start`.
public struct CuePlace: Equatable, Sendable {
    /// Alignment as in ASS: the digits of a keypad.
    public let alignment: Int

    /// Rows of text in a frame, for lines given as numbers.
    private static let rows = 15.0

    /// nil if the settings have no line. The cue is then shown in the usual place.
    public init?(settings: String) {
        var (row, column): (Int?, Int) = (nil, 1)
        for setting in settings.split(whereSeparator: \.isWhitespace) {
            let parts = setting.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            // The part after a comma names an edge of the cue and is ignored.
            let value = parts[1].split(separator: ",").first.map(String.init) ?? ""
            switch (parts[0], value) {
            case ("line", _): row = Self.row(of: value) ?? row
            case ("align", "start"), ("align", "left"): column = 0
            case ("align", "center"), ("align", "middle"): column = 1
            case ("align", "end"), ("align", "right"): column = 2
            default: continue
            }
        }
        guard let row else { return nil }
        alignment = row * 3 + column + 1
    }

    /// Returns the row for a line: 0 at the bottom, 2 at the top; nil if the line is no number.
    private static func row(of line: String) -> Int? {
        let isShare = line.hasSuffix("%")
        guard let number = Double(isShare ? String(line.dropLast()) : line), number.isFinite else { return nil }
        // Negative line numbers count from the bottom.
        let share = isShare ? number / 100 : (number < 0 ? number + rows : number) / rows
        return share < 1.0 / 3 ? 2 : share < 2.0 / 3 ? 1 : 0
    }
}
