/// One part of the report, by the name with which it is asked for.
struct Chapter: Sendable {
    let name: String
    let title: String
    let run: @Sendable (Hall) throws -> [Table]
}

/// Why a chapter, or a part of it, could not be run here.
struct Skipped: Error, CustomStringConvertible {
    let description: String
}
