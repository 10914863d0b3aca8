/// The numbers of a clip and of a frame in it, drawn as black and white blocks.
///
/// Twenty blocks span the whole width. Two rows stand at the top of the frame (the name, then its check), and one at
/// the bottom (the name again). A read that mixes two frames fails the check and counts as unreadable.
public struct Mark: Hashable, Sendable {
    /// Number of the clip, 0 to 15.
    public let clip: Int
    /// Number of the frame, 0 to 4095.
    public let number: Int

    public init(clip: Int, number: Int) {
        precondition(0..<16 ~= clip && 0..<4096 ~= number, "a mark holds clips to 15 and numbers to 4095")
        self.clip = clip
        self.number = number
    }
}

public enum Strip {
    public static let columns = 20
    /// Height of a row, as a share of the frame's.
    public static let rowShare = 1.0 / 12

    /// The rows, with their top edge as a share of the frame's height.
    public enum Row: CaseIterable, Sendable {
        case name, check, foot
        public var top: Double {
            switch self {
            case .name: return 0
            case .check: return Strip.rowShare
            case .foot: return 1 - Strip.rowShare
            }
        }
    }

    /// Returns the blocks of a row, true for white: two guards, sixteen bits, two guards.
    public static func blocks(of row: Row, for mark: Mark) -> [Bool] {
        let name = UInt16(mark.clip << 12 | mark.number)
        switch row {
        case .name, .foot: return [true, false] + bits(name) + [true, false]
        case .check: return [false, true] + bits(check(name)) + [false, true]
        }
    }

    /// Returns the mark that the rows encode, or nil if they contradict each other. A row may be missing if the camera
    /// cannot see it, but not both the name and the foot.
    public static func read(_ rows: [Row: [Bool]]) -> Mark? {
        var name: UInt16?
        for row in [Row.name, .foot] {
            guard let blocks = rows[row] else { continue }
            guard let value = value(blocks, guards: [true, false]), name == nil || name == value else { return nil }
            name = value
        }
        guard let name else { return nil }
        if let blocks = rows[.check] {
            guard value(blocks, guards: [false, true]) == check(name) else { return nil }
        }
        return Mark(clip: Int(name >> 12), number: Int(name & 0xfff))
    }

    /// Reads two blended marks from the brightness of their blocks. Where the marks differ, the brightness lies between
    /// black and white, nearer to the stronger mark. Returns nil if the blocks do not fit or if neither mark is
    /// stronger.
    public static func readFade(_ rows: [Row: [Int]]) -> (over: Mark, under: Mark, share: Int)? {
        guard rows.values.allSatisfy({ $0.count == columns }), let name = rows[.name] else { return nil }
        let (white, black) = (name[0], name[1])
        guard white - black > 100 else { return nil }
        // Whiteness of each block, in percent.
        let shares = rows.mapValues { $0.map { ($0 - black) * 100 / (white - black) } }
        let mixed = shares.values.joined().filter { $0 > 4 && $0 < 96 }.map { min($0, 100 - $0) }
        guard let least = mixed.min(), let most = mixed.max(), most - least <= 6, most < 46 else { return nil }
        let share = mixed.reduce(0, +) / mixed.count
        let over = read(shares.mapValues { $0.map { $0 > 50 } })
        // Blocks in which the marks differ have the opposite colour in the weaker mark.
        let under = read(shares.mapValues { $0.map { $0 >= 96 || $0 > 4 && $0 < 50 } })
        guard let over, let under, over != under else { return nil }
        return (over, under, share)
    }

    private static func value(_ blocks: [Bool], guards: [Bool]) -> UInt16? {
        guard blocks.count == columns, Array(blocks.prefix(2)) == guards, Array(blocks.suffix(2)) == guards else {
            return nil
        }
        return blocks[2..<18].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
    }

    private static func bits(_ value: UInt16) -> [Bool] { (0..<16).map { value >> (15 - $0) & 1 == 1 } }

    private static func check(_ name: UInt16) -> UInt16 {
        var mixed = UInt32(name) &* 40503 &+ 0x5bd1
        mixed ^= mixed >> 7
        return UInt16(truncatingIfNeeded: mixed ^ mixed >> 16)
    }
}
