import Foundation

/// A recording with video, decoded by the `ffmpeg` tool. Holds when each witness frame first appears and when bursts
/// are heard, in the recording's time.
public struct Filmed {
    /// Codecs of the streams.
    public let kinds: [String]
    public let firsts: [Mark: Double]
    public let bursts: [Double]
    /// Timestamp of the last frame, in seconds.
    public let seconds: Double

    /// Reads a recording in which the witness fills the frame.
    public init(_ file: String, width: Int, height: Int) throws {
        func probe(_ entries: [String]) throws -> [String] {
            try run(["ffprobe", "-v", "error"] + entries + ["-of", "csv=p=0", file]).split(separator: "\n").map {
                String($0.prefix { $0 != "," })
            }
        }
        kinds = try probe(["-show_entries", "stream=codec_name"])
        let times = try probe(["-select_streams", "v", "-show_entries", "frame=pts_time"]).compactMap(Double.init)
        let footage = try Footage(file, width: width, height: height), tile = Tile(Area(0, 0, width, height))
        var firsts: [Mark: Double] = [:]
        for (number, time) in times.enumerated() where number < footage.count {
            guard case .frame(let mark) = footage.read(tile, number) else { continue }
            firsts[mark] = min(firsts[mark] ?? time, time)
        }
        (self.firsts, seconds) = (firsts, times.last ?? 0)
        bursts = try Filmed.bursts(file)
    }

    private static func bursts(_ file: String) throws -> [Double] {
        let raw = Scratch.path("film.s16")
        defer { unlink(raw) }
        try run([
            "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", file, "-map", "0:a", "-f", "s16le", "-ac", "1", "-ar",
            "\(Microphone.rate)", raw,
        ])
        let data = try Data(contentsOf: URL(fileURLWithPath: raw))
        let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        var found: [Double] = []
        for step in Recording(samples: samples, began: 0).course(of: Witness.burstTone, window: 0.002)
        where step.amplitude > 0.15 && step.time - (found.last ?? -1) > 0.3 {
            found.append(step.time)
        }
        return found
    }
}
