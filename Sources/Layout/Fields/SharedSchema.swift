import Base

/// Schemas of values that several fields have.
enum SharedSchema: String, CaseIterable {
    case color, time, timeLimit, signedTime, source, rate

    var schema: JSONSchema {
        switch self {
        case .color: .text(pattern: "^#[0-9a-fA-F]{6}$")
        case .time:
            .described(
                #"A time: seconds as a number, or "83.5", "1:23.5" or "1:02:03"."#,
                .any(.number(0...Self.longestTime), .text(pattern: "^\(Self.timePattern)$")))
        case .timeLimit:
            .described(
                "A length of time, or false for never.",
                .any(
                    .only(.flag(false)),
                    .number(TimeLimit.shortest.seconds...TimeLimit.longest.seconds),
                    .text(pattern: "^\(Self.timePattern)$")))
        case .signedTime:
            .described(
                "A time, as a number of seconds or as text. It may be negative.",
                .any(.number(-Self.longestTime...Self.longestTime), .text(pattern: "^-?\(Self.timePattern)$")))
        case .source:
            .described(
                "A file, a folder, or a URL of \(alternatives(SourceName.schemes)).",
                JSONSchema.text.with(["pattern": .text(Self.sourcePattern)]))
        case .rate:
            .described(
                "Playback speed; 1 is the source's own speed.",
                JSONSchema.number(0.25...4).with(["default": .integer(1)]))
        }
    }

    private static let longestTime = Time.longestWritten.seconds
    private static let timePattern = #"(\d+|\d+:[0-5]?\d|\d+:[0-5]?\d:[0-5]?\d)(\.\d+)?"#

    /// No URL, or one that is supported. A sound server's has no "?".
    private static let sourcePattern: String = {
        let schemes = SourceName.schemes.filter { $0 != "pulse" }.joined(separator: "|")
        return #"^((?![A-Za-z][A-Za-z0-9+.-]*://)|("# + schemes + #")://|pulse://(?!.*\?))[^\u0000]*$"#
    }()
}

extension JSONSchema {
    fileprivate static func described(_ help: String, _ schema: JSONSchema) -> JSONSchema {
        JSONSchema(members: [PropertyField("description", .text(help))] + schema.members)
    }
}
