extension String {
    /// As a field of a CSV file: in quotes where it holds what ends fields.
    var csvField: String {
        guard contains(where: { ",\"\r\n".contains($0) }) else { return self }
        return "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
