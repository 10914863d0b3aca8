import Foundation
import TestKit

extension Chapter {
    static let crowd = Chapter(name: "crowd", title: "More and more tiles") { hall in
        let clips = try hall.library.files(8) { ($0.width, $0.height, $0.pictures) = (640, 360, 150) }
        let counts = [1, 4, 9, 16, 25, 36, 49]
        let peerCounts = [4, 9, 16, 25]
        var contest = Contest<Crowd>()
        contest.enter("decoding") { Crowd(cost: try Cost.of(Grid(clips).floor), shown: 0, due: 0, note: "") }
        for count in counts {
            let grid = Grid(try Crowd.copies(of: clips, count))
            contest.enter("quadrille \(count)") { try Crowd.quadrille(hall, grid) }
            guard hall.peers.mpv, peerCounts.contains(count) else { continue }
            contest.enter("mpv \(count)") { try Crowd.mpv(hall, grid) }
        }
        try contest.hold(rounds: hall.rounds) { "\($0.cost.cpu.text(2)) s CPU, \($0.shown) of \($0.due) \($0.note)" }

        let floor = contest.sample("decoding", \.cost.cpu).median / Double(clips.count)
        var table = Table([
            "tiles", "CPU, cores", "of decoding", "shown of due", "mpv: CPU, cores", "of decoding", "shown of due",
        ])
        func cells(_ name: String, _ count: Int) -> [String] {
            let cpu = contest.sample(name, \.cost.cpu).median
            guard cpu.isFinite else { return ["", "", ""] }
            let share = contest.sample(name, \.share)
            return [
                (cpu / Crowd.seconds).text(2), (cpu / floor / Double(count)).ratio,
                share.least > 0.99999 ? "all" : "\((share.median * 100).text(1)) %",
            ]
        }
        for count in counts {
            table.rows.append(["\(count)"] + cells("quadrille \(count)", count) + cells("mpv \(count)", count))
        }
        let held = counts.filter { contest.sample("quadrille \($0)", \.share).least > 0.99999 }.max() ?? 0
        let mpvHeld = peerCounts.filter { contest.sample("mpv \($0)", \.share).median > 0.99 }.max() ?? 0
        table.notes = [
            "640x360 films at 30 pictures a second, as many pipelines as tiles, \(Crowd.seconds.text(0)) s. The largest wall "
                + "without a missed picture has \(held) tiles"
                + (hall.peers.mpv ? "; mpv's graph shows 99 % of its pictures up to \(mpvHeld)." : "."),
            "quadrille counts the pictures that were due in all tiles and never shown; mpv the pictures of its whole "
                + "wall that it dropped, or that came after their time was over.",
        ]
        return [table]
    }
}

/// One showing of a wall of many.
struct Crowd {
    let cost: Cost
    let shown: Int
    let due: Int
    let note: String
    var share: Double { due == 0 ? 1 : Double(shown) / Double(due) }

    static let seconds = 5.0
    private static let pictures = 150

    /// As many files: tiles that play one and the same share its decoding.
    static func copies(of clips: [String], _ count: Int) throws -> [String] {
        let folder = try Scratch.newFolder("crowd")
        return try (0..<count).map { index in
            let path = "\(folder)/\(index).mp4"
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: clips[index % clips.count])
            return path
        }
    }

    static func quadrille(_ hall: Hall, _ grid: Grid) throws -> Crowd {
        let trace = Scratch.path("crowd.jsonl")
        defer { unlink(trace) }
        let cost = try Cost.of(
            [
                grid.quadrille([
                    "--pipelines", "\(grid.files.count)", "--no-loop", "--for", (seconds + 1).text(1), "--trace", trace,
                    "--trace-events", "give-way,end",
                ])
            ], on: hall.display)
        let events = Trace(text: String(decoding: FileManager.default.contents(atPath: trace) ?? Data(), as: UTF8.self))
        guard let end = events.events("end").first else { throw Skipped(description: "no end in the trace") }
        let (late, missed) = (end.number("late") ?? 0, end.number("missed") ?? 0)
        let gaveWay = events.events("give-way").count
        return Crowd(
            cost: cost, shown: pictures * grid.files.count - Int(missed), due: pictures * grid.files.count,
            note: "late \(Int(late)), gave way \(gaveWay) times")
    }

    static func mpv(_ hall: Hall, _ grid: Grid) throws -> Crowd {
        let status = Scratch.path("mpv.lua")
        let counts = Scratch.path("mpv.counts")
        try script(into: counts).write(toFile: status, atomically: true, encoding: .utf8)
        let cost = try Cost.of([grid.mpv(.fastest, ["--script=\(status)"])], on: hall.display)
        let text = String(decoding: FileManager.default.contents(atPath: counts) ?? Data(), as: UTF8.self)
        let dropped = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
        // A wall that takes longer than its films were shown too slowly: what did not fit was not shown in time.
        let share = min(1, (seconds + 0.5) / cost.elapsed)
        return Crowd(
            cost: cost, shown: Int(Double(pictures) * share) - dropped, due: pictures,
            note: "dropped \(dropped), took \(cost.elapsed.text(1)) s")
    }

    /// Notes how many pictures mpv has dropped, whenever that changes.
    private static func script(into path: String) -> String {
        """
        local function note(_, value)
            if value == nil then return end
            local file = io.open("\(path)", "w")
            file:write(value)
            file:close()
        end
        mp.observe_property("frame-drop-count", "number", note)
        """
    }
}
