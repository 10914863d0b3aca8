import Foundation
import TestKit

/// A parser of Tests/FuzzParsers, fed by libFuzzer. Each run begins with the inputs found before, in
/// .build/fuzz/corpus.
enum Parser: String, CaseIterable {
    case layouts, requests, lyrics, zips

    private static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL
        .path
    /// Limits for one input, in MiB and seconds.
    private static let (mostMemory, longest) = (2048, 5)

    /// Runs libFuzzer. FUZZ_PARSERS names the program with the parsers.
    func feed(minutes: Double, seed: UInt64) throws {
        guard let program = ProcessInfo.processInfo.environment["FUZZ_PARSERS"] else {
            throw Fuzz.Failure(what: "FUZZ_PARSERS does not name the parsers; make fuzz builds them")
        }
        let corpus = "\(Parser.root)/.build/fuzz/corpus/\(rawValue)", found = try Scratch.newFolder("found")
        try FileManager.default.createDirectory(atPath: corpus, withIntermediateDirectories: true)
        for (index, text) in try seeds().enumerated() {
            try Data(text).write(to: URL(fileURLWithPath: "\(corpus)/seed-\(index)"))
        }
        let seconds = max(1, Int(minutes * 60))
        let child = try Child(
            [
                program, rawValue, corpus, "-max_total_time=\(seconds)", "-seed=\(max(1, seed % 1_000_000))",
                "-rss_limit_mb=\(Parser.mostMemory)", "-timeout=\(Parser.longest)", "-max_len=16384",
                "-artifact_prefix=\(found)/", "-print_final_stats=1", "-verbosity=0",
            ], environment: ["SWIFT_BACKTRACE": "enable=no"])
        let status = child.wait(atMost: Double(seconds) * 2 + 120)
        guard status == 0 else {
            let files = try FileManager.default.contentsOfDirectory(atPath: found).map { "\(found)/\($0)" }
            let end = status.map { "status \($0)" } ?? "no end"
            throw Fuzz.Failure(what: "\(rawValue): \(end), \(child.errors.suffix(4000))", files: files)
        }
        let count = child.errors.split(separator: "\n").first { $0.contains("number_of_executed_units") }
        Fuzz.printLine(
            "\(rawValue): \(count?.split(separator: " ").last ?? "?") texts in \(seconds) s, none ended the parser")
    }

    private func seeds() throws -> [[UInt8]] {
        switch self {
        case .layouts:
            let folder = "\(Parser.root)/layouts"
            let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
                .sorted()
            let whole = files.compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)") }.map { Array($0) }
            let wrong = ["LayoutMistakesTable", "LayoutSyntaxTable"].flatMap {
                Parser.lines(of: "CoreTests/Layout/\($0)")
            }
            .filter { $0.hasPrefix("    {") }.map { $0.dropFirst(4).replacingOccurrences(of: "⏎", with: "\n") }
            let texts = whole + [Array(Requests.layout.utf8)] + wrong.map { Array($0.utf8) }
            // Pairs of layouts, of which the second replaces the first.
            return texts + zip(whole, whole.dropFirst()).map { $0 + [0xFF] + $1 }
        case .requests:
            let rows = ["SessionTests", "TextCommandTests"].flatMap { Parser.lines(of: "ControlTests/\($0)") }
            let quoted = rows.flatMap { $0.components(separatedBy: "#\"").dropFirst() }
                .compactMap { $0.components(separatedBy: "\"#").first }
            return (quoted + Requests.lines).map { Array($0.utf8) }
        case .lyrics:
            let texts = Parser.lines(of: "CoreTests/Lyrics/LyricsTests").joined(separator: "\n")
            let songs = texts.components(separatedBy: "\"\"\"").enumerated().filter { $0.offset % 2 == 1 }
                .map { $0.element.replacingOccurrences(of: "\n            ", with: "\n") }
            let lines = texts.components(separatedBy: "(\"").dropFirst()
                .compactMap { $0.components(separatedBy: "\", [").first?.replacingOccurrences(of: "\\n", with: "\n") }
            return (songs + lines).map { Array($0.utf8) }
        case .zips:
            let folder = try Scratch.newFolder("zips")
            try KaraokeDisc.song(in: folder, seconds: 0.3, tone: nil)
            try Data(count: 40).write(to: URL(fileURLWithPath: "\(folder)/song.mp3"))
            let (frames, sound) = ("\(folder)/song.cdg", "\(folder)/song.mp3")
            let members = [
                [(frames, "a.cdg"), (sound, "a.mp3")], [(frames, "In/A.CDG")], [(sound, "a"), (sound, "b.ogg")],
            ]
            return try ["DEFLATED", "STORED", "LZMA"].flatMap { packed in
                try members.map { members in
                    let path = Scratch.path("song.zip")
                    try KaraokeDisc.zip(path, of: members.map { (file: $0, name: $1) }, packed: packed)
                    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
                }
            }
        }
    }

    /// Lines of a source file of the tests.
    private static func lines(of name: String) -> [String] {
        let text = FileManager.default.contents(atPath: "\(root)/Tests/\(name).swift") ?? Data()
        return String(decoding: text, as: UTF8.self).components(separatedBy: "\n")
    }
}
