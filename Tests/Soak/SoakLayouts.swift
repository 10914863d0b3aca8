import Foundation
import TestKit

/// Layouts of the wall. The undisturbed tile is at the top left in every layout.
struct SoakLayouts {
    private let films: Films

    static let untouched = "untouched"

    init(_ films: Films) { self.films = films }

    /// `order`: the second tile's items.
    func rest(_ order: [String] = ["b.webm", "c.mkv"]) -> [String: Any] {
        disturbed([
            ["id": "t1", "rect": [0.5, 0, 0.5, 0.5], "play": "a.mp4"],
            ["id": "t2", "rect": [0, 0.5, 0.5, 0.5], "play": order, "transition": ["fade": 0.7]],
            [
                "id": "t3", "rect": [0.5, 0.5, 0.5, 0.5],
                "play": ["d.avi", ["src": "f.png", "duration": 0.5], "e.ts"],
            ],
        ])
    }

    /// The undisturbed tile alone. Unused pipelines keep their decoders, so there is only one.
    func alone() -> [String: Any] { layout([], ["pipelines": 1]) }

    func any(_ numbers: inout SeededNumbers) -> [String: Any] {
        let ids = (1...7).map { "t\($0)" }.shuffled(using: &numbers).prefix(.random(in: 1...7, using: &numbers))
        let tiles = ids.enumerated().map { place, id -> [String: Any] in
            let items = (0..<Int.random(in: 1...3, using: &numbers)).map { _ -> Any in
                let source = films.source(&numbers)
                if source.hasSuffix(".png") { return ["src": source, "duration": 0.7] }
                return Int.random(in: 0..<3, using: &numbers) == 0 ? ["src": source, "in": 0.4, "rate": 2] : source
            }
            return [
                "id": id, "play": items, "rect": [0.5, Double(place) / 8, 0.5, 0.125], "label": "\(id) \(place)",
                "transition": Bool.random(using: &numbers) ? "cut" : ["fade": 0.5] as Any,
                "on-error": ["next", "hold", "stop"].randomElement(using: &numbers)!,
                "loop": [true, 3].randomElement(using: &numbers)!,
                "fit": ["contain", "cover", "stretch"].randomElement(using: &numbers)!,
            ]
        }
        let loop = ["each", "together"].randomElement(using: &numbers)!
        return disturbed(
            tiles,
            [
                "groups": ["own": ["loop": "each"], "main": ["loop": loop]],
                "pipelines": Int.random(in: 8...12, using: &numbers),
                "audio": ["mode": ["mix", "focus"].randomElement(using: &numbers)!],
                "memory": [64, 128, 256].randomElement(using: &numbers)!,
            ])
    }

    /// Adds a schedule that changes each minute, and breaks in the first of these tiles.
    private func disturbed(_ tiles: [[String: Any]], _ rest: [String: Any] = [:]) -> [String: Any] {
        let disturbing: [String: Any] = [
            "schedule": Self.everyOtherMinute,
            "breaks": [["name": "ad", "every": 20, "tiles": [tiles[0]["id"]!], "play": ["a.mp4"]]],
        ]
        return layout(tiles, disturbing.merging(rest) { $1 })
    }

    private func layout(_ tiles: [[String: Any]], _ rest: [String: Any]) -> [String: Any] {
        let untouched: [String: Any] = [
            "id": Self.untouched, "rect": [0, 0, 0.5, 0.5], "group": "own", "play": films.untouched,
        ]
        let base: [String: Any] = [
            "title": "rest.json", "pipelines": 9, "memory": 128, "tiles": [untouched] + tiles,
            "groups": ["own": ["loop": "each"], "main": ["loop": "each"]], "audio": ["mode": "mix"],
        ]
        return base.merging(rest) { $1 }
    }

    /// Another layout, in all odd minutes of a day.
    private static var everyOtherMinute: [[String: Any]] {
        func text(_ minute: Int) -> String {
            [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        }
        return stride(from: 1, to: 1440, by: 2).map { minute in
            ["name": "odd", "from": text(minute), "to": text(minute + 1), "show": "odd.json"]
        }
    }
}
