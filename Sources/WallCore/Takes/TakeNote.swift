/// What is known of a recording, as it stands in the JSON beside it.
public struct TakeNote: Equatable, Sendable {
    public var tile: String
    /// The song's source, and which item of its sequence it was, from 0.
    public var source: String
    public var item: Int
    /// The song time of its first sample.
    public var start: Time
    /// Between the instant in the song and the program's having the sample; it is taken out of `start`.
    public var latency: Time
    /// How much of it by what `calibrate` measured; nil: it did not.
    public var calibrated: Time?
    /// How fast the song went.
    public var rate: Rate
    /// By how many semitones the song was higher.
    public var key: Int
    /// ISO 8601.
    public var date: String
    /// As the sound server calls them.
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
            PropertyField(
                "song",
                .object([
                    PropertyField("source", .text(SourceName.withoutSecrets(source))),
                    PropertyField("item", .integer(item)),
                ])),
            PropertyField("start", .number(start.seconds)), PropertyField("latency", .number(latency.seconds)),
            PropertyField("calibrated", calibrated.map { .number($0.seconds) } ?? .null),
            PropertyField("rate", .number(rate.value)), PropertyField("key", .integer(key)),
            PropertyField("tile", .text(tile)),
            PropertyField("date", .text(date)), PropertyField("input", input.map { .text($0) } ?? .null),
            PropertyField("output", output.map { .text($0) } ?? .null),
        ])
    }

    /// Where the JSON of a sound's file stands; nil: its name has no ending.
    public static func path(beside sound: String) -> String? {
        guard let dot = sound.lastIndex(of: "."), !sound[dot...].contains("/") else { return nil }
        return sound[..<dot] + ".json"
    }

    /// Where a sound lies in its song, as the JSON beside it says; nil: that is no take's.
    public static func place(in json: [UInt8]) -> TakePlace? {
        guard let root = try? JSONParser.parse(json), root["song"] != nil,
            case .number(let start, _)? = root["start"]?.content, start.isFinite
        else { return nil }
        func number(_ name: String, else fallback: Double, in range: ClosedRange<Double>) -> Double? {
            guard let written = root[name] else { return fallback }
            guard case .number(let number, _) = written.content, range.contains(number) else { return nil }
            return number
        }
        let keys = Double(Item.keys.lowerBound)...Double(Item.keys.upperBound)
        guard let rate = number("rate", else: 1, in: 0.01...16), let key = number("key", else: 0, in: keys) else {
            return nil
        }
        return TakePlace(start: Time(seconds: start), rate: Rate(rate), key: Int(key))
    }

    /// A file's name without its ending. Names sort by time; `instant`: as `2026-11-23T204305.123Z`.
    public static func name(of tile: String, at instant: String) -> String {
        let plain = tile.unicodeScalars.map { $0.isPrintable && $0 != "/" ? Character($0) : "_" }
        var name = ""
        for character in plain.prefix(60) where name.utf8.count + character.utf8.count <= longestName {
            name.append(character)
        }
        return instant + "-" + name
    }

    /// In bytes; file systems take 255 with the rest.
    private static let longestName = 180
}

/// Where a recording lies in its song.
public struct TakePlace: Equatable, Sendable {
    /// The song time of its first sample.
    public let start: Time
    /// How fast the song went.
    public let rate: Rate
    /// By how many semitones it was higher: the recording is of that key.
    public let key: Int

    public init(start: Time, rate: Rate, key: Int = 0) { (self.start, self.rate, self.key) = (start, rate, key) }

    /// How fast it is to be read beside a song that goes at `rate`.
    public func rate(beside rate: Rate) -> Rate { rate / self.rate }

    /// Its own time at a time of the song: below zero before it begins.
    public func time(at song: Time) -> Time { (song - start).lasting(at: rate) }
}
