import Base
import Scene

// When a feed must be updated although nothing happens.
extension Feed {
    /// Returns the wall time of the feed's next update; nil if only an event makes something due.
    func nextUpdate(_ context: PlaybackContext) -> Time? {
        var instants: [Time?] = []
        if let fadeOut = seam.fadeOut, fadeOut.end > context.dueTime {
            instants.append(context.wallTime(of: fadeOut.end))
        }
        if context.isRunning { instants.append(screen.standsUntil.map { max($0, context.now) }) }
        switch phase {
        case .barren(let until): instants.append(until)
        case .playing:
            instants += [endOfLiveRun(context), endOfSilence(context), nextOpening(context)] + looks(context)
        case .ended, .hopeless: break
        }
        return instants.lazy.compactMap { $0 }.min()
    }

    /// Wall time at which the duration of a live run is over.
    private func endOfLiveRun(_ context: PlaybackContext) -> Time? {
        guard isLive, let front = slots.first, isLive(front.run), !front.isWhole, front.length != nil,
            let end = front.end, end > context.dueTime
        else { return nil }
        return context.wallTime(of: end)
    }

    /// Wall time at which a source that does not answer is skipped, or its place is over (`skipSilent`).
    private func endOfSilence(_ context: PlaybackContext) -> Time? {
        if isLive { return nil }
        return slots.lazy.compactMap { slot -> Time? in
            guard slot.isUnopened, !slot.isSkipped, slot.reconnectsAt == nil, let asked = slot.times.asked else {
                return nil
            }
            let ready = asked + OpenRequests.slowAfter
            if context.now < ready { return ready }
            guard let length = slot.length, length > .zero, let start = slot.start else { return nil }
            return start + length > context.dueTime ? context.wallTime(of: start + length) : nil
        }.min()
    }

    /// Wall time at which a source is connected again, or an image is fetched.
    private func nextOpening(_ context: PlaybackContext) -> Time? {
        guard hasSeat else { return nil }
        return slots.indices.lazy.compactMap { index -> Time? in
            guard case .planned = slots[index].loading, !inherits(index) else { return nil }
            if let instant = slots[index].reconnectsAt { return instant > context.now ? instant : nil }
            guard !isToBeFetched(slot: index, context), let due = fetchTime(ofSlot: index, context) else { return nil }
            return context.wallTime(of: due)
        }.min()
    }

    /// Wall times at which the next runs are planned, and at which runs are over.
    private func looks(_ context: PlaybackContext) -> [Time?] {
        let ends = hasSeat ? [slots.first?.end, slots.last?.end] : [slots.first?.end]
        return ends.map { end in
            guard let end else { return nil }
            let early = end - (slots.count == 1 || !hasSeat ? Self.prepareAhead : depth)
            return [early, end].first { $0 > context.dueTime }.flatMap { context.wallTime(of: $0) }
        }
    }
}
