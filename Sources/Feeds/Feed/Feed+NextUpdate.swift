import Base
import Scene

// When a feed must be updated although nothing happens.
extension Feed {
    /// Returns the wall time of the feed's next update; nil if only an event makes something due.
    public func nextUpdate(_ context: PlaybackContext) -> Time? {
        var instants: [Time?] = []
        if let fadeOut = seam.fadeOut, fadeOut.end > context.dueTime {
            instants.append(context.wallTime(of: fadeOut.end))
        }
        if context.isRunning { instants.append(screen.standsUntil.map { max($0, context.now) }) }
        switch phase {
        case .barren(let until): instants.append(until)
        case .playing:
            instants.append(reel.endOfLiveRun.flatMap { $0 > context.dueTime ? context.wallTime(of: $0) : nil })
            if !isLive { instants.append(slots.endOfSilence(context)) }
            if hasSeat { instants.append(reel.nextOpening(context)) }
            instants += looks(context)
        case .ended, .hopeless: break
        }
        return instants.lazy.compactMap { $0 }.min()
    }

    /// Wall times at which the next runs are planned, and at which runs are over.
    private func looks(_ context: PlaybackContext) -> [Time?] {
        let ends = hasSeat ? [slots.first?.end, slots.last?.end] : [slots.first?.end]
        return ends.map { end in
            guard let end else { return nil }
            let early = end - (slots.count == 1 || !hasSeat ? FeedSources.prepareAhead : reel.depth)
            return [early, end].first { $0 > context.dueTime }.flatMap { context.wallTime(of: $0) }
        }
    }
}
