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
            instants.append(reel.liveOpening.flatMap { $0 > context.dueTime ? context.wallTime(of: $0) : nil })
            instants.append(reel.passingTime(context).flatMap { $0 > context.now ? $0 : nil })
            if !isLive { instants.append(slots.endOfSilence(context)) }
            if hasSeat { instants.append(reel.nextOpening(context)) }
            instants += reel.planTimes(context, hasSeat: hasSeat)
        case .ended, .hopeless: break
        }
        return instants.lazy.compactMap { $0 }.min()
    }
}
