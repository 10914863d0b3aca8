import Base
import Feeds
import Layout

/// The feeds of a wall and the clocks that they follow.
///
/// Its functions move groups through time, and read only feeds and clocks. `Playout` brings the frames to the tiles.
final class Transport {
    var clocks = Clocks()
    var feeds = Table<FeedID, Feed>(missing: .missing)
    /// Delay between the start of a clock and the first moving frame, for a negative `audio.delay`. The sound is ahead
    /// of the clock by this delay and begins at once, so neither sound nor video loses its beginning.
    private(set) var startDelay = Time.zero
    /// Delay of the sound after its instant on the clock, for a positive `audio.delay`. Sound of runs that are over is
    /// delayed too.
    private(set) var soundLag = Time.zero
    /// Wall time at which the wall began; nil until then. No clock starts earlier.
    private(set) var beganAt: Time?
    /// Wall time since which the clocks are paused because the wall is hidden; nil while they are not.
    private(set) var restsSince: Time?
    /// Number of items of its sequence that have come to their end on each tile.
    var itemEnds: [TileID: Int] = [:]
    /// Work for the shell, which feeds leave here too.
    let outbox = Outbox()

    /// Longest waits of a clock for frames: when it starts, and after a seek.
    static var longestStartWait: Time { .milliseconds(500) }
    static var longestSeekWait: Time { .milliseconds(250) }
    /// Longest wait of a clock for frames after a step. Only a film that can't be decoded in this time is shown later
    /// than the others.
    static var longestStepWait: Time { .seconds(5) }
    /// Time after the start in which previews of feeds without a seat come before frames of feeds with one.
    static var previewHeadStart: Time { .milliseconds(300) }

    /// Takes a delay of the sound if positive, of the frames if negative.
    func follow(audioDelay milliseconds: Int) {
        startDelay = .milliseconds(Int64(max(0, -milliseconds)))
        soundLag = .milliseconds(Int64(max(0, milliseconds)))
    }

    /// Starts the clocks as soon as their feeds have frames.
    func begin(at now: Time) {
        beganAt = now
        for group in clocks.ids { waitForFrames(group, atMost: Self.longestStartWait, at: now) }
    }

    /// Pauses the clocks that run, or are about to, until `resume`. Paused clocks stay as they are.
    func suspend(at now: Time) {
        restsSince = restsSince ?? now
        clocks.suspend(at: now)
    }

    func resume(at now: Time) {
        if let since = restsSince { for feed in feeds { feed.screen.noteUnseen(since: since, until: now) } }
        restsSince = nil
        clocks.resume(at: now, after: startDelay)
    }

    /// Stops a group's clock until its frames are there.
    func waitForFrames(_ group: GroupID, atMost limit: Time, at now: Time) {
        let motion = clocks[group].motionToCome
        clocks[group].wait(at: now, until: now + limit, then: motion)
    }

    // MARK: layouts

    /// Adds the new groups of a layout. The other groups take the layout's settings with their next iteration. If the
    /// layout states another rate for a group than `before` did, the group takes that rate. Otherwise the group keeps
    /// its rate, even if the user set it. `before`: nil for the first layout, whose rates the clocks start with.
    func follow(_ groups: [GroupLayout], before: [GroupLayout]?, at now: Time) {
        for stated in groups {
            if let group = clocks.id(named: stated.name) {
                setIterations(of: group, stated.loop, stated.until)
            } else {
                let group = clocks.add(Group(name: stated.name, stated.loop, stated.until))
                if restsSince != nil { clocks.suspend(group, at: now) }
            }
        }
        guard let before else { return }
        for group in groups {
            let former = before.first { $0.name == group.name }?.rate
            guard group.rate != former, let id = clocks.id(named: group.name) else { continue }
            clocks[id].setRate(.to(group.rate ?? .one), at: now)
        }
    }

    /// Sets the state in which the clocks start, as the program or the layout states it.
    func set(_ start: Clock.Start, _ groups: [GroupLayout]) {
        for group in clocks.ids {
            let stated = groups.first { $0.name == clocks[group].name }
            var own = start
            if start.position == .zero, let at = stated?.at { own.position = at }
            if start.rate == .one, let rate = stated?.rate { own.rate = rate }
            clocks[group].set(own)
        }
    }

    /// Moves a group's clock to the position that the layout sets. The clock waits there for the frames of the tiles.
    /// A group that the layout adds begins in the same way. Before the wall begins, all groups are asleep.
    func begin(_ group: GroupID, from position: Time, at now: Time) {
        guard beganAt != nil else { return }
        if clocks[group].hasStarted {
            for feed in feeds where feed.group == group { feed.reel.course.beginAnew() }
            clocks[group].beginAnew()
            seek(group, to: position, at: now)
        } else if position != .zero {
            let (rate, motion) = (clocks[group].clock.rate, clocks[group].motionToCome)
            clocks[group].set(Clock.Start(position: position, rate: rate, motion: motion))
        }
        waitForFrames(group, atMost: Self.longestStartWait, at: now)
    }

    /// Removes groups that the layout does not name and no feed follows. `names`: names of the layout's groups.
    func removeGroups(except names: Set<String>) {
        for group in clocks.ids where !clocks[group].isAlone && !names.contains(clocks[group].name) {
            // A tile that was moved alone from this group cannot return to it any more.
            if !feeds.contains(where: { $0.group == group }) { clocks.remove(group) }
        }
        removeUnusedClocks()
    }

    /// Returns the group of this name, or the main one if the layout has none.
    func namedGroup(_ name: String) -> GroupID { clocks.id(named: name) ?? clocks.main }

    /// Returns true if the output needs the frames of a feed. The clock that the feed follows must not count: it
    /// changes with the seat, which depends on this answer.
    func isOnStage(_ feed: Feed, of output: Output) -> Bool {
        output.needsFrames(of: feed.viewers, isLive: feed.frontIsLive)
    }

    func context(of feed: Feed, at now: Time) -> PlaybackContext {
        PlaybackContext(group(of: feed), at: now, startDelay: startDelay, pairShift: feed.watched.pairShift)
    }

    /// True if the frame on screen is of another instant: the due frame comes later, or was left out.
    func isOutOfStep(_ feed: Feed, at now: Time) -> Bool {
        feed.screen.lack != nil || feed.showsAnotherInstant(at: context(of: feed, at: now).dueTime)
    }

    /// Returns the feed's group, with the clock that the feed follows.
    func group(of feed: Feed) -> Group { feed.isLive ? clocks[feed.group].ofLiveFeeds : clocks[feed.group] }

    func isLiveClockRunning(_ feed: Feed) -> Bool { clocks[feed.group].liveClock.motion == .running }

    /// Returns the time since the newest frame of a live feed was presented, without the time in which its clock was
    /// paused. If no frame was presented, returns the time since a frame has been due. nil if no frame is missing.
    func age(of feed: Feed, showing source: String, at now: Time) -> Time? {
        guard let newest = feed.liveness.newest, newest.source == source else {
            return (feed.screen.dueSince ?? feed.screen.lack?.since).map { max(.zero, now - $0) }
        }
        guard newest.group == feed.group else { return now - newest.now }
        return max(.zero, clocks[feed.group].liveClock.position(at: now) - newest.live)
    }

    /// Returns the wall time since which no frame of a source was presented. The source is now reported as away.
    func absenceBegin(of source: String, _ feed: Feed, at now: Time) -> Time {
        guard let newest = feed.liveness.newest, newest.source == source,
            let age = age(of: feed, showing: source, at: now)
        else { return feed.screen.dueSince ?? now }
        return now - age
    }
}
