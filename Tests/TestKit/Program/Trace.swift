import Foundation

/// Output of --trace: one JSON object a line.
public struct Trace: @unchecked Sendable {
    public struct Event: @unchecked Sendable {
        /// Seconds since the program started.
        public let time: Double
        public let name: String
        public let fields: [String: Any]

        public func text(_ key: String) -> String? { fields[key] as? String }
        public func number(_ key: String) -> Double? { (fields[key] as? NSNumber)?.doubleValue }
        public var tile: String? { text("tile") }
    }

    public let events: [Event]
    /// Lines that are not a JSON object with `t` and `event`.
    public let wrong: [String]
    public let text: String

    public init(text: String) {
        self.text = text
        var events: [Event] = []
        var wrong: [String] = []
        for line in text.split(separator: "\n") {
            if let event = Self.event(line) { events.append(event) } else { wrong.append(String(line)) }
        }
        (self.events, self.wrong) = (events, wrong)
    }

    private static func event(_ line: Substring) -> Event? {
        guard let json = try? JSONSerialization.jsonObject(with: Data(line.utf8)), let fields = json as? [String: Any],
            let time = fields["t"] as? NSNumber, let name = fields["event"] as? String
        else { return nil }
        return Event(time: time.doubleValue, name: name, fields: fields)
    }

    public func events(_ name: String, tile: String? = nil) -> [Event] {
        events.filter { $0.name == name && (tile == nil || $0.tile == tile) }
    }
}
