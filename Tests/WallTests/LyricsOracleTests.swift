import Base
import Expectations
import Foundation
import Lyrics
import TestKit
import Testing

extension WallTests {
    /// Lyrics of random songs, compared with other readers of the same formats (PyPI).
    @Suite struct LyricsOracle {
        /// One line: its voices, and each syllable's start and end in seconds, kind and text.
        private struct Line: Codable, Equatable {
            var voices: [Int]
            var syllables: [Syllable]

            struct Syllable: Codable {
                var begin: Double
                /// nil if the other reader does not report it.
                var end: Double?
                var kind: String
                var text: String
            }

            static func == (one: Line, other: Line) -> Bool {
                guard one.voices == other.voices, one.syllables.count == other.syllables.count else { return false }
                return zip(one.syllables, other.syllables).allSatisfy { a, b in
                    abs(a.begin - b.begin) < 1e-6 && abs((a.end ?? 0) - (b.end ?? a.end ?? 0)) < 1e-6
                        && a.kind == b.kind
                        && a.text == b.text
                }
            }
        }

        private struct Reported: Codable {
            var headers: [String: String]
            var lines: [Line]
        }

        private func lines(_ lyrics: Lyrics) -> [Line] {
            lyrics.lines.map { line in
                Line(
                    voices: line.voices.numbers,
                    syllables: line.syllables.map {
                        .init(begin: $0.begin.seconds, end: $0.end.seconds, kind: "\($0.kind)", text: $0.text)
                    })
            }
        }

        private func ask(_ script: String, _ packages: [(String, String)], _ folder: String) throws -> [String:
            Reported]
        {
            let python = try Python.with(packages.map { (module: $0.0, name: $0.1) })
            return try JSONDecoder().decode(
                [String: Reported].self, from: Data(try run([python, "-c", script, folder]).utf8))
        }

        // MARK: written files

        /// Line ends and encoding of a text.
        private struct Writing {
            let lineEnd: String
            let encoding: String.Encoding
            let isMarked: Bool

            init(_ random: inout SeededNumbers) {
                lineEnd = ["\n", "\r\n", "\r"].randomElement(using: &random)!
                encoding = Int.random(in: 0...2, using: &random) == 0 ? .windowsCP1252 : .utf8
                isMarked = encoding == .utf8 && Bool.random(using: &random)
            }

            func data(_ lines: [String]) -> Data {
                let text = (lines + [""]).joined(separator: lineEnd).data(using: encoding)!
                return isMarked ? Data([0xEF, 0xBB, 0xBF]) + text : text
            }
        }

        private static let words = [
            "Hel", "lo ", " world", "Grüße", "l'été ", "(oh) ", " – ", "~", "", " ", "“so”", "E", "P1", "- 3",
            ": 1 2 3", "Ž€",
        ]

        private static func number(_ value: Double, _ random: inout SeededNumbers) -> String {
            let text = value == value.rounded() ? "\(Int(value))" : "\(value)"
            return Bool.random(using: &random) ? text : text.replacing(".", with: ",")
        }

        private func song(_ writing: Writing, _ random: inout SeededNumbers) -> [String] {
            let isVersioned = Int.random(in: 0...3, using: &random) == 0
            let isRelative = !isVersioned && Int.random(in: 0...3, using: &random) == 0
            let voices = [[], [], [1, 2], [1, 2, 3]].randomElement(using: &random)!
            let bpm = Double(Int.random(in: 400...80_000, using: &random)) / 100
            let gap = Double(Int.random(in: 0...300_000, using: &random)) / 10
            var headers = [
                "#TITLE:Gruß \(Int.random(in: 0...99, using: &random))", "#artist: Some: Body ", "#MP3:a song.mp3",
                "#Bpm:\(Self.number(bpm, &random))", "#GAP:\(Self.number(gap, &random))", "#COVER:", "#X-Y:z",
                "#VIDEOGAP:\(Self.number(Double(Int.random(in: -50...50, using: &random)) / 10, &random))",
            ]
            if isVersioned { headers.append("#VERSION:1.1.0") }
            if isRelative { headers.append("#RELATIVE:yes") }
            if writing.encoding == .windowsCP1252 { headers.append("#ENCODING:CP1252") }
            headers.shuffle(using: &random)
            var body: [String] = []
            var (beat, first) = ([Int: Int](), [Int: Int]())
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                let voice = voices.randomElement(using: &random) ?? 0
                if voice > 0 { body.append(Bool.random(using: &random) ? "P\(voice)" : "P \(voice)") }
                var now = beat[voice] ?? Int.random(in: -20...200, using: &random)
                let start = isRelative ? first[voice] ?? 0 : 0
                for _ in 0..<Int.random(in: 1...9, using: &random) {
                    now += Int.random(in: 0...12, using: &random)
                    let length = Int.random(in: 0...9, using: &random)
                    let mark = [":", ":", ":", "*", "F", "R", "G"].randomElement(using: &random)!
                    let pitch = Int.random(in: -30...30, using: &random)
                    let word = Self.words.randomElement(using: &random)!
                    body.append("\(mark) \(now - start) \(length) \(pitch)" + (word.isEmpty ? "" : " " + word))
                    now += length
                }
                beat[voice] = now
                let rest = Int.random(in: 0...8, using: &random)
                let next = now - start + rest
                body.append(isRelative ? "- \(now - start) \(next)" : "- \(next)")
                if isRelative { first[voice] = start + next }
                if Int.random(in: 0...9, using: &random) == 0 { body.append("") }
            }
            return headers + body + ["E", "over : 3 4 5"]
        }

        /// Returns the lines of a random LRC file, in which no two lines start at once.
        private func lrc(_ random: inout SeededNumbers) -> [String] {
            let count = Int.random(in: 2...120, using: &random)
            var times = Set((0..<count).map { _ in Int.random(in: 1100...359_999, using: &random) }).sorted()
            times.shuffle(using: &random)
            func tag(_ hundredths: Int, _ open: String, _ close: String) -> String {
                let fields = [hundredths / 6000, hundredths / 100 % 60, hundredths % 100].map {
                    $0 < 10 ? "0\($0)" : "\($0)"
                }
                return "\(open)\(fields[0]):\(fields[1]).\(fields[2])\(close)"
            }
            var lines = [
                "[ti:A song]", "[ar: Somebody]", "[offset:\(Int.random(in: -9999...9999, using: &random))]", "",
            ]
            while let time = times.popLast() {
                let words = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                    ["one", "zwei", "trois ", " été", "Ž€", "(x) "].randomElement(using: &random)!
                }
                if Bool.random(using: &random) {
                    var line = tag(time, "[", "]"), now = time
                    for word in words {
                        line += tag(now, "<", ">") + word
                        now += Int.random(in: 1...99, using: &random)
                    }
                    lines.append(line + (words.isEmpty ? "" : tag(now, "<", ">")))
                } else {
                    let more = (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in times.popLast() }
                    lines.append(([time] + more).map { tag($0, "[", "]") }.joined() + words.joined(separator: " "))
                }
            }
            return lines
        }

        // MARK: other readers

        @Test func songsOfUltraStarAreAsOthersReadThem() throws {
            var random = SeededNumbers(31)
            let folder = try Scratch.newFolder("songs")
            var own: [String: (reported: Reported, isLatin: Bool)] = [:]
            for number in 0..<400 {
                let writing = Writing(&random), name = "\(number).txt"
                let data = writing.data(song(writing, &random))
                try data.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
                let (song, _) = UltraStarReader.read([UInt8](data))
                let headers = ["TITLE": song.title, "ARTIST": song.artist, "MP3": song.files[.audio] ?? ""]
                own[name] = (Reported(headers: headers, lines: lines(song.lyrics)), writing.encoding == .windowsCP1252)
            }
            let packages = [("ultrastarparser", "ultrastarparser"), ("ultrastar_score", "ultrastar-score")]
            let reported = try ask(Self.ultraStar, packages, folder)
            var syllables = 0
            for (key, other) in reported {
                let (mine, isLatin) = try #require(own[String(key.split(separator: " ")[0])])
                if key.hasSuffix("score") {
                    // ultrastar-score strips spaces at the ends of a text.
                    let stripped = changed(mine.lines) { $0.trimmingCharacters(in: .whitespaces) }
                    expect(ordered(stripped), equals: ordered(holding(other.lines)), "\(key)")
                } else {
                    // ultrastarparser reads all files as UTF-8, and drops invalid bytes.
                    func read(_ text: String) -> String { isLatin ? String(text.filter(\.isASCII)) : text }
                    expect(mine.headers.mapValues(read), equals: other.headers, "\(key)")
                    expect(ordered(changed(mine.lines, read)), equals: ordered(holding(other.lines)), "\(key)")
                }
                syllables += other.lines.reduce(0) { $0 + $1.syllables.count }
            }
            expect(reported.count > 500 && syllables > 30_000, "\(reported.count) songs, \(syllables) syllables")
        }

        /// Returns the lines with each tilde alone as a part of the syllable that it holds. The other readers show it.
        private func holding(_ lines: [Line]) -> [Line] {
            lines.compactMap { line in
                var syllables: [Line.Syllable] = []
                for syllable in line.syllables {
                    let text = syllable.text.filter { $0 != "~" }
                    guard text != syllable.text, text.allSatisfy(\.isWhitespace) else {
                        syllables.append(syllable)
                        continue
                    }
                    guard let last = syllables.indices.last else { continue }
                    syllables[last].text += text
                    if let end = syllables[last].end { syllables[last].end = max(end, syllable.end ?? end) }
                }
                return syllables.isEmpty ? nil : Line(voices: line.voices, syllables: syllables)
            }
        }

        private func changed(_ lines: [Line], _ change: (String) -> String) -> [Line] {
            lines.map { line in
                var line = line
                for place in line.syllables.indices { line.syllables[place].text = change(line.syllables[place].text) }
                return line
            }
        }

        /// Sorts lines. Lines that start at one instant have no order of their own.
        private func ordered(_ lines: [Line]) -> [Line] {
            func key(_ line: Line) -> (Int, Int, String) {
                let begin = Int((line.syllables[0].begin * 100_000).rounded())
                return (begin, line.voices.first ?? 0, line.syllables.map(\.text).joined(separator: "|"))
            }
            return lines.sorted { key($0) < key($1) }
        }

        @Test func linesOfLRCAreAsOthersReadThem() throws {
            var random = SeededNumbers(32)
            let folder = try Scratch.newFolder("lrc")
            var own: [String: [Line]] = [:]
            for number in 0..<300 {
                let data = Writing(&random).data(lrc(&random)), name = "\(number).lrc"
                try data.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
                own[name] = lines(LRCReader.read([UInt8](data)))
            }
            let reported = try ask(Self.pylrc, [("pylrc", "pylrc")], folder)
            expect(reported.count, equals: 300)
            for (name, other) in reported { expect(own[name], equals: other.lines, "\(name)") }
            expect(reported.values.reduce(0) { $0 + $1.lines.count }, above: 8000)
        }

        /// ultrastarparser returns headers and lines. The rest is computed here, in the order of the format's
        /// description. ultrastar-score supports no duets, and no beats that count from phrase to phrase.
        private static let ultraStar = """
            import json, os, re, sys
            from ultrastarparser import Song
            from ultrastar_score import parse_ultrastar
            ALL, NOTE = list(range(1, 10)), re.compile(r"([:*FRG]) (-?[0-9]+) ([0-9]+) (-?[0-9]+)(?: (.*))?", re.S)
            def kind(mark, length):
                return "free" if mark == "F" or length == 0 else "golden" if mark in "*G" else "usual"
            def parsed(song):
                number = lambda key: float((song.get_attribute(key) or "0").replace(",", "."))
                second = lambda beat: number("GAP") / 1000 + beat * 15 / number("BPM")
                relative = song.get_attribute("RELATIVE") == "yes"
                voice, named, first, open_notes, lines = 1, set(), {}, {}, []
                for line in song.get_songtext():
                    note, voice_line = NOTE.fullmatch(line), re.fullmatch(r"P ?([1-9])", line)
                    if line == "E":
                        break
                    elif voice_line:
                        voice = int(voice_line[1])
                        named.add(voice)
                    elif line.startswith("-"):
                        beats = [int(word) for word in line[1:].split()]
                        lines.append((voice, open_notes.pop(voice, [])))
                        if relative:
                            first[voice] = first.get(voice, 0) + beats[-1]
                    elif note:
                        start, length = first.get(voice, 0) + int(note[2]), int(note[3])
                        open_notes.setdefault(voice, []).append({"begin": second(start),
                            "end": second(start + length), "kind": kind(note[1], length), "text": note[5] or ""})
                both = song.get_attribute("VERSION") is None and {1, 2} <= named
                voices = lambda v: ALL if not named else [1, 2] if v == 3 and both else [v]
                return [{"voices": voices(v), "syllables": notes} for v, notes in lines if notes]
            said = {}
            for name in os.listdir(sys.argv[1]):
                path = os.path.join(sys.argv[1], name)
                song = Song(path)
                keys = ["TITLE", "ARTIST", "MP3"]
                said[name + " parser"] = {"headers": {k: song.get_attribute(k) for k in keys}, "lines": parsed(song)}
                if song.get_attribute("RELATIVE") or any(line.startswith("P") for line in song.get_songtext()):
                    continue
                scored = parse_ultrastar(path)
                at = scored.beat_to_seconds
                said[name + " score"] = {"headers": {}, "lines": [{"voices": ALL, "syllables": [
                    {"begin": at(n.start_beat), "end": at(n.start_beat + n.duration),
                     "kind": kind(n.note_type, n.duration), "text": n.text} for n in line.notes]}
                    for line in scored.lines]}
            print(json.dumps(said))
            """

        /// pylrc moves lines later by a positive offset, where players move them earlier. Hence it gets the opposite
        /// sign. pylrc leaves the words' times and leading spaces in the text.
        private static let pylrc = """
            import json, os, re, sys, pylrc
            def decoded(data):
                try:
                    return data.decode("utf-8-sig")
                except UnicodeDecodeError:
                    return data.decode("cp1252")
            def word(begin, text, end):
                return {"begin": begin, "end": end, "kind": "usual", "text": text}
            said = {}
            for name in os.listdir(sys.argv[1]):
                text = decoded(open(os.path.join(sys.argv[1], name), "rb").read())
                offset = int(re.search(r"\\[offset:(-?[0-9]+)\\]", text)[1])
                text = text.replace("[offset:%d]" % offset, "[offset:%d]" % -offset)
                lines, read = [], pylrc.parse(text)
                for place, line in enumerate(read):
                    parts = re.split(r"<([0-9]+):([0-9.]+)>", line.text)
                    times = [int(m) * 60 + float(s) - offset / 1000 for m, s in zip(parts[1::3], parts[2::3])]
                    words = parts[3::3]
                    if times:
                        made = [word(a, t, b) for a, t, b in zip(times, words, times[1:])]
                        made[0]["text"] = made[0]["text"].lstrip()
                    elif line.text.strip():
                        end = read[place + 1].time if place + 1 < len(read) else line.time + 5
                        made = [word(line.time, line.text.lstrip(), end)]
                    else:
                        continue
                    lines.append({"voices": list(range(1, 10)), "syllables": made})
                said[name] = {"headers": {}, "lines": lines}
            print(json.dumps(said))
            """
    }
}
