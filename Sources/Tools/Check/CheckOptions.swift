import Base
import Console

/// The command line of `check`.
public struct CheckOptions {
    enum Form { case text, json }

    var content = WallContent.media([])
    var form = Form.text
    /// Number of pipelines; nil if the layout's number is meant.
    var pipelines: Int?
    /// Trace that a run wrote with --trace; nil if there is none.
    var trace: String?
    enum Timing { case measured, left }

    /// Whether it is measured if this machine decodes the films in time.
    var timing = Timing.measured
    /// Size of the window for which decoding is measured; nil for the layout's.
    var size: Size?
    /// Options with which the layout would be played.
    var wall = WallOptions()

    public static let options = Option<CheckOptions>.table(
        [
            Option(flag: "json", "print JSON on standard output", sets: \.form, to: .json),
            Option(
                "pipelines", .whole(1...64, "N"), "number of decoders", default: "the layout's", into: \.pipelines),
            Option(
                "trace", .file("FILE"), "list the seams that play --trace FILE measured, beside the promised",
                into: \.trace),
            Option(
                "size", .size, "of the window for which decoding is measured", default: "the layout's", into: \.size),
            Option(
                flag: "no-timing", "do not measure if this machine decodes the films in time", sets: \.timing,
                to: .left),
        ],
        [
            WallOptions.together.described("check as for play --together"),
            WallOptions.noLoop.described("check as for play --no-loop"),
        ].lifted(into: \.wall),
        [.help])

    public init(_ arguments: [String]) throws(UsageMistake) {
        let operands = try Self.options.read(arguments, into: &self)
        content = try WallContent(operands)
        try wall.check(content)
    }
}
