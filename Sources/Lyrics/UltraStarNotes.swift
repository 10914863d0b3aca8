import Base

/// The notes of a song file, read line by line. Their times are computed when its headers are known.
struct UltraStarNotes {
    var bpm = 120.0
    var gap = Time.zero
    var isVersioned = false
    /// True if beats count from the start of their phrase.
    var isRelative = false
    private var voice = 1
    private var phrases: [Phrase] = []
    /// Notes since the last end of a phrase, by voice.
    private var open: [Int: [Note]] = [:]
    /// Beat at which the last note ends, by voice.
    private var lastEnds: [Int: Int] = [:]
    /// Voices that the file has named so far.
    private var named: Set<Int> = []
    private(set) var isEmpty = true

    private struct Note {
        let start: Int
        let length: Int
        let text: String
        let kind: Lyrics.Syllable.Kind
    }

    private struct Phrase {
        let voice: Int
        let notes: [Note]
        /// Beats by which the end of the phrase moves the next phrases, if beats are relative; nil for the last phrase.
        let advance: Int?
    }

    /// Reads a line: the mark with which it begins, and the rest. Requires a character from `place` on that is not
    /// blank. Returns true if the line ends the song.
    mutating func read(_ text: [Unicode.Scalar], _ line: Int, _ list: MistakeList, from place: Int = 0) -> Bool {
        let start = text[place...].firstIndex { !$0.properties.isWhitespace } ?? place
        var fields = Fields(text, line, from: start + 1)
        // Some files have a colon after each mark.
        if !":-".unicodeScalars.contains(text[start]) { fields.skip(":") }
        func add(_ what: String, _ place: String, at column: Int? = nil) {
            list.add(what, at: TextPosition(line: line, column: column ?? start + 1), place: place)
        }
        switch text[start] {
        // Before the first note, the line may be the rest of a header.
        case "E" where !isEmpty || fields.next == nil, "e" where fields.next == nil: return true
        case ":", "*", "F", "R", "G": readNote(text[start], &fields, list)
        case "-":
            let beat = fields.number()
            if beat == nil { add("no beat at which the phrase ends; \"- 24\" would be right", "phrase") }
            close(voice, advance: fields.number() ?? beat ?? 0)
            // Some files have more on the same line.
            if let next = fields.next, text[next] != "-" { return read(text, line, list, from: next) }
        case "P", "p":
            if let number = fields.number(), (1...9).contains(number) {
                voice = number
                isEmpty = false
                if named.isEmpty, !phrases.isEmpty || !open.isEmpty {
                    add("a voice after notes without one; \"P1\" before the first note would be right", "voice")
                }
                named.insert(number)
            } else {
                add("not a voice; P1 to P9 would be right", "voice")
            }
        case "B", "b": add("changes of tempo are ignored; one #BPM for the whole song would be right", "tempo")
        case "#": add("headers among the notes are ignored; a header before the first note would be right", "header")
        case let mark where fields.isNote:
            add("\(String(mark).quoted) is not a kind of note and is read as a free note; \":\" would be right", "note")
            readNote("F", &fields, list)
        default:
            add(
                "\(String(text[start]).quoted) is not a known kind of line; \":\", \"*\", \"F\", \"R\", \"G\", \"-\", "
                    + "\"P\" or \"E\" would be right", "note")
        }
        return false
    }

    private mutating func readNote(_ mark: Unicode.Scalar, _ fields: inout Fields, _ list: MistakeList) {
        let form = "\": 12 4 5 word\" would be right: the beat, the length, the pitch and the word"
        let start = fields.number(), lengthPosition = fields.position
        guard let start, let length = fields.number(), fields.number() != nil else {
            return list.add("a note without its three numbers; \(form)", at: fields.position, place: "note")
        }
        isEmpty = false
        if length < 0 { return list.add("a length below 0; \(form)", at: lengthPosition, place: "note") }
        if let end = lastEnds[voice], start < end {
            list.add(
                "it begins at beat \(start), before the note ahead of it ends at \(end)",
                at: TextPosition(line: fields.line, column: 1), place: "note")
        }
        lastEnds[voice] = start + length
        let kind: Lyrics.Syllable.Kind =
            switch mark {
            case _ where length == 0: .free
            case "*", "G": .golden
            case "F": .free
            default: .usual
            }
        open[voice, default: []].append(Note(start: start, length: length, text: fields.rest, kind: kind))
    }

    private mutating func close(_ voice: Int, advance: Int?) {
        phrases.append(Phrase(voice: voice, notes: open[voice] ?? [], advance: advance))
        open[voice] = nil
        if isRelative { lastEnds[voice] = nil }
    }

    // MARK: times

    /// Lyrics of all voices.
    var lyrics: Lyrics {
        let all = phrases + open.keys.sorted().map { Phrase(voice: $0, notes: open[$0]!, advance: nil) }
        var begins: [Int: Int] = [:]
        let lines = all.flatMap { phrase -> [Lyrics.Line] in
            let first = isRelative ? begins[phrase.voice] ?? 0 : 0
            defer { if isRelative, let advance = phrase.advance { begins[phrase.voice] = first + advance } }
            var syllables: [Lyrics.Syllable] = []
            for note in phrase.notes {
                let start = first + note.start, text = note.text.filter { $0 != "~" }
                let (begin, end) = (time(ofBeat: start), time(ofBeat: start + note.length))
                if text != note.text, text.allSatisfy(\.isWhitespace) {
                    // A tilde alone holds the syllable before it on another note.
                    guard let last = syllables.indices.last else { continue }
                    syllables[last].text += text
                    syllables[last].end = max(end, syllables[last].end)
                } else {
                    syllables.append(Lyrics.Syllable(text, begin, end, note.kind))
                }
            }
            return syllables.isEmpty ? [] : Lyrics.Line(syllables, voices(phrase.voice)).parts
        }
        return Lyrics(lines)
    }

    private func voices(_ number: Int) -> Lyrics.Voices {
        if named.isEmpty { return .all }
        // In unversioned files, voice 3 means both.
        return number == 3 && !isVersioned && named.isSuperset(of: [1, 2])
            ? [Lyrics.Voices(1), Lyrics.Voices(2)] : .init(number)
    }

    /// A note's beat is a quarter of a beat of the tempo.
    private func time(ofBeat beat: Int) -> Time { gap + Time(seconds: Double(beat) * 15 / bpm) }
}

/// Successive numbers in a line, and the text after them.
private struct Fields {
    let line: Int
    private let text: [Unicode.Scalar]
    private var place: Int
    private static let blanks: [Unicode.Scalar] = [" ", "\t"]

    init(_ text: [Unicode.Scalar], _ line: Int, from place: Int) {
        (self.text, self.line, self.place) = (text, line, place)
    }

    /// Position of the next field.
    var position: TextPosition {
        let next = text[min(place, text.count)...].firstIndex { !Self.blanks.contains($0) } ?? text.count
        return TextPosition(line: line, column: next + 1)
    }

    /// Index of the next character that is not blank; nil if there is none.
    var next: Int? { text[min(place, text.count)...].firstIndex { !$0.properties.isWhitespace } }

    mutating func skip(_ mark: Unicode.Scalar) { if place < text.count, text[place] == mark { place += 1 } }

    /// True if three numbers follow.
    var isNote: Bool {
        var fields = self
        return fields.number() != nil && fields.number() != nil && fields.number() != nil
    }

    /// Reads a number; nil if there is none, and nothing is consumed. Numbers are so limited that their sums over a file
    /// do not overflow.
    mutating func number() -> Int? {
        // A number ends at a blank, or at the end.
        let rest = text[min(place, text.count)...].drop { Self.blanks.contains($0) }
        let word = rest.prefix { !Self.blanks.contains($0) }
        guard let number = Int(UltraStarReader.string(word)), number.magnitude < 1_000_000_000 else { return nil }
        place = word.endIndex
        return number
    }

    /// Text after the last number and one blank. Further blanks belong to the text.
    var rest: String { place + 1 < text.count ? UltraStarReader.string(text[(place + 1)...]) : "" }
}
