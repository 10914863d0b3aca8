/// A place on the screen where a witness is expected, and the part of its frame that is shown there.
public struct Tile: Hashable, Sendable {
    public enum Turn: Int, Sendable { case none = 0, quarter = 90, half = 180, threeQuarters = 270 }
    public enum Flip: Sendable { case none, horizontal, vertical }

    public var area: Area
    /// The shown part of the frame in fractions: x, y, width, height; after turn and flip it fills `area`.
    public var part: [Double]
    public var turn: Turn
    public var flip: Flip
    /// True if fades between two witnesses are read, too.
    public var readsFades = false

    public init(_ area: Area, part: [Double] = [0, 0, 1, 1], turn: Turn = .none, flip: Flip = .none) {
        (self.area, self.part, self.turn, self.flip) = (area, part, turn, flip)
    }

    /// Place of a point of the frame (in fractions) on the screen; nil if it is cropped away. The frame is cropped,
    /// then turned clockwise, then flipped.
    func place(_ x: Double, _ y: Double) -> (x: Int, y: Int)? {
        var (x, y) = ((x - part[0]) / part[2], (y - part[1]) / part[3])
        guard 0..<1 ~= x, 0..<1 ~= y else { return nil }
        switch turn {
        case .none: break
        case .quarter: (x, y) = (1 - y, x)
        case .half: (x, y) = (1 - x, 1 - y)
        case .threeQuarters: (x, y) = (y, 1 - x)
        }
        switch flip {
        case .none: break
        case .horizontal: x = 1 - x
        case .vertical: y = 1 - y
        }
        return (area.x + Int(x * Double(area.width)), area.y + Int(y * Double(area.height)))
    }

    /// Reads the mark from the pixels.
    func read(_ pixels: Pixels) -> Reading {
        if readsFades, let fade = readFade(pixels) { return fade }
        return readWhole(pixels)
    }

    private func readWhole(_ pixels: Pixels) -> Reading {
        var rows: [Strip.Row: [Bool]] = [:]
        var brightest = 0
        for row in Strip.Row.allCases {
            let middle = row.top + Strip.rowShare / 2
            guard place(0.5 / Double(Strip.columns), middle) != nil,
                place(1 - 0.5 / Double(Strip.columns), middle) != nil
            else { continue }
            var blocks: [Bool] = []
            for column in 0..<Strip.columns {
                guard let (x, y) = place((Double(column) + 0.5) / Double(Strip.columns), middle) else {
                    return .unreadable
                }
                let luma = brightness(pixels, x, y)
                brightest = max(brightest, luma)
                if luma < 100 { blocks.append(false) } else if luma > 155 { blocks.append(true) } else { break }
            }
            rows[row] = blocks
        }
        if brightest < 24 { return .black }
        return Strip.read(rows).map(Reading.frame) ?? .unreadable
    }

    private func readFade(_ pixels: Pixels) -> Reading? {
        var rows: [Strip.Row: [Int]] = [:]
        for row in Strip.Row.allCases {
            rows[row] = (0..<Strip.columns).compactMap { column in
                place((Double(column) + 0.5) / Double(Strip.columns), row.top + Strip.rowShare / 2)
                    .map { brightness(pixels, $0.x, $0.y) }
            }
        }
        return Strip.readFade(rows).map { .fade(over: $0.over, under: $0.under, share: $0.share) }
    }

    /// The mean green of nine pixels around a point.
    private func brightness(_ pixels: Pixels, _ x: Int, _ y: Int) -> Int {
        var (sum, count) = (0, 0)
        for row in y - 1...y + 1 {
            for column in x - 1...x + 1 where pixels.contains(column, row) {
                sum += pixels.colour(column, row).green
                count += 1
            }
        }
        return count == 0 ? 0 : sum / count
    }
}

/// Reading of a tile in one shot.
public enum Reading: Hashable, Sendable {
    case frame(Mark)
    /// A fade: the stronger frame, the weaker one, and the weaker one's share in percent.
    case fade(over: Mark, under: Mark, share: Int)
    /// Black instead of the marks.
    case black
    /// Neither black nor a whole mark: another frame, a torn one, or no witness.
    case unreadable

    public var isFrame: Bool { if case .frame = self { return true } else { return false } }
}
