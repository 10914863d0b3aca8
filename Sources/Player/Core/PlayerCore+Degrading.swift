import Base
import Layout
import Scene

// Degrading: decoders leave out details that small tiles can't show, and more where the wall can't keep up.
extension PlayerCore {
    private static var lookAgain: Time { .milliseconds(250) }

    /// True if a wall that can't keep up may degrade. A clock that waits has no need to.
    var mayDegrade: Bool { layout.quality == .auto && degrading.isAllowed }

    /// Checks the decoded frames of every feed, and takes the degrading a step up or down.
    /// Returns the wall time of the next check; nil while the wall keeps up.
    @discardableResult
    mutating func settleDegrading(at now: Time) -> Time? {
        guard mayDegrade else { return nil }
        let decoding = DecodeSupply(snapshot: snapshot(at: now))
        let playing = feeds.ids.filter { decoding.isRunning(playbacks.feeds[$0]) }
        let focused = focusedFeed
        let others: Degrading.Others = playing.contains { $0 != focused } ? .some : .none
        degrading.look(decoding.supply(of: playing), others: others, at: now)
        for feed in feeds.ids where !playbacks.feeds[feed].tiles.isEmpty {
            let step =
                playbacks.feeds[feed].compared.watchers.isEmpty
                ? degrading.step(of: feed == focused ? .focused : .other, others: others) : .nothing
            guard playbacks.feeds[feed].reel.decoding.setStep(step) else { continue }
            emit(of: feed, at: now) { .degrade(tile: $0, step: step) }
        }
        return degrading.isAtRest ? nil : now + Self.lookAgain
    }
}
