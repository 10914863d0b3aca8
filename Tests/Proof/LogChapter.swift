import Foundation
import TestKit

/// Compares the proof of play with the camera's own count.
enum LogChapter {
    static func measure(_ arguments: [String]) throws {
        let seconds = arguments.first.flatMap(Double.init) ?? 1800
        printLine("proof of play, \(seconds) s")
        let whole = Area(0, 0, 640, 180), folder = Scratch.path("log")
        let lengths = [[60], [45, 75, 30]]
        let sequences = try lengths.enumerated().map { tile, lengths in
            try lengths.enumerated().map { item, frames in
                try Witness(10 * tile + item + 1).with { $0.frames = frames }.file()
            }
        }
        let screen = try Screen(
            sequences.map { ["play": $0] }, ["grid": ["columns": 2, "rows": 1]], options: ["--log", folder],
            watched: [0, 1].map { Tile(whole.cell($0, 0, of: 2, by: 1)) }, size: whole, seconds: seconds)
        let lines = try lines(of: folder)
        for (tile, lengths) in lengths.enumerated() {
            let cycle = lengths.enumerated().map { (clip: 10 * tile + $0 + 1, numbers: 0..<$1) }
            let seen = Succession(screen.film.runs(of: tile), playing: cycle, blink: Sight.blink)
            let logged = lines.filter { $0["tile"] as? String == "tile\(tile + 1)" }
            let presented = logged.reduce(0) { $0 + ($1["presented"] as? Int ?? 0) }
            let dropped = logged.reduce(0) { $0 + ($1["missed"] as? Int ?? 0) }
            // The camera begins some frames after the wall. Frames between two of its shots are not counted.
            let counted = seen.steps + 1 + seen.unseen
            printLine(
                "  tile \(tile + 1): \(presented) presented, \(dropped) missed, \(counted) seen, \(logged.count) items")
            Proof.expect("  seen and not logged", Double(counted - presented), atMost: Double(dropped))
            Proof.expect("  logged and not seen", Double(presented - counted), atMost: 30)
            let uneven = logged.filter { line in
                guard line["ended"] as? String == "eof", let item = line["item"] as? Int else { return false }
                return (line["presented"] as? Int ?? 0) + (line["missed"] as? Int ?? 0) != lengths[item]
            }
            Proof.expect("  items that do not add up", Double(uneven.count), atMost: 0)
            Proof.expect("  missing to the camera, and not in the log", Double(seen.missing.count - dropped), atMost: 0)
        }
    }

    private static func lines(of folder: String) throws -> [[String: Any]] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted().flatMap { name in
            try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).split(separator: "\n").compactMap {
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }
        }
    }
}
