import Base
import Layout

// Failures of a feed's sources.
extension Feed {
    /// Wall time since which a source has been opened without an answer; nil if none is being opened.
    public var silentSince: Time? {
        slots.lazy.compactMap { slot in if case .opening = slot.loading { slot.times.asked } else { nil } }.min()
    }

    /// Trouble to state on the card; nil while an item plays. Trouble of a later item is no trouble of the one that
    /// plays.
    public var presentTrouble: SourceTrouble? {
        guard let front = slots.first, !front.hasFailed, front.isSound || !front.frames.isEmpty,
            trouble.source != front.location, trouble.trouble(of: front.location) == nil
        else { return trouble.latest }
        return nil
    }

    /// Trouble after which the feed plays nothing more, or nothing until it is tried again; nil if there is none.
    public var lastingTrouble: SourceTrouble? {
        switch phase {
        case .barren, .hopeless: trouble.latest
        case .ended: onError == .stop ? trouble.latest : nil
        // The place of an item is held that can't be played.
        case .playing: showsFrameOfNoItem ? presentTrouble : nil
        }
    }

    /// Tries at once what has failed: sources that can't be played, an item after which nothing is played, a lost
    /// connection, and a live source that is connected and has sent no frame for `limit`. Leaves what plays or has ended
    /// as it is.
    public func tryAgain(_ context: PlaybackContext, silentFor limit: Time) {
        trouble.forgetHopeless()
        switch phase {
        case .barren, .hopeless: phase = .barren(until: context.now)
        case .ended:
            guard let front = slots.first, front.hasFailed else { return }
            reel.course.timeline.forgetFailures()
            reel.sources.probed = []
            // Tiles whose iterations begin together keep to the clock.
            if context.group.isTogether { decodeAgain(context) } else { go(to: front.run, at: context.position) }
        case .playing:
            let lost = slots.indices.filter { slots[$0].reconnectsAt != nil }
            for index in lost { reel.slots[index].reconnect(at: context.now) }
            if !lost.isEmpty { return }
            let silent = liveness.newest?.now ?? screen.dueSince
            guard isLive, let silent, context.now - silent >= limit else { return }
            // An open connection would be used again.
            for slot in slots { reel.sources.outdate(slot.id) }
            dropSlots()
        }
    }

    // MARK: live sources

    /// True if the present source is live, connected or not.
    public var isAtLiveSource: Bool {
        isLive || (location ?? timeline.items.first?.segments.first.source).map { sources.isKnownLive($0) } ?? false
    }

    /// True if all of its sources are live, as far as is known.
    public var playsOnlyLive: Bool {
        !timeline.items.isEmpty && course.locations.allSatisfy { sources.isKnownLive($0) }
    }

    /// Place of the item that the feed plays from a live source, which is connected and plays until it ends; nil if it
    /// plays another one.
    public var connectedLiveItem: ItemPlace? {
        guard isLive, phase == .playing, let front = slots.first, front.length == nil,
            slots.allSatisfy({ !$0.isReconnecting })
        else { return nil }
        return front.run.place
    }
}
