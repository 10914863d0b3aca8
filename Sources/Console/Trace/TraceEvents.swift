import Base

/// The set of events that are traced.
public struct TraceEvents: Sendable {
    private static let names = [
        "start", "picture", "seam", "lease", "release", "seat", "focus", "pip", "clock", "give-way", "item-start",
        "item-end", "item-stands", "idle", "reload", "schedule", "break", "take", "monitor", "trouble", "stale",
        "frozen", "recovered", "sums", "end",
    ]
    public static let usual = TraceEvents(chosen: Set(names).subtracting(["picture"]))

    private let chosen: Set<String>

    private init(chosen: Set<String>) { self.chosen = chosen }

    /// Parses a comma-separated list, or `all`.
    public init(_ text: String) throws(UsageMistake) {
        if text == "all" {
            chosen = Set(Self.names)
            return
        }
        let words = text.split(separator: ",").map(String.init)
        for word in words where !Self.names.contains(word) {
            let near = nearest(to: word, among: Self.names).map { "; did you mean \($0)?" } ?? ""
            throw UsageMistake(
                "--trace-events \(word): no such event\(near) There are \(Self.names.joined(separator: ", ")), or all")
        }
        guard !words.isEmpty else {
            throw UsageMistake("--trace-events needs names with commas between them, or all")
        }
        chosen = Set(words)
    }

    func contains(_ name: String) -> Bool { chosen.contains(name) }
}
