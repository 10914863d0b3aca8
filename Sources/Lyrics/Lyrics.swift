import Base

/// Lyrics with their times, the same for all file formats.
public struct Lyrics: Sendable, Equatable {
    /// Lines in the order in which they begin.
    public private(set) var lines: [Line]

    public init(_ lines: [Line]) {
        self.lines = lines.enumerated().sorted { ($0.element.begin, $0.offset) < ($1.element.begin, $1.offset) }
            .map(\.element)
    }

    public struct Line: Sendable, Equatable {
        /// At least one.
        public let syllables: [Syllable]
        public let voices: Voices
        /// True if each word has a time of its own.
        public let isTimedByWord: Bool

        public init(_ syllables: [Syllable], _ voices: Voices = .all, isTimedByWord: Bool = true) {
            precondition(!syllables.isEmpty, "a line without words")
            (self.syllables, self.voices, self.isTimedByWord) = (syllables, voices, isTimedByWord)
        }

        public var begin: Time { syllables[0].begin }
        public var end: Time { syllables.reduce(syllables[0].end) { max($0, $1.end) } }
        public var text: String { syllables.map(\.text).joined() }
    }

    /// A word or a part of it, sung on one note. Blanks at its ends separate words.
    public struct Syllable: Sendable, Equatable {
        public var text: String
        public var begin: Time
        public var end: Time
        public var kind: Kind

        public enum Kind: Sendable { case usual, golden, free }

        public init(_ text: String, _ begin: Time, _ end: Time, _ kind: Kind = .usual) {
            (self.text, self.begin, self.end, self.kind) = (text, begin, end, kind)
        }
    }

    /// The voices of a duet that sing a line.
    public struct Voices: OptionSet, Sendable, Hashable {
        public let rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }
        public static let all = Voices(rawValue: 0x1FF)

        /// `number`: from 1 to 9.
        public init(_ number: Int) { rawValue = (1...9).contains(number) ? 1 << (number - 1) : 0 }

        public var numbers: [Int] { (1...9).filter { contains(Voices($0)) } }
    }

    /// Returns the lines of these voices.
    public func of(_ voices: Voices) -> Lyrics { Lyrics(lines.filter { !$0.voices.isDisjoint(with: voices) }) }
}

extension Lyrics.Line {
    /// Longer lines are split.
    static let mostSyllables = 64

    /// The line, or its parts if it is too long. Each part ends at the last blank that fits, if there is one.
    var parts: [Lyrics.Line] {
        if syllables.count <= Self.mostSyllables { return [self] }
        var parts: [Lyrics.Line] = [], start = 0
        while start < syllables.count {
            let limit = min(start + Self.mostSyllables, syllables.count)
            let end = limit == syllables.count ? limit : (start + 1...limit).last { isBlank(before: $0) } ?? limit
            parts.append(Lyrics.Line(Array(syllables[start..<end]), voices, isTimedByWord: isTimedByWord))
            start = end
        }
        return parts
    }

    private func isBlank(before syllable: Int) -> Bool {
        let edges = [syllables[syllable - 1].text.unicodeScalars.last, syllables[syllable].text.unicodeScalars.first]
        return edges.contains { $0?.properties.isWhitespace ?? false }
    }
}

/// Source of lyrics.
public enum LyricsSource: Sendable, Hashable {
    case file(String)
    /// A lyrics file with the media file's name, or else its first subtitle track. There may be neither.
    case auto(of: String)
    /// A subtitle track, from 1.
    case track(Int, of: String)

    /// Returns the files that `auto` looks for, in this order.
    public static func filesBeside(_ media: String) -> [String] {
        let stem = SourceName.withoutEnding(media)
        return [".ass", ".lrc", ".srt", ".vtt"].flatMap { [stem + $0, stem + $0.uppercased()] }
    }

    /// Local files from which the lyrics may be read.
    public var files: [String] {
        switch self {
        case .file(let path), .track(_, let path): SourceName.path(of: path).map { [$0] } ?? []
        case .auto(let media): SourceName.path(of: media).map { [$0] + Self.filesBeside($0) } ?? []
        }
    }

    /// Name for display, without passwords.
    public var name: String {
        switch self {
        case .file(let path), .auto(let path), .track(_, let path): SourceName.withoutSecrets(path)
        }
    }
}
