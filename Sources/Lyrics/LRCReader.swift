import Base

/// Reads LRC. A line has `[mm:ss.xx]` in front, several times if it is sung several times. Words may have `<mm:ss.xx>`,
/// or in some files `[mm:ss.xx]`.
public enum LRCReader {
    private typealias Text = Substring.UnicodeScalarView

    /// Duration of a line without an end.
    private static let usualLine = Time.seconds(5)
    /// Longest text in brackets, in characters. Longer ones are no tags.
    private static let longestTag = 400
    /// Longest time, in characters: hours, minutes, seconds and a fraction, of nine digits each.
    private static let longestTime = 40
    /// Most times that a line may have.
    private static let mostTimes = 200
    /// Longest line, in characters. The rest is ignored.
    private static let longestLine = 20_000
    /// Most words in a file, counted each time they are sung. The rest is ignored.
    private static let mostSyllables = 200_000
    /// Longest duration of a last word, if a pause follows.
    private static let longestWord = Time.seconds(3)

    public static func read(_ bytes: [UInt8]) -> Lyrics {
        var drafts: [Draft] = [], offset = Time.zero, left = mostSyllables
        for (_, line) in TextLines(bytes) {
            let (begins, rest) = times(of: line.unicodeScalars.prefix(longestLine), &offset)
            guard left > 0, let first = begins.first else { continue }
            // If a line has several times, its word times refer to the nearest of them.
            let sung = words(rest, from: first).first { $0.begin != first }?.begin ?? first
            let begin = begins.min { ($0 - sung).magnitude < ($1 - sung).magnitude } ?? first
            let written = words(rest, from: begin)
            for other in begins {
                left -= max(1, written.count)
                if left < 0 { break }
                drafts.append(Draft(begin: other, words: written.map { ($0.text, $0.begin + (other - begin)) }))
            }
        }
        // A positive offset makes all lines earlier.
        drafts = drafts.sorted { $0.begin < $1.begin }.map { draft in
            Draft(begin: draft.begin - offset, words: draft.words.map { ($0.text, $0.begin - offset) })
        }
        return Lyrics(lines(of: drafts))
    }

    /// Returns the title and the artist that the tags `ti` and `ar` state; nil for each that is not stated.
    public static func names(_ bytes: [UInt8]) -> (title: String?, artist: String?) {
        var names: (title: String?, artist: String?)
        for (_, line) in TextLines(bytes) {
            let begin = line.unicodeScalars.prefix(longestLine).drop(while: \.properties.isWhitespace)
            guard let (text, _) = tag(in: begin, "[", "]", atMost: longestTag), let (key, value) = field(text) else {
                continue
            }
            let name = String(value.trimmed).printable
            switch key {
            case _ where name.isEmpty: break
            case "ti": names.title = names.title ?? name
            case "ar": names.artist = names.artist ?? name
            default: break
            }
        }
        return names
    }

    /// Returns the times in front of a line, and the text after them.
    private static func times(of line: Text, _ offset: inout Time) -> ([Time], Text) {
        let (begins, rest) = times(of: line, areApart: false, &offset)
        let (more, words) = times(of: line, areApart: true, &offset)
        // A time after a blank may be that of a word, if other words of the line are timed in the same brackets.
        let mark = tag(in: words.drop(while: \.properties.isWhitespace), "<", ">", atMost: longestTime)
        let isOfWords = Self.words(words, from: .zero).count > 1 && mark.flatMap { time($0.0) } == nil
        return more.count > begins.count && !isOfWords ? (more, words) : (begins, rest)
    }

    /// `areApart`: blanks may be between the times.
    private static func times(of line: Text, areApart: Bool, _ offset: inout Time) -> ([Time], Text) {
        var begins: [Time] = [], rest = line
        while true {
            let next = areApart || begins.isEmpty ? rest.drop(while: \.properties.isWhitespace) : rest
            guard let (text, after) = tag(in: next, "[", "]", atMost: longestTag) else { break }
            if let time = time(text) {
                if begins.count < mostTimes, !begins.contains(time) { begins.append(time) }
            } else if begins.isEmpty {
                if let stated = self.offset(text) { offset = stated }
            } else {
                // A word in brackets.
                break
            }
            rest = after
        }
        return (begins, rest)
    }

    /// `drafts`: in the order in which they begin. Lines that begin at the same time all stay until a later line
    /// begins.
    private static func lines(of drafts: [Draft]) -> [Lyrics.Line] {
        var lines: [[Lyrics.Line]] = []
        var next: Time?
        for place in drafts.indices.reversed() {
            if place + 1 < drafts.count, drafts[place + 1].begin > drafts[place].begin {
                next = drafts[place + 1].begin
            }
            lines.append(drafts[place].line(before: next)?.parts ?? [])
        }
        return lines.reversed().flatMap { $0 }
    }

    /// A line as it is written: its words and their starts. The last word may be empty and mark the line's end.
    private struct Draft {
        let begin: Time
        let words: [(text: String, begin: Time)]

        /// nil if there are no words in it: it marks the end of the line before.
        func line(before next: Time?) -> Lyrics.Line? {
            var words = words
            var end: Time?
            if words.count > 1, let last = words.last, Draft.isBlank(last.text) {
                end = last.begin
                words.removeLast()
            }
            guard !words.isEmpty, !words.allSatisfy({ Draft.isBlank($0.text) }) else { return nil }
            let isTimed = words.count > 1 || end != nil
            let longest = isTimed ? words.last!.begin + LRCReader.longestWord : begin + LRCReader.usualLine
            // A line with timed words may go on while others begin.
            let cut = isTimed ? next.flatMap { $0 > words.last!.begin ? min($0, longest) : nil } : next
            let lineEnd = end ?? cut ?? longest
            let syllables = words.indices.map { place in
                let begin = words[place].begin
                let end = place + 1 < words.count ? words[place + 1].begin : lineEnd
                return Lyrics.Syllable(words[place].text, begin, max(begin, end))
            }
            return Lyrics.Line(syllables, isTimedByWord: isTimed)
        }

        static func isBlank(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(\.properties.isWhitespace) }
    }

    /// `begin`: start of the text before the first time.
    private static func words(_ text: Text, from begin: Time) -> [(text: String, begin: Time)] {
        var words: [(text: String, begin: Time)] = []
        var (word, at) = (String.UnicodeScalarView(), begin), rest = text
        while let scalar = rest.first {
            let mark = tag(in: rest, "<", ">", atMost: longestTime) ?? tag(in: rest, "[", "]", atMost: longestTime)
            if let (tag, after) = mark, let time = time(tag) {
                if !word.isEmpty { words.append((String(word), at)) }
                (word, at, rest) = (String.UnicodeScalarView(), time, after)
            } else {
                word.append(scalar)
                rest = rest.dropFirst()
            }
        }
        // An empty word after the last time marks the line's end.
        if !word.isEmpty || !words.isEmpty { words.append((String(word), at)) }
        while let first = words.first, words.count > 1, Draft.isBlank(first.text) { words.removeFirst() }
        if let first = words.first {
            words[0].text = String(first.text.unicodeScalars.drop(while: \.properties.isWhitespace))
        }
        return words
    }

    /// Returns the text in brackets at the start, and the text after them; nil if there is none. `most`: longest text
    /// in brackets, in characters.
    private static func tag(
        in text: Text, _ open: Unicode.Scalar, _ close: Unicode.Scalar, atMost most: Int
    ) -> (Text, Text)? {
        guard text.first == open else { return nil }
        let inside = text.dropFirst()
        guard let end = inside.prefix(most + 1).firstIndex(of: close) else { return nil }
        return (inside[..<end], inside[inside.index(after: end)...])
    }

    /// Reads `mm:ss`, `mm:ss.xx`, and the variants `mm:ss,xx`, `mm:ss:xx` and `hh:mm:ss.xx`.
    private static func time(_ tag: Text) -> Time? {
        let fields = tag.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 2 || fields.count == 3, let minutes = digits(fields[0]), minutes < 1_000_000 else {
            return nil
        }
        if fields.count == 3, fields[2].contains("."), minutes < 1000,
            let rest = Self.time(tag[tag.index(after: fields[0].endIndex)...])
        {
            return .seconds(Int64(minutes * 3600)) + rest
        }
        let parts = fields[1].split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        guard let seconds = digits(parts[0]), parts.count + fields.count <= 4, seconds < 60 || fields.count == 2 else {
            return nil
        }
        var time = Time.seconds(Int64(minutes * 60 + min(seconds, 1_000_000)))
        if let fraction = parts.count == 2 ? parts[1] : fields.count == 3 ? fields[2] : nil {
            guard let number = digits(fraction), fraction.count <= 9 else { return nil }
            let unit = (0..<fraction.count).reduce(Int64(1)) { power, _ in power * 10 }
            time += Time(Int64(number), ofUnits: 1, over: unit)
        }
        return time
    }

    /// Returns the key of a tag, in small letters, and its value.
    private static func field(_ tag: Text) -> (key: String, value: Text)? {
        let fields = tag.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return fields.count == 2 ? (String(fields[0]).lowercased(), fields[1]) : nil
    }

    /// Reads an offset, which is in milliseconds.
    private static func offset(_ tag: Text) -> Time? {
        guard let (key, text) = field(tag), key == "offset" else { return nil }
        let whole = text.filter { !$0.properties.isWhitespace }.prefix { $0 != "." && $0 != "," }
        guard let number = Int64(String(whole)), number.magnitude < 1_000_000_000 else { return nil }
        return .milliseconds(number)
    }

    private static func digits(_ text: Text) -> Int? {
        guard !text.isEmpty, text.count <= 9, text.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        return Int(String(text))
    }
}
