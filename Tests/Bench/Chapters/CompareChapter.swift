import Foundation
import TestKit

extension Chapter {
    static let compare = Chapter(name: "compare", title: "Two 1280x720 films compared in a window of 1280x720") {
        hall in
        let films = try hall.library.files(2)
        let beside = "the two side by side"
        var contest = Contest<Cost>()
        func enter(_ name: String, _ tiles: [[String: Any]], quality: String = "auto") throws {
            let layout: [String: Any] = ["window": ["size": [1280, 720]], "quality": quality, "tiles": tiles]
            let data = try JSONSerialization.data(withJSONObject: layout)
            let file = try Scratch.file("\(name).json", String(decoding: data, as: UTF8.self))
            contest.enter(name) {
                let trace = Scratch.path("compare.jsonl")
                defer { unlink(trace) }
                var cost = try Cost.of(
                    [
                        [
                            Program.path!, "--no-loop", "--no-audio", "--quiet", "--borderless", "--position", "0,0",
                            "--for", "10.7", "--trace", trace,
                            "--trace-events", "end", file,
                        ]
                    ], on: hall.display)
                let end = Trace(text: try String(contentsOfFile: trace, encoding: .utf8)).events("end").first
                cost.dropped = end?.number("missed")
                return cost
            }
        }
        let tiles = films.enumerated().map { ["play": $1, "rect": [Double($0) / 2, 0.25, 0.5, 0.5]] as [String: Any] }
        try enter(beside, tiles)
        try enter("the same, --quality exact", tiles, quality: "exact")
        for mode in ["wipe", "blink", "difference", "signed", "heat", "overlay"] {
            try enter(mode, [["compare": films, "mode": mode]])
        }
        try contest.hold(rounds: hall.rounds) { "\($0.cpu.text(2)) s CPU" }
        let usual = contest.sample(beside, \.cpu).median
        var table = Table(["10 s", "CPU s", "of the two side by side", "missed"])
        for entrant in contest.entrants {
            let cpu = contest.sample(entrant.name, \.cpu)
            let dropped = contest.sample(entrant.name) { $0.dropped ?? .nan }
            table.rows.append([entrant.name, cpu.text(2), (cpu.median / usual).ratio, dropped.text(0)])
        }
        return [table]
    }
}
