import Foundation

/// A take that the program recorded, with the JSON file beside it.
public struct RecordedTake {
    public let name: String
    public let start: Double
    public let rate: Double
    /// Samples, mixed to mono and decoded by ffmpeg.
    public let samples: [Float]
    public let note: [String: Any]
    public var seconds: Double { Double(samples.count) / 48_000 }

    /// Returns all takes of a folder, sorted by name.
    public static func all(in folder: String) throws -> [RecordedTake] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        return try names.filter { $0.hasSuffix(".flac") }.map { try RecordedTake("\(folder)/\($0)", $0) }
    }

    private init(_ path: String, _ name: String) throws {
        let raw = Scratch.path("take.f32")
        defer { try? FileManager.default.removeItem(atPath: raw) }
        try run(
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", path, "-f", "f32le", "-ac", "1", "-ar", "48000", raw],
            atMost: 120)
        let data = try Data(contentsOf: URL(fileURLWithPath: raw))
        let json = try Data(contentsOf: URL(fileURLWithPath: path.dropLast(4) + "json"))
        guard let note = try JSONSerialization.jsonObject(with: json) as? [String: Any],
            let start = note["start"] as? Double, let rate = note["rate"] as? Double
        else { throw CommandFailed(command: ["read", path], status: nil, errors: "no start or rate in its JSON") }
        (self.name, self.start, self.rate, self.note) = (name, start, rate, note)
        samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
}
