import Foundation
import TestKit

extension Chapter {
    static let crowd = Chapter(name: "crowd", title: "More and more tiles", run: measureCrowds)

    @Sendable private static func measureCrowds(_ hall: Hall) throws -> [Table] {
        let clips = try hall.library.files(8) { ($0.width, $0.height, $0.frames) = (640, 360, 150) }
        let counts = [1, 4, 9, 16, 25, 36, 49]
        let peerCounts = [4, 9, 16, 25]
        var contest = Contest<Crowd>()
        contest.enter("decoding") { Crowd(cost: try Cost.of(Grid(clips).floor), shown: 0, due: 0) }
        for count in counts {
            let grid = Grid(try Crowd.copies(of: clips, count))
            contest.enter("quadrille \(count)") { try Crowd.quadrille(hall, grid) }
            guard hall.peers.mpv, peerCounts.contains(count) else { continue }
            contest.enter("mpv \(count)") { try Crowd.mpv(hall, grid) }
        }
        try contest.hold(rounds: hall.rounds) {
            "\($0.cost.cpu.text(2)) s CPU, \($0.shown) of \($0.due), late \($0.late)"
        }

        let floor = contest.sample("decoding", \.cost.cpu).median / Double(clips.count)
        var table = Table([
            "tiles", "CPU, cores", "of decoding", "missed", "late", "gave way", "mpv: CPU, cores", "of decoding",
            "missed",
        ])
        func cells(_ name: String, _ count: Int) -> [String]? {
            let cpu = contest.sample(name, \.cost.cpu).median
            guard cpu.isFinite else { return nil }
            let share = contest.sample(name, \.share)
            let (usual, worst) = (((1 - share.median) * 100).text(1), ((1 - share.least) * 100).text(1))
            let dropped = share.least > 0.99999 ? "0" : "\(usual) % (\(worst) %)"
            return [(cpu / Crowd.seconds).text(2), (cpu / floor / Double(count)).ratio, dropped]
        }
        for count in counts {
            let name = "quadrille \(count)"
            let late = contest.sample(name) { Double($0.late) / Double($0.due) }.median
            let hasDegraded = contest.sample(name) { Double($0.hasDegraded) }.median
            var row = ["\(count)"]
            row += cells(name, count) ?? []
            row += ["\((late * 100).text(1)) %", hasDegraded.text(0)]
            row += cells("mpv \(count)", count) ?? ["", "", ""]
            table.rows.append(row)
        }
        let held = counts.filter { contest.sample("quadrille \($0)", \.share).least > 0.99999 }.max() ?? 0
        let mpvHeld = peerCounts.filter { contest.sample("mpv \($0)", \.share).median > 0.99 }.max() ?? 0
        let ofMpv = hall.peers.mpv ? "; mpv's graph shows 99 % of its frames up to \(mpvHeld)" : ""
        table.notes = [
            """
            640x360 films at 30 frames a second, as many pipelines as tiles, \(Crowd.seconds.text(0)) s. The largest \
            wall without a missed frame has \(held) tiles\(ofMpv).
            """,
            "Missed: of all that were due in all tiles, in the median run (and the worst). Late: shown more than a "
                + "refresh after their time. Gave way: steps taken to leave something out. mpv counts the frames of its "
                + "whole wall that it dropped; those that came after the film's time count as missed, too.",
        ]
        return [table]
    }
}

/// Result of one run of a wall with many tiles.
struct Crowd {
    let cost: Cost
    let shown: Int
    let due: Int
    var late = 0
    var hasDegraded = 0
    var share: Double { due == 0 ? 1 : Double(shown) / Double(due) }

    static let seconds = 5.0
    private static let frames = 150

    /// Makes links, since tiles that play the same file share its decoding.
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
        let due = frames * grid.files.count
        return Crowd(
            cost: cost, shown: due - Int(end.number("missed") ?? 0), due: due, late: Int(end.number("late") ?? 0),
            hasDegraded: events.events("give-way").count)
    }

    static func mpv(_ hall: Hall, _ grid: Grid) throws -> Crowd {
        let (script, notes) = (Scratch.path("mpv.lua"), Scratch.path("mpv.notes"))
        defer { unlink(script); unlink(notes) }
        try self.script(into: notes).write(toFile: script, atomically: true, encoding: .utf8)
        let cost = try Cost.of([grid.mpv(.fastest, ["--script=\(script)"])], on: hall.display)
        let text = String(decoding: FileManager.default.contents(atPath: notes) ?? Data(), as: UTF8.self)
        let numbers = text.split(separator: " ").compactMap { Double($0) }
        guard numbers.count == 2 else { throw Skipped(description: "mpv said \(text)") }
        let inTime = min(1, seconds / max(0.1, numbers[1] - 0.1))
        return Crowd(cost: cost, shown: Int(Double(frames) * inTime) - Int(numbers[0]), due: frames)
    }

    /// A script for mpv that writes, at the end, the number of dropped frames and the time played.
    private static func script(into path: String) -> String {
        """
        local drops, began = 0, nil
        mp.observe_property("frame-drop-count", "number", function(_, value) drops = value or drops end)
        mp.register_event("playback-restart", function() began = began or mp.get_time() end)
        mp.register_event("end-file", function()
            local file = io.open("\(path)", "w")
            file:write(drops, " ", mp.get_time() - (began or mp.get_time()))
            file:close()
        end)
        """
    }
}
