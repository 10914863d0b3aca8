import Base

/// A finding on a layout as a whole: its lines of text and its value in JSON.
public struct CheckFinding: Sendable {
    /// Field of the JSON that has the finding; nil for findings that are in other fields.
    public let kind: Kind?
    /// Subject of the finding, a line of its own.
    public let title: String
    public let lines: [String]
    public let isFault: Bool
    public let json: PropertyValue

    /// Fields of the JSON, in their order.
    public enum Kind: String, CaseIterable, Sendable {
        /// Keys that have no effect in their place.
        case ineffective
        case input, lyrics
        case withoutWords = "without-words", sharedPorts = "shared-ports"
        case bed, breaks
        case farKeys = "far-keys", breakFades = "break-fades"
    }

    public init(
        _ kind: Kind? = nil, title: String, lines: [String], isFault: Bool = true, json: PropertyValue = .null
    ) { (self.kind, self.title, self.lines, self.isFault, self.json) = (kind, title, lines, isFault, json) }

    /// Returns the fields of all findings. There is at most one on the input and one on the bed.
    public static func fields(of findings: [CheckFinding]) -> [PropertyField] {
        Kind.allCases.map { kind in
            let values = findings.filter { $0.kind == kind }.map(\.json)
            let isSingle = kind == .input || kind == .bed
            return PropertyField(kind.rawValue, isSingle ? values.first ?? .null : .list(values))
        }
    }
}
