import Base

/// Reads UltraStar's song files: headers, then notes by beats, phrase by phrase, and voice by voice in a duet.
///
/// Mistakes and oddities are listed, with what would be right. The rest of the song is read nevertheless.
public struct UltraStarReader {
    private(set) var song = Song()
    private var list = MistakeList()
    /// Values by their keys; `song.places` has their positions.
    private var headers: [String: String] = [:]
    private var notes = UltraStarNotes()

    /// `mistakes`: nil if there are none.
    public static func read(_ bytes: [UInt8]) -> (song: Song, mistakes: Mistakes?) {
        var reader = UltraStarReader()
        reader.readAll(bytes)
        return (reader.song, reader.list.mistakes)
    }

    /// True if the text is meant as a song: its first line that is not blank is a header.
    public static func isSong(_ bytes: [UInt8]) -> Bool {
        let lines = TextLines(bytes, .windows1252).lazy.map { $0.text.unicodeScalars[...].trimmed }
        guard let first = lines.first(where: { !$0.isEmpty }), first.first == "#", let colon = first.firstIndex(of: ":")
        else { return false }
        let key = first[..<colon].dropFirst().trimmed
        return !key.isEmpty && key.count <= 40 && key.allSatisfy { ("!"..."~").contains($0) }
    }

    private mutating func readAll(_ bytes: [UInt8]) {
        var (last, isOver) = (1, false)
        for (number, line) in TextLines(bytes, Self.encoding(of: bytes)) {
            last = number
            if isOver { continue }
            let text = Array(line.unicodeScalars)
            guard let first = text.firstIndex(where: { !$0.properties.isWhitespace }) else { continue }
            if text[first] == "#", notes.isEmpty {
                readHeader(text, from: first, number)
            } else {
                if notes.isEmpty { notes.isRelative = statesRelative }
                isOver = notes.read(text, number, list)
            }
        }
        let end = TextPosition(line: last, column: 1)
        if !isOver { list.add("missing; a line \"E\" ends a song", at: end, place: "E") }
        readHeaders()
        song.lyrics = notes.lyrics
        if song.lyrics.lines.isEmpty {
            list.add("missing; a song without notes has no lyrics", at: end, place: "notes")
        }
        refuseUnknownVersion()
    }

    /// Returns UTF-8 for versioned files, else the encoding in the header; nil if each line may be UTF-8 or
    /// Windows-1252.
    private static func encoding(of bytes: [UInt8]) -> TextLines.Encoding? {
        var stated: TextLines.Encoding?
        var isVersioned = false
        for (_, line) in TextLines(bytes, .windows1252) {
            guard line.unicodeScalars.first(where: { !$0.properties.isWhitespace }) == "#",
                let (key, value) = header(Array(line.unicodeScalars))
            else { continue }
            switch key {
            case "VERSION": isVersioned = isVersioned || !value.isEmpty
            case "ENCODING":
                switch string(value).lowercased().filter({ !$0.isWhitespace && $0 != "-" }) {
                case "utf8": stated = .utf8
                case "cp1252", "windows1252", "iso88591", "latin1": stated = .windows1252
                case "cp1250", "windows1250": stated = .windows1250
                default: break
                }
            default: break
            }
        }
        guard isVersioned || stated == .utf8 else { return stated }
        if TextEncoding.isUTF8(bytes) { return .utf8 }
        // A file that should be UTF-8 and is not is read in the other encodings.
        return stated == .utf8 ? nil : stated
    }

    // MARK: headers

    /// Splits a line that begins with "#": the key in capitals without blanks, and the trimmed value after the colon;
    /// nil if there is no colon.
    private static func header(_ text: [Unicode.Scalar]) -> (key: String, value: ArraySlice<Unicode.Scalar>)? {
        guard let mark = text.firstIndex(of: "#"), let colon = text[mark...].firstIndex(of: ":") else { return nil }
        return (
            string(text[(mark + 1)..<colon]).uppercased().filter { !$0.isWhitespace }, text[(colon + 1)...].trimmed
        )
    }

    private mutating func readHeader(_ text: [Unicode.Scalar], from first: Int, _ line: Int) {
        guard let (key, value) = Self.header(text) else {
            let right = "\"#KEY:value\" would be right"
            return list.add(
                "a header without a colon; \(right)", at: TextPosition(line: line, column: first + 1), place: "#")
        }
        // An empty header counts as missing.
        if value.isEmpty { return }
        headers[key] = Self.string(value)
        song.places[key] = TextPosition(line: line, column: value.startIndex + 1)
    }

    /// Adds a mistake about a header, which may be missing.
    private func add(_ text: String, about key: String) {
        list.add(text, at: song.place(of: key), place: "#\(key)")
    }

    private mutating func readHeaders() {
        notes.isVersioned = isVersioned
        song.title = need("TITLE") ?? ""
        song.artist = need("ARTIST") ?? ""
        if let bpm = number("BPM"), bpm > 0, bpm < 100_000 {
            notes.bpm = bpm
        } else if let header = headers["BPM"] {
            add("\(header.quoted) is not a tempo; a number above 0 would be right", about: "BPM")
        } else {
            add("missing; how many beats a minute, such as #BPM:120", about: "BPM")
        }
        notes.gap = number("GAP").map { .init(seconds: $0 / 1000) } ?? .zero
        song.videoGap = number("VIDEOGAP").map { .init(seconds: $0) } ?? .zero
        song.start = number("START").map { .init(seconds: $0) }
        // Some files have 0 to mean none.
        song.end = number("END").flatMap { $0 == 0 ? nil : .init(seconds: $0 / 1000) }
        if let start = song.start, start < .zero { song.start = nil }
        if let end = song.end, end <= song.start ?? .zero {
            add("the song ends before it begins; milliseconds after #START would be right", about: "END")
            song.end = nil
        }
        notes.isRelative = isRelative
        if statesRelative, !isRelative {
            add(
                "beats that count from phrase to phrase belong to songs without a #VERSION; they are read as if they "
                    + "counted from the beginning", about: "RELATIVE")
        }
        readFiles()
    }

    /// In a song of a later version everything may have another meaning, so only its version is reported.
    private mutating func refuseUnknownVersion() {
        guard let version = headers["VERSION"], Self.major(version) > 1 else { return }
        let refusal = "version \(version.quoted) is not known; 1 would be right"
        (song.refusal, song.lyrics, list) = (refusal, Lyrics([]), MistakeList())
        add(refusal, about: "VERSION")
    }

    /// Returns the number with which the version begins; 0 if there is none.
    private static func major(_ version: String) -> Int {
        let digits = version.unicodeScalars.prefix { ("0"..."9").contains($0) }
        return digits.isEmpty ? 0 : Int(String(digits)) ?? .max
    }

    /// Versions below 1.0.0 had no fixed rules.
    private var isVersioned: Bool { headers["VERSION"].map { Self.major($0) >= 1 } ?? false }
    private var statesRelative: Bool { headers["RELATIVE"]?.lowercased() == "yes" }
    private var isRelative: Bool { statesRelative && !isVersioned }

    private mutating func readFiles() {
        for file in Song.File.allCases {
            let keys = file == .audio ? ["AUDIO", "MP3"] : [file.rawValue.uppercased()]
            guard let key = keys.first(where: { headers[$0] != nil }), let header = headers[key] else { continue }
            if file == .video, Self.isNoteOfUSDB(header) {
                add(
                    "\(header.quoted) is usdb's note on the video's origin, not a file; the video's name would "
                        + "be right", about: key)
                continue
            }
            let name = String(header.map { $0 == "\\" ? "/" : $0 })
            // The song must not name files outside of its folder.
            if name.hasPrefix("/") || name.split(separator: "/").contains("..") || name.dropFirst().hasPrefix(":") {
                add(
                    "\(header.quoted) lies outside of the song's folder; a name within it would be right",
                    about: key)
            } else {
                (song.files[file], song.fileHeaders[file]) = (name, key)
            }
        }
        if headers["AUDIO"] == nil, headers["MP3"] == nil {
            add("missing; the song's sound, such as #AUDIO:song.mp3", about: "AUDIO")
        }
    }

    /// True for values such as `v=5eA3Lrs0rlM,co=cover.jpg`, which usdb's songs have until usdb_syncer has fetched the
    /// video.
    private static func isNoteOfUSDB(_ value: String) -> Bool {
        guard let equals = value.firstIndex(of: "=") else { return false }
        return ["a", "v", "co", "bg", "p1", "p2", "preview", "medley", "tags"].contains(value[..<equals].lowercased())
    }

    private func need(_ key: String) -> String? {
        if headers[key] == nil { add("missing; #\(key):… would be right", about: key) }
        return headers[key]
    }

    /// Reads the number of a header, with a point or a comma; nil if there is none. Notes a mistake if it is no number.
    private func number(_ key: String) -> Double? {
        guard let header = headers[key] else { return nil }
        guard let number = Double(String(header.map { $0 == "," ? "." : $0 })), number.magnitude < 1e9 else {
            if key != "BPM" { add("\(header.quoted) is not a number; it is ignored", about: key) }
            return nil
        }
        return number
    }

    static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }
}
