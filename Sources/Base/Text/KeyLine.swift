/// A line of a table of keys, as people read it.
public struct KeyLine: Hashable, Sendable {
    /// Keys to press, as on the keycaps, separated by two spaces.
    public let keys: String
    public let does: String

    public init(_ keys: String, _ does: String) { (self.keys, self.does) = (keys, does) }

    /// The line as a row of the README's table.
    public var row: String {
        "| \(keys.split(separator: "  ").joined(separator: " ")) | \(does) |"
    }
}
