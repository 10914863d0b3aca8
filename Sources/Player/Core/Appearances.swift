import Base
import Feeds
import Layout

/// Appearance of the wall on the screen, now and in a moment. The screen is woken if it differs from the last scene's.
struct Appearances {
    private var feeds: [FeedAppearance] = []
    /// Whether each tile has its poster.
    private var posters: [Bool] = []
    private var audioState = AudioState()
    private var focus: TileID?

    struct Change {
        /// True if the screen shows something else.
        var isSeen = false
        /// True if other tiles may be heard.
        /// A mute wakes the sound in `PlayerCore.commit`, as every command does.
        var isHeard = false
    }

    /// Returns how the player has changed since the last call.
    mutating func update(
        _ clocks: Clocks, _ played: Table<FeedID, Feed>, _ tiles: Tiles, _ audioState: AudioState
    ) -> Change {
        var change = Change()
        if feeds.count > played.count { feeds.removeLast(feeds.count - played.count) }
        let running = clocks.ids.filter { clocks[$0].phase == .going && clocks[$0].clock.motion == .running }
        for (place, feed) in played.enumerated() {
            let next = FeedAppearance(feed, isRunning: running.contains(feed.group))
            if place == feeds.count {
                feeds.append(next)
                change.isSeen = true
            } else if feeds[place] != next {
                if feeds[place].hasSeat != next.hasSeat { change.isHeard = true }
                feeds[place] = next
                change.isSeen = true
            }
        }
        let posters = tiles.order.map { tiles[$0].poster.image != nil }
        if posters != self.posters { (self.posters, change.isSeen) = (posters, true) }
        if audioState != self.audioState { (self.audioState, change.isSeen) = (audioState, true) }
        if tiles.focus != focus { (focus, change.isHeard) = (tiles.focus, true) }
        return change
    }
}

/// Appearance of a feed on the screen, now and in a moment.
private struct FeedAppearance: Equatable {
    let hasSeat: Bool
    let phase: Feed.Phase
    let trouble: SourceTrouble?
    /// nil without a slot.
    let front: Front?
    let isNextReady: Bool
    let nextStart: Time?
    let preview: Int?
    /// Offset with which the frames are paired with another feed's.
    let pairPhase: Time
    let frozenTiles: Int

    struct Front: Equatable {
        /// Item and state, for a card.
        let item: ItemPlace
        let isOpening: Bool
        /// Identity of the slot; nil if it has no frames to show.
        let id: Int?
        let start: Time?
        /// Number of decoded frames from the due frame on. While the clock runs the number is at most 2, since the
        /// screen needs only the frame after the due one: it sleeps until then.
        let waiting: Int
        /// Serial number of the first frame of a still image, which may be decoded again.
        let still: Int?

        init(_ slot: Slot, isRunning: Bool) {
            (item, isOpening, start) = (slot.run.place, slot.isUnopened, slot.start)
            id = slot.framesLeft > 0 ? slot.id : nil
            waiting = isRunning ? min(slot.framesLeft, 2) : slot.framesLeft
            still = slot.isStill ? slot.frames.first?.serial : nil
        }
    }

    /// Reads the slots without their queue: a copy of it costs more than to compare the appearances.
    init(_ feed: Feed, isRunning: Bool) {
        let slots = feed.reel.slots.slots
        (hasSeat, phase, trouble) = (feed.hasSeat, feed.phase, feed.trouble.latest)
        front = slots.isEmpty ? nil : Front(slots[0], isRunning: isRunning)
        isNextReady = slots.count > 1 && (!slots[1].frames.isEmpty || slots[1].isWhole)
        nextStart = slots.count > 1 ? slots[1].start : nil
        preview = feed.preview.frame?.serial
        pairPhase = feed.watched.pairShift
        frozenTiles = feed.liveness.frozenTiles.count
    }
}

/// The states of clocks that were reported last. A clock whose state differs now is reported.
struct ClockReports {
    private var known: [GroupID: State] = [:]

    private struct State {
        let group: Group
        let isSuspended: Bool

        /// True if a program that knows `self` must learn `next`. The jump back at the end of an A-B loop is not
        /// reported.
        func isReported(before next: State, at now: Time) -> Bool {
            let before = group, group = next.group
            if isSuspended != next.isSuspended || before.reportedState != group.reportedState { return true }
            if before.motionToCome != group.motionToCome || before.clock.rate != group.clock.rate { return true }
            if before.heldFrom != nil && group.heldFrom == nil { return true }
            return before.clock != group.clock
                && before.clock.position(at: now) + before.totalSetBack
                    != group.clock.position(at: now) + group.totalSetBack
        }
    }

    /// Returns the groups with clocks that have changed since the last call. A new group of the layout is not reported.
    /// The new clock of a tile that is moved alone is.
    mutating func update(_ clocks: Clocks, at now: Time) -> [GroupID] {
        var changed: [GroupID] = []
        for id in clocks.ids {
            let next = State(group: clocks[id], isSuspended: clocks.isSuspended(id))
            if known[id].map({ $0.isReported(before: next, at: now) }) ?? clocks[id].isAlone { changed.append(id) }
            known[id] = next
        }
        if known.count > clocks.count { known = known.filter { clocks.contains($0.key) } }
        return changed
    }
}
