import Foundation
import TestKit

/// Clips of real film in the requested sizes and rates, made by `ffmpeg` once and kept.
struct Library {
    /// Folder outside the repository; `scripts/bench-peers` puts the film there.
    static let folder: String = {
        let names = ProcessInfo.processInfo.environment
        return (names["XDG_CACHE_HOME"] ?? "\(names["HOME"] ?? "/tmp")/.cache") + "/quadrille-bench"
    }()
    static var film: String { "\(folder)/bigbuckbunny.mp4" }

    struct Clip {
        var width = 1280
        var height = 720
        var rate = 30
        var frames = 300
        var gop = 60
        var codec = Codec.h264
        var look = Look.film
        var sound = Sound.none
        /// Clips of different numbers begin at different frames; every other one is mirrored.
        var number = 0

        enum Codec: String { case h264 = "mp4", vp9 = "webm" }
        /// `.marked`: a strip over the middle of each frame encodes its number (`Strip`, its upper rows).
        enum Look: String { case film, marked }
        enum Sound: String { case none = "silent", film = "sound" }

        var name: String {
            "\(width)x\(height)p\(rate)-\(frames)-gop\(gop)-\(look)-\(sound.rawValue)-\(number).\(codec.rawValue)"
        }
        var seconds: Double { Double(frames) / Double(rate) }

        func with(_ change: (inout Clip) -> Void) -> Clip {
            var copy = self
            change(&copy)
            return copy
        }
    }

    /// Path of a clip, which is made if needed. The film has 132 frames: it is played forward and backward until the
    /// clip is long enough.
    func file(_ clip: Clip) throws -> String {
        let path = "\(Library.folder)/\(clip.name)"
        if access(path, R_OK) == 0 { return path }
        guard access(Library.film, R_OK) == 0 else {
            throw Skipped(description: "the film is not there; `make bench-peers` fetches it")
        }
        printLine("  making \(clip.name)")
        let unfinished = "\(path).unfinished"
        try TestKit.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", Library.film] + (try inputs(of: clip))
                + ["-filter_complex", graph(of: clip), "-map", "[v]", "-r", "\(clip.rate)"] + encoder(of: clip)
                + ["-t", "\(clip.seconds)", unfinished], atMost: 900)
        guard rename(unfinished, path) == 0 else { throw Child.Failure.notFound(path) }
        return path
    }

    private func inputs(of clip: Clip) throws -> [String] {
        guard clip.look == .marked else { return [] }
        let marks = Witness(clip.number).with {
            ($0.width, $0.height, $0.rate, $0.frames) = (clip.width, clip.height, Rate(clip.rate), clip.frames)
        }
        return ["-i", try marks.file()]
    }

    private func graph(of clip: Clip) -> String {
        let first = clip.number * 40 % 264
        let pace = "settb=1/\(clip.rate),setpts=N"
        var graph =
            "[0:v]split[a][b];[b]reverse[r];[a][r]concat=n=2,loop=loop=-1:size=264"
            + ",trim=start_frame=\(first):end_frame=\(first + clip.frames),\(pace)"
            + (clip.number % 2 == 1 ? ",hflip" : "") + ",scale=\(clip.width):\(clip.height)"
        switch clip.look {
        case .film: graph += "[v]"
        case .marked: graph += "[f];[1:v]\(pace),crop=iw:ih/6:0:0[m];[f][m]overlay=0:H/2[v]"
        }
        if clip.sound == .film { graph += ";[0:a]aloop=loop=-1:size=250000[s]" }
        return graph
    }

    private func encoder(of clip: Clip) -> [String] {
        let sound = clip.sound == .film ? ["-map", "[s]", "-c:a", "aac", "-b:a", "128k"] : []
        let group = ["-g", "\(clip.gop)", "-pix_fmt", "yuv420p"]
        switch clip.codec {
        case .h264: return ["-c:v", "libx264", "-preset", "veryfast"] + group + sound + ["-f", "mp4"]
        case .vp9:
            return ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "7", "-b:v", "2M"] + group
                + ["-f", "webm"]
        }
    }

    /// Paths of `count` clips, numbered from 0.
    func files(_ count: Int, _ change: (inout Clip) -> Void = { _ in }) throws -> [String] {
        try (0..<count).map { number in
            try file(Clip().with(change).with { $0.number = number })
        }
    }

    /// The first frame of a clip, scaled to the size at which the screen shows it.
    func firstFrame(of file: String, width: Int, height: Int) throws -> Footage {
        let path = Scratch.path("first.png")
        defer { unlink(path) }
        try TestKit.run([
            "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", file, "-frames:v", "1", "-vf",
            "scale=\(width):\(height):flags=area", path,
        ])
        return try Footage(path, width: width, height: height)
    }
}
