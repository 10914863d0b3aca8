/// A line of a table of keys, as people read it.
public struct KeyLine: Hashable, Sendable {
    /// Keys to press, as on the keycaps, separated by two spaces.
    public let keys: String
    public let description: String

    public init(_ keys: String, _ description: String) { (self.keys, self.description) = (keys, description) }

    /// The line as a row of the manual's table of keys.
    public var row: String {
        "| \(keys.split(separator: "  ").joined(separator: " ")) | \(description) |"
    }
}
