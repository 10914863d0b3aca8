import Console
import Layout

/// Settings of the encoder that `render` writes with. A value is nil if the option was not given.
struct EncoderOptions {
    private(set) var constantQuality: Int?
    private(set) var preset: String?

    static let options: [Option<EncoderOptions>] = [
        Option(
            "crf", .whole(0...63, "N"), "the encoder's constant quality; less is better and larger",
            into: \.constantQuality),
        Option("preset", .text("NAME"), "the encoder's preset: medium, veryfast, …", into: \.preset),
    ]
}
