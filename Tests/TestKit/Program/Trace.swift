import Foundation

/// What the program wrote with --trace: one JSON object a line.
public struct Trace: @unchecked Sendable {
    public struct Event: @unchecked Sendable {
        /// Seconds since the program began.
        public let time: Double
        public let name: String
        public let fields: [String: Any]

        public func text(_ key: String) -> String? { fields[key] as? String }
        public func number(_ key: String) -> Double? { (fields[key] as? NSNumber)?.doubleValue }
        public var tile: String? { text("tile") }
    }

    public let events: [Event]
    /// Lines that are no JSON object with `t` and `event`.
    public let wrong: [String]
    public let text: String

    public init(text: String) {
        self.text = text
        var events: [Event] = []
        var wrong: [String] = []
        for line in text.split(separator: "\n") {
            let object = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
            guard let object, let time = object["t"] as? NSNumber, let name = object["event"] as? String else {
                wrong.append(String(line))
                continue
            }
            events.append(Event(time: time.doubleValue, name: name, fields: object))
        }
        (self.events, self.wrong) = (events, wrong)
    }

    public func events(_ name: String, tile: String? = nil) -> [Event] {
        events.filter { $0.name == name && (tile == nil || $0.tile == tile) }
    }
}
