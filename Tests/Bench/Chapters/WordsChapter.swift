import Foundation
import TestKit

extension Chapter {
    static let words = Chapter(name: "words", title: "What words cost") { hall in
        let files = try hall.library.files(4) { $0.frames = 600 }
        // A syllable each 0.3 s in each tile: the sung part moves in every frame.
        let lines = (0..<10).map { line in
            (0..<6).map { word in
                let (from, to) = (Double(line) * 2 + Double(word) / 3, Double(line) * 2 + Double(word + 1) / 3)
                return "<\(stamp(from))>never\(word == 5 ? "<\(stamp(to))>" : " ")"
            }.reduce("[\(stamp(Double(line) * 2))]", +)
        }
        let words = try Scratch.file("words.lrc", lines.joined(separator: "\n") + "\n")
        func layout(_ name: String, _ lyrics: Any) throws -> String {
            let tiles = files.map { ["play": ["src": $0, "lyrics": lyrics]] }
            let data = try JSONSerialization.data(withJSONObject: ["tiles": tiles])
            return try Scratch.file(name, String(decoding: data, as: UTF8.self))
        }
        var contest = Contest<Cost>()
        for (name, file) in [("without", try layout("bare.json", false)), ("with", try layout("words.json", words))] {
            contest.enter(name) {
                let command = Grid([file]).quadrille(["--no-loop", "--for", "16"])
                return try Cost.of([command], on: hall.display)
            }
        }
        try contest.hold(rounds: hall.rounds) { "\($0.cpu.text(2)) s CPU" }
        let without = contest.sample("without", \.cpu), with = contest.sample("with", \.cpu)
        var table = Table(["four 1280x720 films, 16 s", "CPU s", "beside none", "of a core"])
        table.rows = [
            ["no words", without.text(2), "1.00 x", ""],
            [
                "each tile sung all the time", with.text(2), (with.median / without.median).ratio,
                "\(((with.median - without.median) / 16 * 100).text(1)) % more",
            ],
        ]
        return [table]
    }

    private static func stamp(_ seconds: Double) -> String {
        let hundredths = Int((seconds * 100).rounded())
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(hundredths / 6000)):\(two(hundredths / 100 % 60)).\(two(hundredths % 100))"
    }
}
