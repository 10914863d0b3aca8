import Base
import Layout
import Scene

// Runs of a feed that are heard.
extension Feed {
    /// The sound of an item without frames is heard, or can't be.
    public mutating func noteSound(_ sound: FeedScreen.Sound, of source: String, restsSince: Time?, at now: Time) {
        if sound == .heard, trouble.wasReported(of: source) { trouble.noteFrame(of: source) }
        screen.noteSound(sound, restsSince: restsSince, at: now)
    }

    /// Keeps slots that are over, since their sound is heard up to `lag` after its instant.
    mutating func keepSound(of slots: [Slot], lag: Time, _ context: PlaybackContext) {
        let kept = context.dueTime - (lag + .milliseconds(100)).played(at: context.rate)
        seam.keepSound(
            of: slots.compactMap { sources.heardRun($0, of: timeline) }, since: kept, groupTime: context.dueTime)
    }

    /// Runs with a known beginning. Runs that failed are silent.
    public var heardRuns: [HeardRun] {
        let runs = slots.compactMap { sources.heardRun($0, of: timeline) }
        let begin = runs.first?.start ?? .distantFuture
        return seam.heard.filter { $0.start < begin } + runs
    }
}
