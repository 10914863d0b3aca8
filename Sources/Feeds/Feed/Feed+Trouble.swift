import Base
import Layout
import Scene

// Failures of a feed's sources.
extension Feed {
    /// Wall time since which a source has been opened without an answer; nil if none is being opened.
    public var silentSince: Time? {
        slots.lazy.compactMap { slot in if case .opening = slot.loading { slot.times.asked } else { nil } }.min()
    }

    /// Trouble after which the feed plays nothing more, or nothing until it is tried again; nil if there is none.
    public var lastingTrouble: SourceTrouble? {
        switch phase {
        case .barren, .hopeless: trouble.latest
        case .ended: onError == .stop ? trouble.latest : nil
        // The place of an item is held that can't be played.
        case .playing: showsFrameOfNoItem ? trouble.latest : nil
        }
    }

    /// Tries at once what has failed: sources that can't be played, a lost connection, and a live source that is
    /// connected and has sent no frame for `limit`. Leaves what plays as it is.
    public mutating func tryAgain(_ context: PlaybackContext, silentFor limit: Time, _ effects: inout Effects) {
        trouble.forgetHopeless()
        switch phase {
        case .barren, .hopeless: phase = .barren(until: context.now)
        case .ended:
            guard lastingTrouble != nil else { return }
            let iteration = slots.first?.run.iteration ?? anchor.iteration
            dropSlots(&effects)
            beginAfterFailures(iteration, context)
        case .playing:
            for index in slots.indices where slots[index].reconnectsAt != nil {
                reel.slots[index].reconnect(at: context.now)
            }
            let silent = liveness.newest?.now ?? screen.dueSince
            if isLive, let silent, context.now - silent >= limit { dropSlots(&effects) }
        }
    }
}
