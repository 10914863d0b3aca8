import Base
import Feeds
import Scene

/// The feeds of a wall and the clocks that they follow: moves through time, and iterations.
struct Playbacks: PlaybackParts {
    var clocks = Clocks()
    var feeds = Table<FeedID, Feed>(missing: .missing)
    /// Delay between the start of a clock and the first moving frame, for a negative `audio.delay`. The sound is as far
    /// ahead of the clock, so it begins at once, and neither loses its beginning.
    var frameHold = Time.zero
    /// Sources that feeds have released, and what else is to be done for them.
    var effects = Effects()

    /// Longest wait of a clock for the frames at which it starts, and to which it was moved.
    static var longestStartWait: Time { .milliseconds(500) }
    static var longestSeekWait: Time { .milliseconds(250) }
}

/// Feeds and their clocks, to read.
protocol PlaybackParts {
    var clocks: Clocks { get }
    var feeds: Table<FeedID, Feed> { get }
    var frameHold: Time { get }
}

extension PlaybackParts {
    func context(of feed: FeedID, at now: Time) -> PlaybackContext {
        PlaybackContext(group(of: feed), at: now, hold: frameHold, phase: feeds[feed].compared.phase)
    }

    /// Returns the feed's group, with the clock that the feed follows.
    func group(of feed: FeedID) -> Group {
        feeds[feed].liveness.edge == nil ? clocks[feeds[feed].group] : clocks[feeds[feed].group].ofLiveFeeds
    }

    /// The same, without a copy of a feed that the caller has.
    func group(of feed: Feed) -> Group { feed.isLive ? clocks[feed.group].ofLiveFeeds : clocks[feed.group] }

    /// Returns the feeds of a group that have a place in time.
    func members(of group: GroupID) -> [FeedID] {
        feeds.ids.filter { feeds[$0].group == group && !feeds[$0].isLive }
    }

    /// Returns a feed's part of the memory for decoded frames, in bytes. `mebibytes`: all of that memory.
    func share(ofMemory mebibytes: Int) -> Int { mebibytes << 20 / max(1, feeds.count { $0.hasSeat }) }

    func isLiveClockRunning(_ feed: Feed) -> Bool { clocks[feed.group].liveClock.motion == .running }

    /// Returns the time since the newest frame of a live feed was presented, without the time in which its clock was
    /// paused. If none was presented, returns the time since one is due. nil if none is missing.
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
