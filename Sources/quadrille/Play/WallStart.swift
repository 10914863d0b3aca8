import Base
import Console
import Player

/// Start of a wall: the window stays empty until the first frames are complete, or for a moment. A wall that can play
/// nothing gives up.
struct WallStart {
    /// Time until which the window stays empty at most; nil once something was presented.
    private var emptyUntil: Time?
    /// True if the options ask for a wall that never gives up.
    private let keepsTrying: Bool

    enum Step { case present, wait(until: Time), giveUp }

    init(_ options: RunOptions) {
        keepsTrying = options.waitsForSources || options.isIdle
        emptyUntil = Time.now + .milliseconds(150)
    }

    mutating func step(_ outlook: OutlookReport.Outlook, _ setup: WindowSetup) -> Step {
        if outlook == .barren, givesUp(setup) { return .giveUp }
        guard let until = emptyUntil else { return .present }
        if outlook == .incomplete, Time.now < until { return .wait(until: until) }
        emptyUntil = nil
        return .present
    }

    /// Returns true if all sources are on this machine, and reports that nothing could be played.
    private func givesUp(_ setup: WindowSetup) -> Bool {
        let sources = setup.layout.playingTiles.flatMap { $0.play.flatMap { $0.segments.map(\.source) } }
        // Only the layout that the wall was started with counts, not layouts loaded later.
        guard !keepsTrying, setup.isFirstLayout, !sources.contains(where: { SourceName.path(of: $0) == nil }) else {
            return false
        }
        printLine("quadrille: nothing could be played; with --wait the program keeps trying")
        return true
    }
}
