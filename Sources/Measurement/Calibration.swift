import Base

/// Results of `calibrate`: latency of recordings for each pair of output and input, and latency of the screen.
public struct Calibration: Equatable, Sendable {
    public struct Pair: Hashable, Sendable {
        /// Names of the sound server's devices.
        public var output: String
        public var input: String

        public init(output: String, input: String) { (self.output, self.input) = (output, input) }
    }

    public struct Lateness: Equatable, Sendable {
        /// Latency beyond the one that the sound server reports.
        public var late: Time
        /// Interquartile range of the measurements.
        public var spread: Time
        /// Date in ISO 8601.
        public var date: String

        public init(late: Time, spread: Time, date: String) {
            (self.late, self.spread, self.date) = (late, spread, date)
        }
    }

    public private(set) var takes: [Pair: Lateness] = [:]
    /// Delay of frames relative to sound; nil until measured.
    public var screen: Lateness?

    public init() {}

    /// Skips entries that can't be read; nil if `json` is no JSON object.
    public init?(json: [UInt8]) {
        guard let root = try? JSONParser.parse(json), case .object = root.content else { return nil }
        for output in root["takes"]?.members ?? [] {
            for input in output.value.members {
                guard let lateness = Lateness(input.value) else { continue }
                takes[Pair(output: output.key, input: input.key)] = lateness
            }
        }
        screen = root["screen"].flatMap(Lateness.init)
    }

    public mutating func keep(_ lateness: Lateness, for pair: Pair) { takes[pair] = lateness }

    /// Latency of recordings; nil if this pair was not measured.
    public func lateness(output: String?, input: String?) -> Time? {
        guard let output, let input else { return nil }
        return takes[Pair(output: output, input: input)]?.late
    }

    public var json: [UInt8] {
        let outputs = Set(takes.keys.map(\.output)).sorted().map { output in
            let inputs = takes.filter { $0.key.output == output }.sorted { $0.key.input < $1.key.input }
            return PropertyField(output, .object(inputs.map { PropertyField($0.key.input, $0.value.json) }))
        }
        return JSONWriter.line(["takes": .object(outputs), "screen": screen?.json ?? .null])
    }
}

extension Calibration.Lateness {
    fileprivate init?(_ value: JSONValue) {
        guard let late = value["late"]?.number, abs(late) <= 5 else { return nil }
        self.init(
            late: Time(seconds: late), spread: Time(seconds: value["spread"]?.number ?? 0),
            date: value["date"]?.string ?? "")
    }

    fileprivate var json: PropertyValue {
        ["late": .number(late.seconds), "spread": .number(spread.seconds), "date": .text(date)]
    }
}
