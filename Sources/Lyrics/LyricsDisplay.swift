import Base

/// Chooses the lines of lyrics on the screen at an instant, and their rows.
///
/// Each voice has a block of rows, which its lines take in turn. A line appears when the line before it in its row
/// ends, so that the next line is in sight while a line is sung. It stays until its last word has ended. After a long
/// pause the first row has the line that comes first. The first line appears some seconds before its first word.
public struct LyricsDisplay: Sendable {
    public let lyrics: Lyrics
    /// Blocks from top to bottom.
    public let blocks: [Block]

    /// A pause of this length ends with dots, one less each second. The first lines appear this long before their words.
    private static let longPause = Time.seconds(5)
    public static let dots = 3

    public struct Block: Sendable {
        /// nil if the block is for all voices.
        public let voice: Int?
        fileprivate let rows: [[Place]]
        /// Times at which the lines after long pauses begin.
        fileprivate let countdowns: [Time]
    }

    /// The time during which a line is shown.
    fileprivate struct Place {
        let line: Int
        let from: Time
        let to: Time
    }

    /// `voice`: the voice to be shown; nil means all. `rows`: rows of each voice.
    public init(_ lyrics: Lyrics, voice: Int? = nil, rows: Int) {
        let shown = voice.map { lyrics.of(Lyrics.Voices($0)) } ?? lyrics
        self.lyrics = shown
        let voices: [Int?] = voice == nil ? shown.voices : []
        blocks = (voices.isEmpty ? [nil] : voices).map { Block(shown, voice: $0, rows: rows) }
    }

    /// Content of a block at an instant.
    public struct Rows: Sendable, Equatable {
        /// Line in each row, from the top; nil if the row is empty.
        public var lines: [Int?]
        /// Number of dots above the first row, which has the line after a long pause: one less each second.
        public var dots = 0
    }

    public func rows(of block: Int, at time: Time) -> Rows {
        let block = blocks[block]
        var rows = Rows(
            lines: block.rows.map { $0.first(coveringOrAfter: time).flatMap { $0.from <= time ? $0.line : nil } })
        if let next = block.countdowns.first(where: { $0 > time }) {
            let count = Int(((next - time).seconds).rounded(.up))
            if count <= Self.dots { rows.dots = count }
        }
        return rows
    }

    /// Returns the lines that come next, so that they can be drawn in advance.
    public func coming(after time: Time, within span: Time) -> [Int] {
        blocks.flatMap { block in
            block.rows.compactMap { row in
                row.first { $0.from > time }.flatMap { $0.from <= time + span ? $0.line : nil }
            }
        }
    }

    /// True if a block's voice sings the line.
    public func isSung(_ line: Int, inBlock block: Int) -> Bool {
        blocks[block].voice.map { !lyrics.lines[line].voices.isDisjoint(with: Lyrics.Voices($0)) } ?? true
    }

    /// Returns the time of the next redraw: `time` itself while words are being sung, which change with every present.
    /// nil if nothing changes any more.
    public func nextChange(after time: Time) -> Time? {
        var next = Time.distantFuture
        func note(_ instant: Time) { if instant > time { next = min(next, instant) } }
        for block in blocks {
            for row in block.rows {
                guard let place = row.first(coveringOrAfter: time) else { continue }
                guard place.from <= time else {
                    note(place.from)
                    continue
                }
                note(place.to)
                let line = lyrics.lines[place.line]
                guard line.isTimedByWord else {
                    note(line.begin)
                    continue
                }
                for syllable in line.syllables {
                    if syllable.begin <= time, time < syllable.end { return time }
                    note(syllable.begin)
                }
            }
            if let countdown = block.countdowns.first(where: { $0 > time }) {
                for count in 0...Int64(Self.dots) { note(countdown - .seconds(count)) }
            }
        }
        return next == .distantFuture ? nil : next
    }
}

extension LyricsDisplay.Block {
    fileprivate init(_ lyrics: Lyrics, voice: Int?, rows count: Int) {
        var rows = Array(repeating: [LyricsDisplay.Place](), count: max(1, count))
        var countdowns: [Time] = []
        var row = 0
        var sung = Time.zero
        // Time at which the line before appears; nil before the first line.
        var shown: Time?
        for (index, line) in lyrics.lines.enumerated() {
            if let voice, line.voices.isDisjoint(with: Lyrics.Voices(voice)) { continue }
            let (over, pause) = (sung, line.begin - sung)
            sung = max(sung, line.end)
            let ends = rows.map { $0.last?.to ?? -Time.distantFuture }
            // If the row's last line is still shown, the row that is free first is taken.
            if ends[row] > line.begin { row = ends.indices.min { ends[$0] < ends[$1] } ?? row }
            var from = max(shown ?? line.begin - LyricsDisplay.longPause, ends[row])
            if pause >= LyricsDisplay.longPause {
                countdowns.append(line.begin)
                if row > 0, let before = shown {
                    // The line is in sight while the line before is sung, and moves to the first row in the pause.
                    from = max(before, ends[row])
                    if from < over { rows[row].append(LyricsDisplay.Place(line: index, from: from, to: over)) }
                    (row, from) = (0, over)
                }
            }
            // All rows are taken until the line is over, so it is never shown.
            guard from < line.end else { continue }
            rows[row].append(LyricsDisplay.Place(line: index, from: from, to: line.end))
            (shown, row) = (from, (row + 1) % rows.count)
        }
        (self.voice, self.rows, self.countdowns) = (voice, rows, countdowns)
    }
}

extension [LyricsDisplay.Place] {
    /// Returns the place that covers `time`, or else the first after it. The places of a row follow each other.
    fileprivate func first(coveringOrAfter time: Time) -> LyricsDisplay.Place? {
        let place = partitionPoint { $0.to > time }
        return place < endIndex ? self[place] : nil
    }
}

extension Array {
    /// Returns the index of the first element that lies after a point; the count if there is none. The elements are in
    /// order.
    public func partitionPoint(_ isAfter: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Lyrics {
    /// Voices of a duet; empty if all voices sing everything.
    public var voices: [Int] {
        let named = lines.reduce(into: Voices()) { named, line in
            if line.voices != .all { named.formUnion(line.voices) }
        }
        return named.numbers.count > 1 ? named.numbers : []
    }

    /// Returns why nothing would be shown for a voice; nil if it has lines.
    public func trouble(ofVoice voice: Int) -> SourceTrouble? {
        guard !lines.isEmpty, of(Voices(voice)).lines.isEmpty else { return nil }
        let sung = lines.reduce(into: Voices()) { $0.formUnion($1.voices) }.numbers.map(String.init)
        return SourceTrouble(
            .unsupported, "the lyrics have no lines for voice \(voice); \(sung.joined(separator: ", ")) would be right")
    }
}

extension Lyrics.Line {
    /// Returns the part of a syllable that has been sung, from 0 to 1. A line without word times is sung at once.
    public func sung(of syllable: Int, at time: Time) -> Double {
        guard isTimedByWord else { return time >= begin ? 1 : 0 }
        let syllable = syllables[syllable]
        if time < syllable.begin { return 0 }
        if time >= syllable.end { return 1 }
        return (time - syllable.begin).seconds / (syllable.end - syllable.begin).seconds
    }
}
