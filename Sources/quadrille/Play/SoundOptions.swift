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

    static let options: [Option<SoundOptions>] = [
        Option(flag: "no-audio", "open no sound server", sets: \.isOpened, to: false),
        Option(
            "audio-delay", .whole(-1000...1000, "MS"), "delay of sound; a negative one delays video", default: "0",
            into: \.delay),
    ]

    /// Applies the options to a layout. Without a delay in either, the calibrated one holds.
    func apply(to layout: inout Layout) {
        if let delay { (layout.audio.delayMilliseconds, layout.audio.statesDelay) = (delay, true) }
        if !layout.audio.statesDelay, isOpened, let late = KeptCalibration.known.screen?.late {
            layout.audio.delayMilliseconds = min(1000, max(-1000, Int((late.seconds * 1000).rounded())))
        }
    }
}
