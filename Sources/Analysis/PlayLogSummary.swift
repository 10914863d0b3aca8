import Base

/// Sums of a play log, by day, tile and source. The source is the real path of a file. Logs of former versions have only
/// the name in the layout.
public struct PlayLogSummary: Sendable, Equatable {
    private var sums: [Key: Row] = [:]
    /// Number of lines that are no entries of a log.
    public private(set) var unreadable = 0
    private let grouping: Grouping

    /// The key of a row, besides its day and tile.
    public enum Grouping: String, Sendable { case source, item }

    /// Part of an item that must be presented for a whole play.
    private static let wholeShare = 0.99
    /// Seconds that may be missing at the end of a sound, which is reported slightly late or early.
    private static let secondsOfSlack = 0.1

    public struct Row: Sendable, Equatable {
        public let key: Key
        /// Plays of which something was on the screen, or heard.
        public fileprivate(set) var plays = 0
        /// Plays that came to the item's end with at least 99 % of its frames.
        public fileprivate(set) var whole = 0
        public fileprivate(set) var seconds = 0.0
        /// Title and artist of the song; nil if it is no song.
        public fileprivate(set) var names: MediaNames?
        /// Number of frames that should have been presented.
        public fileprivate(set) var frames = 0
        public fileprivate(set) var presented = 0
        public fileprivate(set) var dropped = 0
        public fileprivate(set) var late = 0
        /// Frames of `frames` that were presented.
        fileprivate var shown = 0
        /// Seconds for which items without frames should have been heard, and were heard.
        fileprivate var soundLength = 0.0
        fileprivate var soundHeard = 0.0

        /// Part of the frames that was presented, or of a sound's length that was heard, from 0 to 1; nil if the row
        /// has neither.
        public var share: Double? {
            if frames > 0 { return Double(shown) / Double(frames) }
            return soundLength > 0 ? soundHeard / soundLength : nil
        }
    }

    public struct Key: Sendable, Hashable {
        public let day: String
        public let tile: String
        /// Place in the sequence; nil if one row is for all places of a source.
        public let item: Int?
        public let source: String
    }

    public init(by grouping: Grouping = .source) { self.grouping = grouping }

    /// Adds the lines of a day's file. A last line that a power cut left without its end counts as unreadable.
    public mutating func add(_ lines: [UInt8], day: String) {
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            guard let value = try? JSONParser.parse(Array(line)), let tile = value["tile"]?.string,
                let stated = value["source"]?.string
            else {
                unreadable += 1
                continue
            }
            // A file has one name, however layouts name it.
            let source = value["file"]?.string ?? stated
            let item = grouping == .item ? value.count("item") : nil
            let key = Key(day: day, tile: tile, item: item, source: source)
            Self.add(value, to: &sums[key, default: Row(key: key)])
        }
    }

    private static func add(_ value: JSONValue, to row: inout Row) {
        let (seconds, presented, dropped) = (value.seconds("seconds"), value.count("presented"), value.count("missed"))
        // Logs of former versions do not state how many there should have been.
        let frames = value["frames"] == nil ? presented + dropped : value.count("frames")
        let shown = min(frames, max(0, presented - value.count("repeated")))
        let length = frames == 0 ? value.seconds("length") : 0
        let heard = min(seconds, length)
        row.names = MediaNames(title: value["title"]?.string, artist: value["artist"]?.string)
        row.seconds += seconds
        row.presented += presented
        row.dropped += dropped
        row.late += value.count("late")
        row.frames += frames
        row.shown += shown
        row.soundLength += length
        row.soundHeard += heard
        guard seconds > 0 || presented > 0 else { return }
        row.plays += 1
        guard let end = value["ended"]?.string, ["eof", "hour"].contains(end) else { return }
        let isWhole =
            frames > 0
            ? Double(shown) >= wholeShare * Double(frames) : heard + secondsOfSlack >= wholeShare * length
        if isWhole { row.whole += 1 }
    }

    /// Rows in the order in which they are printed.
    public var rows: [Row] {
        sums.values.sorted { a, b in
            (a.key.day, a.key.tile, a.key.item ?? 0, a.key.source)
                < (b.key.day, b.key.tile, b.key.item ?? 0, b.key.source)
        }
    }
}

extension JSONValue {
    /// Clamped to values that a wall can have written, so that sums do not overflow.
    fileprivate func seconds(_ key: String) -> Double { min(max(0, self[key]?.number ?? 0), 1e9) }

    fileprivate func count(_ key: String) -> Int { Int(seconds(key)) }
}
