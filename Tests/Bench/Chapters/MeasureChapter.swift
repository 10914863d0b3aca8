import Foundation
import TestKit

extension Chapter {
    static let measure = Chapter(name: "measure", title: "PSNR and SSIM, frame by frame") { hall in
        let reference = try hall.library.file(Library.Clip())
        let folder = try Scratch.newFolder("measure")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let other = "\(folder)/coarse.mp4"
        try TestKit.run([
            "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", reference, "-c:v", "libx264", "-preset", "veryfast",
            "-crf",
            "33", "-pix_fmt", "yuv420p", other,
        ])
        var contest = Contest<Cost>()
        contest.enter("quadrille measure") {
            try Cost.of([[Program.path!, "measure", reference, other, "-o", "\(folder)/m.csv"]])
        }
        contest.enter("ffmpeg, psnr and ssim") {
            try Cost.of([
                ["ffmpeg", "-nostdin", "-v", "error", "-i", reference, "-i", other]
                    + ["-lavfi", "[0][1]psnr;[0][1]ssim", "-f", "null", "-"]
            ])
        }
        try contest.hold(rounds: hall.rounds) { "\($0.elapsed.text(2)) s" }
        let base = contest.sample("ffmpeg, psnr and ssim", \.elapsed).median
        var table = Table([
            "10 s of 1280x720 H.264 beside the same at crf 33", "seconds", "times as fast", "CPU s", "MiB",
        ])
        for entrant in contest.entrants {
            let taken = contest.sample(entrant.name, \.elapsed)
            table.rows.append([
                entrant.name, taken.text(2), (base / taken.median).ratio,
                contest.sample(entrant.name, \.cpu).median.text(2),
                contest.sample(entrant.name) { Double($0.peak) / 1_048_576 }.median.text(0),
            ])
        }
        return [table]
    }
}
