import Base
import Console
import Media

/// Length and frame rate of the film that `render` writes. A value is nil if the option was not given.
struct FilmExtent {
    private(set) var length: Time?
    /// Length beyond which nothing is rendered.
    private(set) var longest: Time?
    private(set) var rate: FrameRate?

    mutating func take(_ name: String, _ value: String) throws(UsageMistake) -> Taking {
        switch name {
        case "for": length = try Values.positiveTime(value, "--for")
        case "max-length": longest = try Values.positiveTime(value, "--max-length")
        case "fps": rate = try Values.frameRate(value)
        default: return .another
        }
        return .taken
    }

    func check() throws(UsageMistake) {
        if let length, let longest, length > longest {
            throw UsageMistake("--for is longer than --max-length allows")
        }
    }
}
