import Foundation
import TestKit

/// Clips of real film in the sizes and rates that are asked for, made by `ffmpeg` once and kept.
struct Library {
    /// Outside the repository; `scripts/bench-peers` puts the film there.
    static let folder: String = {
        let names = ProcessInfo.processInfo.environment
        return (names["XDG_CACHE_HOME"] ?? "\(names["HOME"] ?? "/tmp")/.cache") + "/quadrille-bench"
    }()
    static var film: String { "\(folder)/bigbuckbunny.mp4" }

    struct Clip {
        var width = 1280
        var height = 720
        var rate = 30
        var pictures = 300
        var gop = 60
        /// Clips of different numbers begin at different pictures; every other one is mirrored.
        var number = 0

        var name: String { "\(width)x\(height)p\(rate)-\(pictures)-gop\(gop)-\(number).mp4" }
        var seconds: Double { Double(pictures) / Double(rate) }
    }

    /// The film has 132 pictures: it is played on and back, as long as is needed.
    func file(_ clip: Clip) throws -> String {
        let path = "\(Library.folder)/\(clip.name)"
        if access(path, R_OK) == 0 { return path }
        guard access(Library.film, R_OK) == 0 else {
            throw Skipped(description: "the film is not there; `make bench-peers` fetches it")
        }
        say("  making \(clip.name)")
        let first = clip.number * 40 % 264
        let graph =
            "[0:v]split[a][b];[b]reverse[r];[a][r]concat=n=2,loop=loop=-1:size=264"
            + ",trim=start_frame=\(first):end_frame=\(first + clip.pictures),setpts=N/\(clip.rate)/TB"
            + (clip.number % 2 == 1 ? ",hflip" : "") + ",scale=\(clip.width):\(clip.height)"
        let unfinished = "\(path).unfinished"
        try TestKit.run(
            [
                "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", Library.film, "-an", "-filter_complex", graph, "-r",
                "\(clip.rate)", "-c:v", "libx264", "-preset", "veryfast", "-g", "\(clip.gop)", "-pix_fmt", "yuv420p",
                "-movflags", "+faststart", "-f", "mp4", unfinished,
            ], atMost: 600)
        guard rename(unfinished, path) == 0 else { throw Child.Failure.notFound(path) }
        return path
    }

    /// So many files with the numbers from 0 on.
    func files(_ count: Int, _ change: (inout Clip) -> Void = { _ in }) throws -> [String] {
        try (0..<count).map { number in
            var clip = Clip()
            change(&clip)
            clip.number = number
            return try file(clip)
        }
    }

    /// The first picture of a clip at another size, as the screen shows it.
    func firstPicture(of file: String, width: Int, height: Int) throws -> Footage {
        let path = Scratch.path("first.png")
        defer { unlink(path) }
        try TestKit.run([
            "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", file, "-frames:v", "1", "-vf",
            "scale=\(width):\(height):flags=area", path,
        ])
        return try Footage(path, width: width, height: height)
    }
}
