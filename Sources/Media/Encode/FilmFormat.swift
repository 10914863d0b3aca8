import Base
import CFFmpeg
import Decoded

/// Format of a written film, chosen by the name of the file.
public enum FilmFormat: Hashable, Sendable {
    case mp4, mov, matroska, webm, gif
    /// One file for each frame; the name contains %d or %05d for the number.
    case frameSequence
    /// One frame in one file.
    case frame
    /// A line of text for each frame: its number, its time, its size and the MD5 sum of its pixels.
    case checksums
    /// Sound alone, in 24 bits. No name of a film chooses it.
    case flac

    /// Returns the format for the file's ending; nil if it is unknown. `-` is standard output.
    public init?(file: String) {
        if file == "-" {
            self = .checksums
            return
        }
        let name = file.split(separator: "/").last.map(String.init) ?? file
        guard let dot = name.lastIndex(of: ".") else { return nil }
        switch name[dot...].lowercased() {
        case ".mp4", ".m4v": self = .mp4
        case ".mov": self = .mov
        case ".mkv": self = .matroska
        case ".webm": self = .webm
        case ".gif": self = .gif
        case ".png": self = FilmFormat.hasNumber(name) ? .frameSequence : .frame
        case ".framehash": self = .checksums
        default: return nil
        }
    }

    public static let endings = ".mp4, .mov, .mkv, .webm, .gif, .framehash or %05d.png"

    /// Returns true if the name contains %d or %05d, once.
    private static func hasNumber(_ name: String) -> Bool {
        let parts = name.split(separator: "%", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[1].drop { $0.isASCII && $0.isNumber }.first == "d"
    }

    /// Parts of a format.
    struct Traits {
        /// FFmpeg's name for the container.
        var container: String
        /// Encoders for its frames, the best first.
        var videoEncoders: [String]
        /// Encoders for its sound, the best first; empty if the format has no sound.
        var soundEncoders: [String] = []
        /// Format of its samples; nil if the encoder chooses it.
        var samples: AVSampleFormat?
        /// Pixel format of its frames.
        var pixels = AV_PIX_FMT_YUV420P
        /// Options of the container.
        var options: KeyValuePairs<String, String> = [:]
    }

    var traits: Traits {
        let usual = ["libx264", "libopenh264", "mpeg4"], sound = ["aac", "libmp3lame"]
        return switch self {
        case .mp4, .mov:
            Traits(
                container: self == .mp4 ? "mp4" : "mov", videoEncoders: usual, soundEncoders: sound,
                options: ["movflags": "+faststart"])
        case .matroska:
            Traits(
                container: "matroska", videoEncoders: ["libx264", "libopenh264", "libvpx-vp9", "mpeg4"],
                soundEncoders: ["flac", "libopus"])
        case .webm:
            Traits(
                container: "webm", videoEncoders: ["libvpx-vp9", "libvpx"], soundEncoders: ["libopus", "libvorbis"])
        case .gif: Traits(container: "gif", videoEncoders: ["gif"], pixels: AV_PIX_FMT_PAL8)
        case .frameSequence, .frame:
            Traits(
                container: "image2", videoEncoders: ["png"], pixels: AV_PIX_FMT_RGB24,
                options: self == .frame ? ["update": "1"] : ["atomic_writing": "1"])
        case .checksums:
            Traits(
                container: "framehash", videoEncoders: ["rawvideo"], pixels: AV_PIX_FMT_RGB24, options: ["hash": "md5"])
        case .flac: Traits(container: "flac", videoEncoders: [], soundEncoders: ["flac"], samples: AV_SAMPLE_FMT_S32)
        }
    }

    public var takesSound: Bool { !traits.soundEncoders.isEmpty }

    /// True if the film is one file, which gets its name when it is whole.
    func isOneFile(_ name: String) -> Bool { self != .frameSequence && name != "-" }
}

/// Parameters of a film to be written.
public struct FilmSpec: Sendable {
    public var format: FilmFormat
    public var size: Size
    public var rate: FrameRate
    /// The encoder's constant quality; nil for this program's default.
    public var quality: Int?
    /// The encoder's own name for its speed; nil for its default.
    public var preset: String?
    public var sound = Sound.none
    /// Meaning of the film's YUV; nil for the meaning that `RasterConverter` chooses.
    var colours: Colorimetry?
    var timing = Timing.even

    public enum Sound: Sendable { case none, stereo }

    enum Timing {
        /// All frames have the same duration.
        case even
        /// Frames are numbered by their milliseconds, and are encoded as they come.
        case live
    }

    public init(format: FilmFormat, size: Size, rate: FrameRate) {
        (self.format, self.size, self.rate) = (format, size, rate)
    }
}

/// Message for a film that can't be made.
public struct FilmTrouble: Error {
    public var what: String
    public internal(set) var kind = Kind.unmade

    public enum Kind: Sendable {
        /// Starting or encoding failed.
        case unmade
        /// Writing to the file failed after the start.
        case unwritten
    }

    public init(_ what: String) { self.what = what }
    init(_ code: Int32, _ doing: String, _ kind: Kind = .unmade) {
        (what, self.kind) = ("\(doing): \(words(for: code))", kind)
    }

    /// Throws if a call of FFmpeg's failed with this status.
    static func check(_ status: Int32, _ doing: String, _ kind: Kind = .unmade) throws(FilmTrouble) {
        if status < 0 { throw FilmTrouble(status, doing, kind) }
    }
}
