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

    static let options: [Option<RunOptions>] = [
        Option(flag: "paused", "begin paused", sets: \.motion, to: .paused),
        Option("for", .time("SECONDS"), "end after this many seconds", into: \.length),
        Option(flag: "wait", "keep trying when nothing can be played", sets: \.waitsForSources, to: true),
        Option(flag: "watch", "reload the layout's file when it is saved", sets: \.watchesLayout, to: true),
        Option(flag: "idle", "begin empty, and wait for commands", sets: \.isIdle, to: true),
    ]

    func check(_ content: WallContent) throws(UsageMistake) {
        if watchesLayout {
            guard case .layout(let path) = content, path != "-" else {
                throw UsageMistake("--watch needs a layout's file")
            }
        }
    }
}
