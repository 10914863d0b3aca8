import Foundation
import TestKit

extension Chapter {
    static let render = Chapter(name: "render", title: "The same wall into a file") { hall in
        let files = try hall.library.files(4) { $0.frames = 150 }
        let folder = try Scratch.newFolder("render")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var contest = Contest<Cost>()
        contest.enter("quadrille render") {
            try Cost.of([
                [Program.path!, "render"] + files + [
                    "--no-audio", "--crf", "20", "--preset", "veryfast", "--size", "1280x720", "-o", "\(folder)/q.mp4",
                ]
            ])
        }
        let graph =
            "[0]scale=640:360[a];[1]scale=640:360[b];[2]scale=640:360[c];[3]scale=640:360[d];"
            + "[a][b][c][d]xstack=inputs=4:layout=0_0|w0_0|0_h0|w0_h0"
        contest.enter("ffmpeg, xstack") {
            try Cost.of([
                ["ffmpeg", "-nostdin", "-v", "error", "-y"] + files.flatMap { ["-i", $0] } + [
                    "-filter_complex", graph, "-an", "-c:v", "libx264", "-preset", "veryfast", "-crf", "20",
                    "\(folder)/x.mp4",
                ]
            ])
        }
        try contest.hold(rounds: hall.rounds) { "\($0.elapsed.text(2)) s" }
        let base = contest.sample("ffmpeg, xstack", \.elapsed).median
        var table = Table(["5 s of four 1280x720 films, x264 veryfast, crf 20", "seconds", "times as fast", "CPU s"])
        for entrant in contest.entrants {
            let taken = contest.sample(entrant.name, \.elapsed)
            table.rows.append([
                entrant.name, taken.text(2), (base / taken.median).ratio,
                contest.sample(entrant.name, \.cpu).median.text(2),
            ])
        }
        return [table]
    }
}
