import Base
import Console
import Layout

/// The sound server of a wall, and the delay of its sound.
struct SoundOptions {
    /// False if the wall opens no sound server.
    private(set) var isOpened = true
    /// In milliseconds; nil if the layout states the delay.
    private(set) var delay: Int?

    /// No sound server is opened.
    static var none: SoundOptions {
        var options = SoundOptions()
        options.isOpened = false
        return options
    }

    init(delay: Int? = nil) { self.delay = delay }

    static let specs = [
        OptionSpec(name: "no-audio", value: nil, help: "open no sound server"),
        OptionSpec(name: "audio-delay", value: "MS", help: "delay of sound; a negative one delays video (0)"),
    ]

    mutating func take(_ name: String, _ value: String) throws(UsageMistake) -> Taking {
        switch name {
        case "no-audio": isOpened = false
        case "audio-delay": delay = try Values.whole(value, -1000...1000, "--audio-delay")
        default: return .another
        }
        return .taken
    }

    /// Applies the options to a layout. Without a delay in either, the calibrated one holds.
    func apply(to layout: inout Layout) {
        if let delay { (layout.audio.delayMilliseconds, layout.audio.statesDelay) = (delay, true) }
        if !layout.audio.statesDelay, isOpened, let late = KeptCalibration.known.screen?.late {
            layout.audio.delayMilliseconds = min(1000, max(-1000, Int((late.seconds * 1000).rounded())))
        }
    }
}
