import Base
import Decoded
import Feeds
import Layout

// Restores agreement after a clock or a feed has changed: which clock a feed follows, when its frames are due, and how
// its group iterates.
extension Transport {
    /// Moves a feed between the clock of live feeds and its group's clock, when its front is of the other kind.
    func settleClock(of feed: Feed, at now: Time) {
        guard feed.isLive != feed.frontIsLive else { return }
        let before = context(of: feed, at: now).position
        feed.reel.changeClock()
        let groupTime = context(of: feed, at: now).position
        feed.move(by: groupTime - before, to: groupTime)
    }

    /// Tries at once what has failed on a feed.
    func tryAgain(_ feed: Feed, at now: Time) {
        feed.tryAgain(context(of: feed, at: now), silentFor: Self.silence)
    }

    /// Time without a frame after which a live source is connected again if the user asks for it.
    private static let silence = Time.seconds(2)

    /// While a clock is paused, decodes the due frame of its feeds if that frame was left out, or if decoding is far
    /// behind, as on a wall that was overloaded. All tiles of the group then show the same instant. Returns true if a feed
    /// decodes again.
    func settlePaused(at now: Time) -> Bool {
        var decodesAgain = false
        for feed in feeds where feed.hasSeat && !feed.isLive {
            let playback = context(of: feed, at: now)
            guard !playback.isRunning, playback.group.phase == .going, feed.isUnsettled(playback) else { continue }
            feed.decodeDue(playback)
            decodesAgain = true
        }
        return decodesAgain
    }

    /// Gives each group the least tolerance of its feeds.
    func settleDueTolerances() {
        var least: [GroupID: Time] = [:]
        feeds.forEach { feed in
            guard let tolerance = feed.slots.dueTolerance else { return }
            least[feed.group] = min(least[feed.group] ?? tolerance, tolerance)
        }
        for group in clocks.ids where clocks[group].dueTolerance != least[group] ?? .zero {
            clocks[group].dueTolerance = least[group] ?? .zero
        }
    }

    /// Sets how a group iterates, from its next iteration on. If tiles iterated separately, the next iteration is the
    /// first that begins together: the current iteration of each tile becomes the group's. Tiles that end that
    /// iteration earlier wait for the others.
    func setIterations(of group: GroupID, _ loop: GroupLoop, _ until: Until) {
        let wasTogether = clocks[group].isTogether
        clocks[group].iterations.set(loop, until)
        guard !wasTogether, loop == .together, clocks[group].hasStarted else { return }
        let members = feeds.filter { $0.group == group }
        let iteration = max(clocks[group].iterations.number, members.map(\.anchor.iteration).max() ?? 0)
        let begun = members.map { $0.anchor.origin + $0.anchor.offset }.min() ?? .zero
        clocks[group].iterations.enter(iteration, begunAt: begun)
        for feed in feeds where feed.group == group { feed.join(iteration: iteration) }
    }

    /// Removes the clock of a tile alone once no feed follows it.
    func removeUnusedClocks() {
        for group in clocks.ids where clocks[group].isAlone && !feeds.contains(where: { $0.group == group }) {
            clocks.remove(group)
        }
    }

    /// Returns the groups whose clocks wait for a frame. Before a clock starts, the frame must be on the screen.
    func groupsThatLackFrames(at now: Time) -> Set<GroupID> {
        var lacking: Set<GroupID> = []
        for feed in feeds where feed.hasSeat {
            let group = clocks[feed.group]
            guard group.isWaiting, !lacking.contains(feed.group), !feed.mayBeLive else { continue }
            // A source that is in trouble holds up no other tile.
            if group.hasStarted, feed.trouble.latest != nil { continue }
            let groupTime = context(of: feed, at: now).dueTime
            let isThere =
                if let (slot, index) = feed.dueFrame(at: groupTime) {
                    group.hasStarted ? feed.holdsFrame(at: groupTime) : slot.frames[index].isPresented
                } else {
                    // Nothing is left that could be shown.
                    feed.phase != .playing
                        || feed.slots.first.map { $0.isWhole && ($0.start == nil || $0.framesLeft == 0) } ?? false
                }
            if !isThere { lacking.insert(feed.group) }
        }
        return lacking
    }

    func phase(of feed: Feed, beside reference: Feed, at now: Time) -> Time {
        guard feed.group == reference.group, !feed.isLive, !reference.isLive else { return .zero }
        let groupTime = clocks[feed.group].dueTime(at: now)
        guard let grid = feed.reel.frameGrid(at: groupTime), let other = reference.reel.frameGrid(at: groupTime),
            let phase = grid.phase(beside: other, at: groupTime)
        else { return .zero }
        // Frames that start within the tolerance of each other are due together without a phase.
        return phase.magnitude <= clocks[feed.group].dueTolerance ? .zero : phase
    }

    // MARK: leases

    /// Returns true while the slot of a lease exists.
    func isWanted(_ lease: Lease) -> Bool {
        feeds[lease.feed].slot(of: lease)?.pipeline == lease.pipeline
    }

    /// Wall time that is left until the feed has nothing to show.
    func urgency(_ feed: Feed, at now: Time) -> Time {
        let clock = group(of: feed).clock
        return feed.slots.buffered(after: clock.position(at: now)).lasting(at: clock.rate)
    }

    /// Returns the wall time at which a slot runs out of decoded frames. The focused tile counts as due a little
    /// earlier, so that it is the last to lack a frame. nil while the clock is paused.
    func deadline(of lease: Lease, focused: FeedID?, at now: Time) -> Time? {
        let feed = feeds[lease.feed]
        guard lease.purpose == .play, let slot = feed.slot(of: lease), let start = slot.start else { return now }
        let playback = context(of: feed, at: now)
        if playback.group.hasStarted, !playback.isRunning { return nil }
        let left = (start + slot.decodedTo - playback.dueTime).lasting(at: playback.rate)
        // At the start all tiles need their first frames soon.
        let comesFirst = playback.group.hasStarted && focused == lease.feed
        return now + left - (comesFirst ? Depth.focusFirst : .zero)
    }
}
