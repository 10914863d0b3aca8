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

    /// Notes trouble with a source. Returns true if it was not reported yet. While a sound without frames is heard, the
    /// trouble of another source is not shown.
    public mutating func note(_ trouble: SourceTrouble, of source: String) -> Bool {
        let isNew = self.trouble.note(trouble, of: source)
        if playsOnlySound, screen.isHeard, source != location { self.trouble.hide() }
        return isNew
    }

    /// Tries at once what has failed: sources that can't be played, a lost connection, and a live source that is
    /// connected and has sent no frame for `limit`. Leaves what plays or has ended as it is.
    public mutating func tryAgain(_ context: PlaybackContext, silentFor limit: Time, _ effects: inout Effects) {
        trouble.forgetHopeless()
        switch phase {
        case .barren, .hopeless: phase = .barren(until: context.now)
        case .ended: break
        case .playing:
            let lost = slots.indices.filter { slots[$0].reconnectsAt != nil }
            for index in lost { reel.slots[index].reconnect(at: context.now) }
            if !lost.isEmpty { return }
            let silent = liveness.newest?.now ?? screen.dueSince
            guard isLive, let silent, context.now - silent >= limit else { return }
            // An open connection would be used again.
            for slot in slots { reel.sources.outdate(slot.id) }
            dropSlots(&effects)
        }
    }
}
