import CFFmpeg
import WallCore

/// What a film is written as. The name of the file says it.
public enum FilmFormat: Hashable, Sendable {
    case mp4, mov, matroska, webm, gif
    /// A frame a file; the name has the number's place in it.
    case frameSequence
    /// One frame.
    case frame
    /// A line of text for each frame: its number, its time, its size and the MD5 sum of its pixels.
    case checksums

    /// By the ending; nil: none that is known. `-` is standard output.
    public init?(file: String) {
        if file == "-" {
            self = .checksums
            return
        }
        let name = file.split(separator: "/").last.map(String.init) ?? file
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let ending = parts.last?.lowercased() else { return nil }
        switch ending {
        case "mp4", "m4v": self = .mp4
        case "mov": self = .mov
        case "mkv": self = .matroska
        case "webm": self = .webm
        case "gif": self = .gif
        case "png": self = FilmFormat.hasNumber(name) ? .frameSequence : .frame
        case "framehash": self = .checksums
        default: return nil
        }
    }

    public static let endings = ".mp4, .mov, .mkv, .webm, .gif, .framehash or %05d.png"

    /// A place for the number: %d or %05d, once.
    private static func hasNumber(_ name: String) -> Bool {
        let parts = name.split(separator: "%", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        return parts[1].drop { $0.isASCII && $0.isNumber }.first == "d"
    }

    /// FFmpeg's name for the container.
    var container: String {
        switch self {
        case .mp4: "mp4"
        case .mov: "mov"
        case .matroska: "matroska"
        case .webm: "webm"
        case .gif: "gif"
        case .frameSequence, .frame: "image2"
        case .checksums: "framehash"
        }
    }

    /// What may encode its frames, the best first.
    var videoEncoders: [String] {
        switch self {
        case .mp4, .mov: ["libx264", "libopenh264", "mpeg4"]
        case .matroska: ["libx264", "libopenh264", "libvpx-vp9", "mpeg4"]
        case .webm: ["libvpx-vp9", "libvpx"]
        case .gif: ["gif"]
        case .frameSequence, .frame: ["png"]
        case .checksums: ["rawvideo"]
        }
    }

    /// What may encode its sound, the best first; empty: there is none in it.
    var soundEncoders: [String] {
        switch self {
        case .mp4, .mov: ["aac", "libmp3lame"]
        case .matroska: ["flac", "libopus"]
        case .webm: ["libopus", "libvorbis"]
        case .gif, .frameSequence, .frame, .checksums: []
        }
    }

    public var takesSound: Bool { !soundEncoders.isEmpty }

    /// How its pixels are kept.
    var pixels: AVPixelFormat {
        switch self {
        case .mp4, .mov, .matroska, .webm: AV_PIX_FMT_YUV420P
        case .gif: AV_PIX_FMT_PAL8
        case .frameSequence, .frame, .checksums: AV_PIX_FMT_RGB24
        }
    }

    /// Options of the container.
    var options: [(String, String)] {
        switch self {
        case .mp4, .mov: [("movflags", "+faststart")]
        case .frameSequence: [("atomic_writing", "1")]
        case .frame: [("update", "1")]
        case .checksums: [("hash", "md5")]
        case .matroska, .webm, .gif: []
        }
    }

    /// It becomes one file, which appears under its name when it is whole.
    func isOneFile(_ name: String) -> Bool { self != .frameSequence && name != "-" }
}

/// What a film is to be.
public struct FilmSpec: Sendable {
    public var format: FilmFormat
    public var size: Size
    public var rate: FrameRate
    /// The encoder's constant quality; nil: ours.
    public var quality: Int?
    /// The encoder's own name for how much time it takes; nil: its usual one.
    public var preset: String?
    public var sound = Sound.none
    /// What its YUV means; nil: as `RasterConverter` makes it.
    var colours: Colorimetry?
    var timing = Timing.even

    public enum Sound: Sendable { case none, stereo }

    enum Timing {
        /// Each frame lasts as long as the others.
        case even
        /// Frames are numbered by their milliseconds, as they come, and are encoded at once.
        case live
    }

    public init(format: FilmFormat, size: Size, rate: FrameRate) {
        (self.format, self.size, self.rate) = (format, size, rate)
    }
}

/// Why a film can't be made, in words.
public struct FilmTrouble: Error {
    public var what: String
    public internal(set) var kind = Kind.unmade

    public enum Kind: Sendable {
        /// It could not be begun, or not be encoded.
        case unmade
        /// It was begun, and the file takes no more.
        case unwritten
    }

    public init(_ what: String) { self.what = what }
    init(_ code: Int32, _ doing: String) { what = "\(doing): \(words(for: code))" }
}
