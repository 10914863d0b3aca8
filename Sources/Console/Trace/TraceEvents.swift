import Base
import Feeds

/// The set of events that are traced.
public struct TraceEvents: Sendable {
    public static let usual = TraceEvents(names: EventNames(EventName.allCases.filter { $0 != .picture }))

    let names: EventNames

    private init(names: EventNames) { self.names = names }

    /// Parses a comma-separated list, or `all`.
    public init(_ text: String) throws(UsageMistake) {
        if text == "all" {
            names = .all
            return
        }
        var chosen: [EventName] = []
        for word in text.split(separator: ",").map(String.init) {
            guard let name = EventName(word) else {
                let known = EventName.allCases.map(\.text)
                let near = nearest(to: word, among: known).map { "; did you mean \($0)? There" }
                throw UsageMistake(
                    "--trace-events \(word): no such event\(near ?? "; there") are \(known.joined(separator: ", ")), "
                        + "or all")
            }
            chosen.append(name)
        }
        guard !chosen.isEmpty else {
            throw UsageMistake("--trace-events needs names with commas between them, or all")
        }
        names = EventNames(chosen)
    }
}
