import Foundation

/// A clip made by the `ffmpeg` tool, each frame of which shows its own number.
///
/// Clips are kept in the temporary folder, named by their content. Any number of tests may ask for the same clip at
/// once.
public struct Witness: Hashable, Sendable {
    public enum Look: Hashable, Sendable {
        /// Moving waves with the strip of marks.
        case marked
        /// One colour and no marks (BT.601, limited range, unless tagged otherwise).
        case flat(Colour)
    }

    public enum Codec: String, Sendable, CaseIterable { case h264, hevc, vp9, av1, mpeg4, mjpeg, ffv1 }
    public enum Container: String, Sendable { case mp4, mkv, webm, ts, avi, mov }
    public enum SoundCodec: String, Sendable {
        case none, aac, libopus, flac, libmp3lame
        case pcm = "pcm_s16le"
    }

    public var clip = 0
    public var look = Look.marked
    public var width = 640
    public var height = 360
    /// Frames a second, as a fraction.
    public var rate = Rate(30)
    public var frames = 60
    public var codec = Codec.h264
    public var container = Container.mp4
    public var gop = 30
    public var bFrames = 0
    public var pixelFormat = "yuv420p"
    /// Values of color_range, colorspace, color_primaries and color_trc, by ffmpeg's names.
    public var colourTags: [String: String] = [:]
    public var sound = SoundCodec.none
    /// Tones of the two channels: alike, or with the next clip's tone on the right.
    public enum Sides: Sendable { case alike, apart }
    public var sides = Sides.alike
    /// Frames at whose start 40 ms of a 3 kHz burst are added to the tone.
    public var bursts: [Int] = []
    /// Options given to ffmpeg before the name of the output.
    public var extra: [String] = []

    public init(_ clip: Int = 0) { self.clip = clip }

    /// Returns a copy with changes: `Witness(3).with { $0.frames = 48 }`.
    public func with(_ change: (inout Witness) -> Void) -> Witness {
        var copy = self
        change(&copy)
        return copy
    }

    public var secondsPerFrame: Double { Double(rate.denominator) / Double(rate.numerator) }
    public var length: Double { Double(frames) * secondsPerFrame }
    /// The frequency of the clip's own tone.
    public var tone: Double { Witness.tone(of: clip) }
    /// The frequency on the right channel.
    public var rightTone: Double { sides == .alike ? tone : Witness.tone(of: clip + 1) }
    public static func tone(of clip: Int) -> Double { 300 + 90 * Double(clip) }
    public static let burstTone = 3000.0

    /// Returns the clip's path; makes the clip if it is missing.
    public func file() throws -> String {
        try made("\(codec)-\(clip)", container.rawValue) { path in
            var command = rawInput
            if sound != .none { command += ["-i", try ToneFile.make(self)] }
            command += encoder + ["-pix_fmt", pixelFormat, "-g", "\(gop)"]
            for (name, value) in colourTags.sorted(by: { $0.key < $1.key }) { command += ["-\(name)", value] }
            if sound != .none { command += ["-c:a", sound.rawValue, "-shortest"] }
            if sound == .aac || sound == .libopus { command += ["-b:a", "96k"] }
            if container == .mp4 || container == .mov { command += ["-movflags", "+faststart"] }
            try feed(command + extra + ["-f", muxer, path], frames)
        }
    }

    /// Returns the path of a file with frame `number` alone. `kind` is png or jpg.
    public func still(_ number: Int = 0, _ kind: String = "png") throws -> String {
        try made("still-\(clip)-\(number)", kind) { path in
            let codec = kind == "png" ? ["-c:v", "png"] : ["-c:v", "mjpeg", "-q:v", "2", "-pix_fmt", "yuvj420p"]
            try feed(rawInput + codec + extra + ["-f", "image2", "-update", "1", path], number..<number + 1)
        }
    }

    private var rawInput: [String] {
        [
            "ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s",
            "\(width)x\(height)",
            "-r", "\(rate.numerator)/\(rate.denominator)", "-i", "pipe:0",
        ]
    }

    private var encoder: [String] {
        switch codec {
        case .h264: return ["-c:v", "libx264", "-preset", "superfast", "-crf", "20", "-bf", "\(bFrames)"]
        case .hevc:
            return [
                "-c:v", "libx265", "-preset", "ultrafast", "-crf", "22", "-x265-params",
                "log-level=none:bframes=\(bFrames)",
            ]
        case .vp9: return ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "1500k"]
        case .av1: return ["-c:v", "libaom-av1", "-cpu-used", "8", "-usage", "realtime", "-crf", "28", "-b:v", "0"]
        case .mpeg4: return ["-c:v", "mpeg4", "-q:v", "3", "-bf", "\(bFrames)"]
        case .mjpeg: return ["-c:v", "mjpeg", "-q:v", "3", "-strict", "unofficial"]
        case .ffv1: return ["-c:v", "ffv1"]
        }
    }

    private var muxer: String {
        switch container {
        case .mkv: return "matroska"
        case .ts: return "mpegts"
        default: return container.rawValue
        }
    }

    private func made(_ name: String, _ ending: String, _ make: (String) throws -> Void) throws -> String {
        let path = "\(Scratch.cache)/\(name)-\(Digest.of("7 \(self)")).\(ending)"
        if access(path, R_OK) == 0 { return path }
        let unfinished = Scratch.path("unfinished.\(ending)")
        try make(unfinished)
        guard rename(unfinished, path) == 0 else { throw Child.Failure.notFound(path) }
        return path
    }

    private func feed(_ command: [String], _ count: Int) throws { try feed(command, 0..<count) }

    private func feed(_ command: [String], _ numbers: Range<Int>) throws {
        let pipe = Conduit()
        signal(SIGPIPE, SIG_IGN)
        // Walls that play beside must be in time.
        let tool = try Child(command, input: .descriptor(pipe.reading), priority: .low)
        pipe.closeReading()
        var painter = Painter(width: width, height: height, look: look, clip: clip)
        for number in numbers {
            painter.paint(number)
            guard pipe.write(painter.bytes) else { break }
        }
        pipe.closeWriting()
        guard tool.wait(atMost: 120) == 0 else {
            throw CommandFailed(command: command, status: tool.end(), errors: tool.errors)
        }
    }
}

/// Frames a second.
public struct Rate: Hashable, Sendable {
    public let numerator: Int
    public let denominator: Int
    public init(_ numerator: Int, _ denominator: Int = 1) {
        (self.numerator, self.denominator) = (numerator, denominator)
    }
}

/// Computes a short name for a long description, the same in every run (FNV-1a).
enum Digest {
    static func of(_ text: String) -> String {
        let value = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(value, radix: 16)
    }
}
