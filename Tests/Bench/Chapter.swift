/// One part of the report, with the name that selects it.
struct Chapter: Sendable {
    let name: String
    let title: String
    let run: @Sendable (Hall) throws -> [Table]
}

/// Reason why a chapter, or a part of it, could not be run here.
struct Skipped: Error, CustomStringConvertible {
    let description: String
}
