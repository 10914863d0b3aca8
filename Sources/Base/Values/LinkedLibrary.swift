/// A C library that the program uses, with its version, for reports of errors.
public struct LinkedLibrary: Sendable {
    public let name: String
    public let version: String

    public init(_ name: String, _ version: String) { (self.name, self.version) = (name, version) }

    /// `parts`: the numbers of the version, the most significant first.
    public init(_ name: String, _ parts: [UInt32]) {
        self.init(name, parts.map(String.init).joined(separator: "."))
    }
}
