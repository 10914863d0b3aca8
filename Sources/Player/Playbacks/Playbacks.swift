import Base
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
}
