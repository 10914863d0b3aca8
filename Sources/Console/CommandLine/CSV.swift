extension String {
    /// The string as a field of a CSV file, in quotes if it contains a separator.
    public var csvField: String {
        guard contains(where: { ",\"\r\n".contains($0) }) else { return self }
        return "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
