/// What a log says of what was played: sums by day, tile and item.
public struct PlayLogSummary: Sendable, Equatable {
    /// By day, tile, item and source.
    public private(set) var rows: [Row] = []
    /// Lines that are none of a log.
    public private(set) var unreadable = 0

    public struct Row: Sendable, Equatable {
        public let day: String
        public let tile: String
        public let item: Int
        public let source: String
        /// Those of which something was on the screen, or heard.
        public fileprivate(set) var plays = 0
        /// Those that came to the item's end.
        public fileprivate(set) var whole = 0
        public fileprivate(set) var seconds = 0.0
        public fileprivate(set) var presented = 0
        public fileprivate(set) var missed = 0
        public fileprivate(set) var late = 0
    }

    private var places: [Key: Int] = [:]

    private struct Key: Hashable {
        let day: String, tile: String, item: Int, source: String
    }

    public init() {}

    /// The lines of a day's file. A last one without its end is what a power cut leaves.
    public mutating func add(_ lines: [UInt8], day: String) {
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            guard let value = try? JSONParser.parse(Array(line)), let tile = value["tile"]?.string,
                let source = value["source"]?.string
            else {
                unreadable += 1
                continue
            }
            let key = Key(day: day, tile: tile, item: value.count("item"), source: source)
            let place = places[key] ?? rows.count
            if place == rows.count {
                rows.append(Row(day: day, tile: tile, item: key.item, source: source))
                places[key] = place
            }
            let (seconds, presented) = (value.number("seconds"), value.count("presented"))
            rows[place].seconds += seconds
            rows[place].presented += presented
            if seconds > 0 || presented > 0 {
                rows[place].plays += 1
                if value["ended"]?.string == "eof" { rows[place].whole += 1 }
            }
            rows[place].missed += value.count("missed")
            rows[place].late += value.count("late")
        }
    }

    /// As they are printed.
    public var sorted: [Row] {
        rows.sorted { ($0.day, $0.tile, $0.item, $0.source) < ($1.day, $1.tile, $1.item, $1.source) }
    }
}

extension JSONValue {
    /// More is nothing that a wall has written, and sums of it would not fit.
    fileprivate func number(_ key: String) -> Double {
        if case .number(let number, _)? = self[key]?.content { min(max(0, number), 1e9) } else { 0 }
    }

    fileprivate func count(_ key: String) -> Int { Int(number(key)) }
}
