/// Which lines stand on the screen at an instant, and in which row.
///
/// Each voice has a block of rows, and its lines take them in turn. A line is there from a second before its first word,
/// or from the end of the one before it in its row, until its last word has ended.
public struct LyricsDisplay: Sendable {
    public let lyrics: Lyrics
    /// From top to bottom.
    public let blocks: [Block]

    private static let lead = Time.seconds(1)
    /// A pause of this length ends with dots, one less each second.
    private static let longPause = Time.seconds(5)
    public static let dots = 3

    public struct Block: Sendable {
        /// nil: everybody's.
        public let voice: Int?
        fileprivate let rows: [[Place]]
        /// Of lines that follow a long pause.
        fileprivate let countdowns: [Countdown]
    }

    /// When a line is there.
    fileprivate struct Place {
        let line: Int
        let from: Time
        let to: Time
    }

    fileprivate struct Countdown {
        let row: Int
        let end: Time
    }

    /// `voice`: whose part; nil: all of them. `rows`: of each voice.
    public init(_ lyrics: Lyrics, voice: Int? = nil, rows: Int) {
        let shown = voice.map { lyrics.of(Lyrics.Voices($0)) } ?? lyrics
        self.lyrics = shown
        let voices = voice == nil ? shown.voices : []
        blocks =
            voices.isEmpty
            ? [Block(shown, voice: nil, rows: rows)] : voices.map { Block(shown, voice: $0, rows: rows) }
    }

    /// What there is of a block at an instant.
    public struct Rows: Sendable, Equatable {
        /// By row, from the top; nil: none.
        public var lines: [Int?]
        public var dots: Dots?
    }

    /// They stand at the row of a line that comes after a long pause, one less each second.
    public struct Dots: Sendable, Equatable {
        public var row: Int
        public var count: Int
    }

    public func rows(of block: Int, at time: Time) -> Rows {
        let block = blocks[block]
        var rows = Rows(
            lines: block.rows.map { $0.first(coveringOrAfter: time).flatMap { $0.from <= time ? $0.line : nil } })
        if let next = block.countdowns.first(where: { $0.end > time }) {
            let count = Int(((next.end - time).seconds).rounded(.up))
            if count <= Self.dots { rows.dots = Dots(row: next.row, count: count) }
        }
        return rows
    }

    /// The lines that come next, so that they can be drawn before they are wanted.
    public func coming(after time: Time, within span: Time) -> [Int] {
        blocks.flatMap { block in
            block.rows.compactMap { row in
                row.first { $0.from > time }.flatMap { $0.from <= time + span ? $0.line : nil }
            }
        }
    }

    /// Whether a line is a block's.
    public func isSung(_ line: Int, inBlock block: Int) -> Bool {
        blocks[block].voice.map { !lyrics.lines[line].voices.isDisjoint(with: Lyrics.Voices($0)) } ?? true
    }

    /// When something is to be drawn anew.
    public enum Change: Sendable, Equatable {
        /// Words are being sung: with every present.
        case always
        case at(Time)
        case never
    }

    public func nextChange(after time: Time) -> Change {
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
                    if syllable.begin <= time, time < syllable.end { return .always }
                    note(syllable.begin)
                }
            }
            if let countdown = block.countdowns.first(where: { $0.end > time }) {
                for count in 0...Int64(Self.dots) { note(countdown.end - .seconds(count)) }
            }
        }
        return next == .distantFuture ? .never : .at(next)
    }
}

extension LyricsDisplay.Block {
    fileprivate init(_ lyrics: Lyrics, voice: Int?, rows count: Int) {
        var rows = Array(repeating: [LyricsDisplay.Place](), count: max(1, count))
        var countdowns: [LyricsDisplay.Countdown] = []
        var row = 0
        var sung = Time.zero
        for (index, line) in lyrics.lines.enumerated() {
            if let voice, line.voices.isDisjoint(with: Lyrics.Voices(voice)) { continue }
            let pause = line.begin - sung
            sung = max(sung, line.end)
            let ends = rows.map { $0.last?.to ?? -Time.distantFuture }
            // A line that lasts leaves its turns to the other rows.
            if ends[row] > line.begin { row = ends.indices.min { ends[$0] < ends[$1] } ?? row }
            let from = max(line.begin - LyricsDisplay.lead, ends[row])
            // As many lines at once as there are rows, and one more: it is never seen.
            guard from < line.end else { continue }
            rows[row].append(LyricsDisplay.Place(line: index, from: from, to: line.end))
            if pause >= LyricsDisplay.longPause {
                countdowns.append(LyricsDisplay.Countdown(row: row, end: line.begin))
            }
            row = (row + 1) % rows.count
        }
        (self.voice, self.rows, self.countdowns) = (voice, rows, countdowns)
    }
}

extension [LyricsDisplay.Place] {
    /// Of those of a row, which follow each other.
    fileprivate func first(coveringOrAfter time: Time) -> LyricsDisplay.Place? {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].to <= time { low = middle + 1 } else { high = middle }
        }
        return low < endIndex ? self[low] : nil
    }
}

extension Lyrics {
    /// Of a duet; none where everybody sings everything.
    public var voices: [Int] {
        let named = lines.reduce(into: Voices()) { named, line in
            if line.voices != .all { named.formUnion(line.voices) }
        }
        return named.numbers.count > 1 ? named.numbers : []
    }

    /// Why nothing of a voice would be seen; nil: some of the lines are its own, or everybody's.
    public func trouble(ofVoice voice: Int) -> SourceTrouble? {
        guard !lines.isEmpty, of(Voices(voice)).lines.isEmpty else { return nil }
        let sung = lines.reduce(into: Voices()) { $0.formUnion($1.voices) }.numbers.map(String.init)
        return SourceTrouble(
            .unsupported, "voice \(voice) has no words in it; \(sung.joined(separator: ", ")) would be right")
    }
}

extension Lyrics.Line {
    /// How much of a syllable has been sung, from 0 to 1. A line whose words have no times is sung at once.
    public func sung(of syllable: Int, at time: Time) -> Double {
        guard isTimedByWord else { return time >= begin ? 1 : 0 }
        let syllable = syllables[syllable]
        if time < syllable.begin { return 0 }
        if time >= syllable.end { return 1 }
        return (time - syllable.begin).seconds / (syllable.end - syllable.begin).seconds
    }
}
