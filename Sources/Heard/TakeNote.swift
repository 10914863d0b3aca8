import Base

/// Metadata of a recording, stored as JSON next to it.
public struct TakeNote: Equatable, Sendable {
    public var tile: String
    /// The song's source, then the index of its item in the tile's sequence.
    public var source: String
    public var item: Int
    /// Song time of the recording's first sample.
    public var start: Time
    /// Time from the instant in the song until the program had the sample; already subtracted from `start`.
    public var latency: Time
    /// Part of `latency` that `calibrate` measured; nil if it measured none.
    public var calibrated: Time?
    /// Rate of the song.
    public var rate: Rate
    /// Transposition of the song, in semitones.
    public var key: Int
    /// Date in ISO 8601.
    public var date: String
    /// Names of the sound server's devices.
    public var input: String?
    public var output: String?

    public init(
        tile: String, source: String, item: Int, start: Time, latency: Time, calibrated: Time? = nil, rate: Rate = .one,
        key: Int = 0, date: String, input: String? = nil, output: String? = nil
    ) {
        (self.tile, self.source, self.item, self.start) = (tile, source, item, start)
        (self.latency, self.calibrated, self.rate, self.key, self.date) = (latency, calibrated, rate, key, date)
        (self.input, self.output) = (input, output)
    }

    public var json: [UInt8] {
        JSONWriter.line([
            "song": ["source": .text(SourceName.withoutSecrets(source)), "item": .integer(item)],
            "start": .number(start.seconds), "latency": .number(latency.seconds),
            "calibrated": .numberOrNull(calibrated?.seconds), "rate": .number(rate.value), "key": .integer(key),
            "tile": .text(tile), "date": .text(date), "input": .textOrNull(input), "output": .textOrNull(output),
        ])
    }

    /// Path of the JSON file next to a sound file; nil if the sound file's name has no extension.
    public static func path(beside sound: String) -> String? {
        guard let dot = sound.lastIndex(of: "."), !sound[dot...].contains("/") else { return nil }
        return sound[..<dot] + ".json"
    }

    /// Returns the place that the JSON next to a recording states; nil if it describes no recording.
    public static func place(in json: [UInt8]) -> TakePlace? {
        guard let root = try? JSONParser.parse(json), root["song"] != nil,
            let start = root["start"]?.number, start.isFinite
        else { return nil }
        func number(_ name: String, else fallback: Double, in range: ClosedRange<Double>) -> Double? {
            guard let written = root[name] else { return fallback }
            return written.number.flatMap { range.contains($0) ? $0 : nil }
        }
        let keys = Double(Item.keys.lowerBound)...Double(Item.keys.upperBound)
        guard let rate = number("rate", else: 1, in: 0.01...16), let key = number("key", else: 0, in: keys) else {
            return nil
        }
        return TakePlace(start: Time(seconds: start), rate: Rate(rate), key: Int(key))
    }
}

/// Place of a recording in its song.
public struct TakePlace: Equatable, Sendable {
    /// Song time of the recording's first sample.
    public let start: Time
    /// Rate of the song.
    public let rate: Rate
    /// Transposition of the song while it was recorded, in semitones.
    public var key = 0

    /// Rate at which to play the recording beside a song that plays at `rate`.
    public func rate(beside rate: Rate) -> Rate { rate / self.rate }

    /// Time in the recording at a song time; below zero before the recording begins.
    public func time(at song: Time) -> Time { (song - start).lasting(at: rate) }
}
