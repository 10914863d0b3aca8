import Console
import Layout

/// Settings of the encoder that `render` writes with. A value is nil if the option was not given.
struct EncoderOptions {
    private(set) var constantQuality: Int?
    private(set) var preset: String?

    static let specs = [
        OptionSpec(name: "crf", value: "N", help: "the encoder's constant quality; less is better and larger"),
        OptionSpec(name: "preset", value: "NAME", help: "the encoder's: medium, veryfast, …"),
    ]

    mutating func take(_ name: String, _ value: String) throws(UsageMistake) -> Taking {
        switch name {
        case "crf": constantQuality = try Values.whole(value, 0...63, "--crf")
        case "preset": preset = value
        default: return .another
        }
        return .taken
    }
}
