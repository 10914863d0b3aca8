import Foundation

/// Random CDG files: tiles, colours, borders, presets and scrolls, a packet each 1/300 s. They use only what FFmpeg's
/// decoder draws as the standard requires, so FFmpeg's frames are the expected ones.
public enum KaraokeDisc {
    public static let size = (width: 300, height: 216)
    public static let packetSize = 24

    public static func bytes(seconds: Double, seed: UInt64 = 7) -> [UInt8] {
        var random = SeededNumbers(seed)
        return (0..<Int((seconds * 300).rounded())).flatMap { packet($0, &random) }
    }

    /// Returns a random packet. Each is an instruction, so that FFmpeg shows a frame for it. Unused bits are random as
    /// well.
    private static func packet(_ number: Int, _ random: inout SeededNumbers) -> [UInt8] {
        var data = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        let instruction: UInt8
        switch number {
        case 0: (instruction, data[1]) = (1, data[1] & 0xF0)
        case 1: instruction = 30
        case 2: instruction = 31
        default:
            switch Int.random(in: 0..<400, using: &random) {
            case 0: instruction = 1
            case 1: instruction = 2
            case 2: instruction = 30
            case 3: instruction = 31
            case 4..<8:
                // Scrolls go by whole tiles, in one direction at a time.
                instruction = Bool.random(using: &random) ? 20 : 24
                let step = UInt8.random(in: 1...2, using: &random) << 4
                (data[1], data[2]) = Bool.random(using: &random) ? (step, 0) : (0, step)
            case 8..<12: instruction = 3
            default:
                instruction = Bool.random(using: &random) ? 6 : 38
                data[2] = UInt8.random(in: 0..<18, using: &random) | data[2] & 0xE0
                data[3] = UInt8.random(in: 0..<50, using: &random) | data[3] & 0xC0
            }
        }
        let parity = (0..<6).map { _ in UInt8.random(in: 0...255, using: &random) }
        return [9 | parity[0] & 0xC0, instruction | parity[1] & 0xC0] + parity[..<2] + data + parity[2...]
    }

    /// Writes a CDG file. `tone`: the file name extension and seconds of a sound file beside it; nil if there is none.
    public static func song(
        in folder: String, _ name: String = "song", seconds: Double, seed: UInt64 = 7, tone: (ending: String, Double)?
    ) throws {
        try Data(bytes(seconds: seconds, seed: seed)).write(to: URL(fileURLWithPath: "\(folder)/\(name).cdg"))
        guard let (ending, length) = tone else { return }
        try MadeFile.make(
            "\(folder)/\(name).\(ending)",
            ["-f", "lavfi", "-i", "sine=frequency=660:sample_rate=48000:duration=\(length)"])
    }

    /// Writes a zip file. `members`: each file's path and its name in the zip. `packed`: compression method of Python's
    /// zipfile.
    public static func zip(_ path: String, of members: [(file: String, name: String)], packed: String = "DEFLATED")
        throws
    {
        let script = """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_\(packed)) as z:
                for file, name in zip(sys.argv[2::2], sys.argv[3::2]):
                    z.write(file, name)
            """
        try run(["python3", "-c", script, path] + members.flatMap { [$0.file, $0.name] })
    }

    /// Returns the frames of FFmpeg's decoder at each thirtieth of a second, as RGB bytes. The last frame shows all
    /// packets.
    public static func frames(of path: String) throws -> [[UInt8]] {
        let file = Scratch.path("frames.rgb")
        let last = (FileManager.default.contents(atPath: path)?.count ?? 0) / packetSize - 1
        try run([
            "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", path, "-vf", "select=not(mod(n\\,10))+eq(n\\,\(last))",
            "-fps_mode",
            "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24", file,
        ])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        let count = size.width * size.height * 3
        return stride(from: 0, to: bytes.count, by: count).map { Array(bytes[$0..<$0 + count]) }
    }
}
