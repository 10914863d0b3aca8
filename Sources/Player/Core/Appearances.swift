import Base
import Feeds
import Layout

/// Appearance of the wall on the screen, now and in a moment. The screen is woken if it differs from the last scene's.
struct Appearances {
    private var feeds: [FeedAppearance] = []
    private var posters: [TilePoster.Kind] = []
    private var audioState = AudioState()
    private var focus: TileID?

    struct Change {
        /// True if the screen shows something else.
        var isSeen = false
        /// True if other tiles may be heard.
        /// A mute wakes the sound in `PlayerCore.updateAndWakeAll`, as every command does.
        var isHeard = false
    }

    /// Returns how the player has changed since the last call.
    mutating func update(_ player: PlayerCore) -> Change {
        var change = Change()
        let (clocks, count) = (player.clocks, player.feeds.count)
        if feeds.count > count { feeds.removeLast(feeds.count - count) }
        let running = clocks.ids.filter { clocks[$0].phase == .going && clocks[$0].clock.motion == .running }
        let table = player.feeds
        for (place, id) in table.ids.enumerated() {
            let next = FeedAppearance(id, in: table, isRunning: running.contains(table[id].group))
            if place == feeds.count {
                feeds.append(next)
                change.isSeen = true
            } else if feeds[place] != next {
                if feeds[place].hasSeat != next.hasSeat { change.isHeard = true }
                feeds[place] = next
                change.isSeen = true
            }
        }
        let kinds = player.tiles.order.map { player.tiles[$0].poster.kind }
        if posters != kinds { (posters, change.isSeen) = (kinds, true) }
        if audioState != player.audioState { (audioState, change.isSeen) = (player.audioState, true) }
        if focus != player.tiles.focus { (focus, change.isHeard) = (player.tiles.focus, true) }
        return change
    }
}

/// Appearance of a feed on the screen, now and in a moment.
struct FeedAppearance: Equatable {
    let hasSeat: Bool
    fileprivate let phase: Feed.Phase
    fileprivate let trouble: SourceTrouble?
    /// Item and state of the front, for a card.
    fileprivate let item: ItemPlace?
    fileprivate let isOpening: Bool
    /// Slot of the frames to show.
    fileprivate let slot: Int?
    fileprivate let start: Time?
    /// Number of decoded frames from the due frame on. While the clock runs the number is at most 2, since the screen
    /// needs only the frame after the due one: it sleeps until then.
    fileprivate let waiting: Int
    fileprivate let isNextReady: Bool
    fileprivate let nextStart: Time?
    /// Serial number of the first frame of a still image, which may be decoded again.
    fileprivate let still: Int?
    fileprivate let preview: Int?
    fileprivate let phaseOfComparison: Time
    fileprivate let frozenTiles: Int
}

extension FeedAppearance {
    /// Reads single fields of the feed and of its slots: a copy of either costs more than the whole comparison.
    fileprivate init(_ id: FeedID, in feeds: Table<FeedID, Feed>, isRunning: Bool) {
        let slots = feeds[id].reel.slots.slots, hasFront = !slots.isEmpty, hasNext = slots.count > 1
        let waiting = hasFront ? slots[0].waiting : 0
        (hasSeat, phase, trouble) = (feeds[id].hasSeat, feeds[id].phase, feeds[id].trouble.latest)
        item = hasFront ? slots[0].run.place : nil
        isOpening = hasFront ? slots[0].isUnopened : true
        slot = waiting > 0 ? slots[0].id : nil
        start = hasFront ? slots[0].start : nil
        self.waiting = isRunning ? min(waiting, 2) : waiting
        isNextReady = hasNext && (!slots[1].frames.isEmpty || slots[1].isWhole)
        nextStart = hasNext ? slots[1].start : nil
        still = hasFront && slots[0].isStill ? slots[0].frames.first?.serial : nil
        preview = feeds[id].preview.frame?.serial
        phaseOfComparison = feeds[id].compared.phase
        frozenTiles = feeds[id].liveness.frozenTiles.count
    }
}
