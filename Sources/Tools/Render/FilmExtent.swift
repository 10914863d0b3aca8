import Base
import Console
import Media

/// Length and frame rate of the film that `render` writes. A value is nil if the option was not given.
struct FilmExtent {
    private(set) var length: Time?
    /// Length beyond which nothing is rendered.
    private(set) var longest: Time?
    private(set) var rate: FrameRate?

    static let options: [Option<FilmExtent>] = [
        Option("for", .length, "length of the film", default: "one iteration of the longest tile", into: \.length),
        Option(
            "fps", .frameRate, "frames a second, as in 30, 23.976 or 30000/1001", default: "the films'", into: \.rate),
    ]
    static let limits: [Option<FilmExtent>] = [
        Option("max-length", .length, "fail if the film is longer", into: \.longest)
    ]

    func check() throws(UsageMistake) {
        if let length, let longest, length > longest {
            throw UsageMistake("--for is longer than --max-length allows")
        }
    }
}
