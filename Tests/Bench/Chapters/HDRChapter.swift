import Foundation
import TestKit

extension Chapter {
    /// One film of ten bits, tagged in several ways: each is decoded alike.
    static let hdr = Chapter(name: "hdr", title: "A film of 1920x1080 in ten bits, as SDR and as HDR, in 960x540") {
        hall in
        let folder = try Scratch.newFolder("hdr"), usual = "SDR"
        // Numbers of H.273: primaries, transfer, matrix.
        let kinds = [(usual, (1, 1, 1)), ("PQ", (9, 16, 9)), ("HLG", (9, 18, 9)), ("SDR in BT.2020", (9, 14, 9))]
        let made = "\(folder)/made.mkv"
        try TestKit.run(
            [
                "ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                "testsrc2=s=1920x1080:r=30:d=10,noise=alls=2:allf=t,format=yuv420p10le", "-c:v", "libx265", "-preset",
                "superfast", "-x265-params", "log-level=none:bitrate=3000", made,
            ], atMost: 600)
        var contest = Contest<Cost>()
        for (name, tags) in kinds {
            let film = "\(folder)/\(tags.1).mkv"
            let numbers = "colour_primaries=\(tags.0):transfer_characteristics=\(tags.1):matrix_coefficients=\(tags.2)"
            try TestKit.run(
                [
                    "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", made, "-c", "copy", "-bsf:v",
                    "hevc_metadata=\(numbers)", film,
                ])
            for count in [1, 4] {
                contest.enter(count == 1 ? name : "four in \(name)") {
                    try hdrCost(
                        Array(repeating: film, count: count), count == 1 ? "960x540" : "1920x1080", hall.display)
                }
            }
        }
        try contest.hold(rounds: hall.rounds) { "\($0.cpu.text(2)) s CPU" }
        var table = Table(["10 s", "CPU s", "of SDR", "missed"])
        for entrant in contest.entrants {
            let cpu = contest.sample(entrant.name, \.cpu)
            let reference = contest.sample(entrant.name.hasPrefix("four") ? "four in \(usual)" : usual, \.cpu).median
            let dropped = contest.sample(entrant.name) { $0.dropped ?? .nan }
            table.rows.append([entrant.name, cpu.text(2), (cpu.median / reference).ratio, dropped.text(0)])
        }
        return [table]
    }
}

/// Plays films once. Each tile has a timeline of its own, so that each film is decoded.
private func hdrCost(_ films: [String], _ size: String, _ display: Display) throws -> Cost {
    let trace = Scratch.path("hdr.jsonl")
    defer { unlink(trace) }
    let sides = size.split(separator: "x").compactMap { Int($0) }
    let tiles = films.enumerated().map { ["play": $1, "group": "g\($0)"] }
    let layout: [String: Any] = ["window": ["size": sides], "tiles": tiles]
    let data = try JSONSerialization.data(withJSONObject: layout)
    let file = try Scratch.file("hdr-\(films.count).json", String(decoding: data, as: UTF8.self))
    var cost = try Cost.of(
        [
            [
                Program.path!, "--no-loop", "--no-audio", "--quiet", "--borderless", "--position", "0,0", "--for",
                "10.5", "--trace", trace, "--trace-events", "end", file,
            ]
        ], on: display)
    cost.dropped = Trace(text: try String(contentsOfFile: trace, encoding: .utf8)).events("end").first?.number("missed")
    return cost
}
