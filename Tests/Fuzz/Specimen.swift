import Foundation
import TestKit

/// An undamaged file of one kind, to be damaged.
struct Specimen {
    let name: String
    let bytes: [UInt8]

    private static let frame = ["-f", "lavfi", "-i", "testsrc2=s=192x108:r=25:d=1.5"]
    private static let sound = ["-f", "lavfi", "-i", "sine=d=1.5"]
    private static let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "10", "-pix_fmt", "yuv420p"]

    /// A file's name, and the ffmpeg options that make it.
    private static let recipes: [(String, [String])] = [
        ("h264.mp4", h264 + ["-c:a", "aac"]), ("fast.mp4", h264 + ["-movflags", "+faststart", "-an"]),
        ("pieces.mp4", h264 + ["-movflags", "frag_keyframe+empty_moov", "-c:a", "aac"]),
        ("hevc.mp4", ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error", "-an"]),
        ("prores.mov", ["-c:v", "prores_ks", "-an"]), ("rle.mov", ["-c:v", "qtrle", "-an"]),
        ("h264.mkv", h264 + ["-c:a", "libvorbis"]), ("ffv1.mkv", ["-c:v", "ffv1", "-c:a", "flac"]),
        ("vp8.webm", ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libvorbis"]),
        ("vp9.webm", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libopus"]),
        ("mpeg4.avi", ["-c:v", "mpeg4", "-bf", "2", "-c:a", "libmp3lame"]), ("mjpeg.avi", ["-c:v", "mjpeg", "-an"]),
        ("raw.avi", ["-c:v", "rawvideo", "-s", "64x36", "-c:a", "pcm_s16le"]),
        ("mpeg2.ts", ["-c:v", "mpeg2video", "-c:a", "mp2"]), ("h264.ts", h264 + ["-c:a", "aac"]),
        ("mpeg1.mpg", ["-c:v", "mpeg1video", "-c:a", "mp2"]), ("mpeg2.mxf", ["-c:v", "mpeg2video", "-an"]),
        ("theora.ogv", ["-c:v", "libtheora", "-c:a", "libvorbis"]),
        ("flash.flv", ["-c:v", "flv", "-c:a", "libmp3lame", "-ar", "44100"]),
        ("wmv.asf", ["-c:v", "wmv2", "-c:a", "wmav2"]), ("mpeg4.nut", ["-c:v", "mpeg4", "-c:a", "libvorbis"]),
        ("vp8.ivf", ["-c:v", "libvpx", "-deadline", "realtime", "-an"]), ("frames.y4m", ["-s", "64x36", "-an"]),
        ("moving.gif", ["-s", "96x54", "-an"]), ("moving.apng", ["-s", "96x54", "-f", "apng", "-an"]),
        ("still.png", ["-frames:v", "1", "-an"]), ("still.jpg", ["-frames:v", "1", "-an"]),
        ("still.webp", ["-frames:v", "1", "-an"]), ("still.bmp", ["-frames:v", "1", "-s", "64x36", "-an"]),
        ("still.tiff", ["-frames:v", "1", "-s", "64x36", "-an"]),
        ("wave.wav", ["-vn"]), ("layer3.mp3", ["-vn", "-c:a", "libmp3lame"]), ("free.flac", ["-vn"]),
        ("vorbis.ogg", ["-vn", "-c:a", "libvorbis"]), ("opus.opus", ["-vn", "-c:a", "libopus"]),
        ("aac.m4a", ["-vn", "-c:a", "aac"]),
    ]

    /// All specimens that this FFmpeg can make.
    static func all() throws -> [Specimen] {
        let made = recipes.compactMap { name, options -> Specimen? in
            let path = Scratch.path(name)
            let command = ["ffmpeg", "-nostdin", "-v", "quiet", "-y"] + frame + sound + options + [path]
            guard (try? TestKit.run(command)) != nil, let data = FileManager.default.contents(atPath: path) else {
                return nil
            }
            return Specimen(name: name, bytes: [UInt8](data))
        }
        guard made.count >= 20 else { throw Fuzz.Failure(what: "ffmpeg makes only \(made.count) kinds of media") }
        let folder = try Scratch.newFolder("song")
        try KaraokeDisc.song(in: folder, seconds: 2, tone: ("mp3", 1.5))
        let members = [("\(folder)/song.cdg", "a.cdg"), ("\(folder)/song.mp3", "a.mp3")]
        try KaraokeDisc.zip("\(folder)/song.zip", of: members.map { (file: $0, name: $1) })
        let songs = try ["song.cdg", "song.zip"].map { name -> Specimen in
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
            return Specimen(name: name, bytes: Array(data))
        }
        return made + songs
    }
}
