import Base
import Console
import Layout
import Scene

/// How a wall begins, for how long it plays, and whether it waits for sources.
struct RunOptions {
    private(set) var motion = Clock.Motion.running
    /// nil if the wall plays until it is told to end.
    private(set) var length: Time?
    private(set) var waitsForSources = false
    /// True if the layout's file is watched.
    private(set) var watchesLayout = false
    /// True if an empty wall waits for a layout.
    private(set) var isIdle = false

    static let specs = [
        OptionSpec(name: "paused", value: nil, help: "begin paused"),
        OptionSpec(name: "for", value: "SECONDS", help: "end after this many seconds"),
        OptionSpec(name: "wait", value: nil, help: "keep trying when nothing can be played"),
        OptionSpec(name: "watch", value: nil, help: "reload the layout's file when it is saved"),
        OptionSpec(name: "idle", value: nil, help: "begin empty, and wait for commands"),
    ]

    mutating func take(_ name: String, _ value: String) throws(UsageMistake) -> Taking {
        switch name {
        case "paused": motion = .standing
        case "for": length = try Values.time(value, "--for")
        case "wait": waitsForSources = true
        case "watch": watchesLayout = true
        case "idle": isIdle = true
        default: return .another
        }
        return .taken
    }

    func check(_ content: WallContent) throws(UsageMistake) {
        if watchesLayout {
            guard case .layout(let path) = content, path != "-" else {
                throw UsageMistake("--watch needs a layout's file")
            }
        }
    }
}
