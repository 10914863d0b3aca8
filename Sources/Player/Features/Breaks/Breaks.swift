import Base
import Feeds
import Layout

/// The breaks of a layout: which of them are due, and which are on top of tiles. A break is queued at most once.
///
/// `Breaks` alone decides when a break is due. The feature answers with `Change.push` when a break begins on a tile, and
/// with `Change.pop` when the run after it is on the screen (`LayerEnds`). The timeline of a tile's feed knows which
/// layers are on top of the tile. The first source of a break that interrupts is opened ahead (`prepare`). A live source
/// can't be opened ahead. The interruption of the film is therefore planned three seconds later, and comes earlier if the
/// first live frame is decoded earlier (`Playout.settleInterruptions`). An item that is not open two seconds after it was
/// due is skipped (`DecodeSupply.giveUpItemsOnTop`).
///
/// If all tiles of a group are in a break together, the group's clock is set back by the break's length when the break
/// is over (`Change.releasePosition`). Until then the reported position is held (`Change.holdPosition`). A tile that had
/// ended and waited for the others waits for the break too (`Anchor.delayed`), and goes on with its last frame
/// (`BreakEntries.hold`).
struct Breaks: Feature {
    var all: [Break] = []
    /// Serial number of the layout that states these breaks.
    private var layout = 0
    private var hasBegun = false
    /// Wall time since which the wall is hidden or the display is off; nil while the clocks go on.
    private var hiddenSince: Time?
    /// Numbers of items that had ended on each tile at the last look.
    private var noted: [TileID: Int] = [:]

    init() {}

    struct Break: Equatable {
        let layout: BreakLayout
        /// Wall time since which the break has not been active.
        fileprivate var restsSince: Time
        /// Items that have ended on its first tile since then.
        fileprivate var items = 0
        /// Wall time since which the break has been due; nil while it is not due.
        fileprivate(set) var waitsSince: Time?
        /// True from `begin` to `end`: while the break is on top of a tile, or about to begin on one.
        fileprivate(set) var isActive = false
        /// Tiles on which the break has not begun, since their items have not ended yet.
        var entering: Set<TileID> = []

        /// Tiles on which the break is, or is about to begin, and of which its end was not noted yet.
        var covered: Set<TileID> = []
        /// Feeds for which the break's first source was opened ahead.
        var tried: Set<FeedID> = []
        /// Start on tiles that begin together, in the time of each group; nil until it is decided.
        var begins: [GroupID: Time]?
        /// Groups of which all tiles are in the break. Their reported positions are held.
        var held: [GroupID: Held] = [:]
        /// True once a run of the break was the front of a feed, and the break's start was emitted.
        var hasStarted = false

        /// True if a new layout dropped the break, which is removed when it ends.
        fileprivate(set) var isGone = false

        /// Group times at which the break began, and at which it ended on the tile of the group that left it first.
        struct Held: Equatable {
            let begin: Time
            fileprivate(set) var end: Time?

            /// Time by which the clock is set back when the break ends; nil if the break was never on.
            var length: Time? { end.flatMap { $0 > begin ? $0 - begin : nil } }
        }

        var isWaiting: Bool { waitsSince != nil }

        /// True if the break's time has come, or if the current item is the last one before the break.
        fileprivate func isDue(at now: Time, isItemOn: Bool) -> Bool {
            if isActive || isGone { return false }
            let ended = isItemOn ? items + 1 : items
            return due.map { $0 <= now } ?? false || layout.afterItems.map { ended >= $0 } ?? false
        }

        fileprivate mutating func wait(since instant: Time) { waitsSince = waitsSince ?? instant }

        /// The break is about to begin on these tiles.
        mutating func begin(entering tiles: Set<TileID>) {
            (isActive, waitsSince, entering) = (true, nil, tiles)
            (begins, hasStarted, tried, held) = (nil, false, [], [:])
        }

        /// The break has ended on a tile of a group.
        mutating func noteEnd(in group: GroupID, at end: Time) {
            if held[group]?.end == nil { held[group]?.end = end }
        }

        /// Time at which a break by `every` is due. One by `times` comes as a command from `LayoutPolicy.takeDueBreaks`.
        fileprivate var due: Time? { isActive || isWaiting || isGone ? nil : layout.every.map { restsSince + $0 } }
    }

    /// Takes over the breaks of a layout. A break that stays the same keeps its state.
    private mutating func takeOver(_ layouts: [BreakLayout], at now: Time) {
        var dropped = all.filter { known in known.isActive && !layouts.contains(known.layout) }
        for place in dropped.indices {
            (dropped[place].isGone, dropped[place].waitsSince, dropped[place].entering) = (true, nil, [])
        }
        all =
            layouts.map { layout in
                all.first { $0.layout == layout && !$0.isGone } ?? Break(layout: layout, restsSince: now)
            } + dropped
    }

    /// Takes over the breaks of the layout that plays. Repeated breaks count from the beginning of the wall.
    mutating func takeOverLayout(of player: PlayerCore, at now: Time) {
        if layout != player.layouts.serial {
            layout = player.layouts.serial
            takeOver(player.layouts.applied.breaks, at: now)
        }
        guard !all.isEmpty, !hasBegun, let began = player.beganAt else { return }
        for place in all.indices { all[place].restsSince = began }
        hasBegun = true
    }

    /// The time of `every` stands still while the wall is hidden: nothing is due then, and nothing is made up for.
    mutating func follow(hiddenSince: Time?, at now: Time) {
        defer { self.hiddenSince = hiddenSince }
        guard hiddenSince == nil, let since = self.hiddenSince else { return }
        for place in all.indices { all[place].restsSince += now - Swift.max(since, all[place].restsSince) }
    }

    /// Counts the items that have ended on the first tile of a break since the last call. Items of a break do not
    /// count, nor does the last frame that is held after one.
    mutating func noteItemEnds(_ snapshot: Snapshot) {
        let ends = snapshot.transport.itemEnds
        for place in all.indices where !all[place].isActive && !all[place].isGone {
            let first = snapshot.layout.tiles(of: all[place].layout).first.flatMap(snapshot.tiles.id(named:))
            if let first { all[place].items += (ends[first] ?? 0) - (noted[first] ?? 0) }
        }
        noted = ends
    }

    /// Makes the breaks that are due wait, and returns when the next one will be due. `hasItemOn`: returns true if a break
    /// comes after a number of items, and its first tile plays one that will end.
    mutating func queueDue(at now: Time, _ hasItemOn: (BreakLayout) -> Bool) -> Time? {
        if hiddenSince != nil { return nil }
        for place in all.indices {
            let isItemOn = hasItemOn(all[place].layout)
            if all[place].isDue(at: now, isItemOn: isItemOn) { all[place].wait(since: min(now, all[place].due ?? now)) }
        }
        return all.compactMap(\.due).min()
    }

    /// Makes a break wait. Returns false if there is no such break.
    mutating func ask(_ name: String, at now: Time) -> Bool {
        guard let place = all.firstIndex(where: { $0.layout.name == name && !$0.isGone }) else { return false }
        if all[place].layout.isOnce, all[place].isActive { return false }
        all[place].wait(since: now)
        return true
    }

    /// The waiting breaks in the order in which they became due, then in the layout's order.
    /// A break is left out while a break of its name is active.
    var waiting: [Break] {
        let active = Set(all.filter(\.isActive).map(\.layout.name))
        return all.enumerated().filter { $0.element.isWaiting && !active.contains($0.element.layout.name) }.sorted {
            a, b in (a.element.waitsSince ?? .zero, a.offset) < (b.element.waitsSince ?? .zero, b.offset)
        }.map(\.element)
    }

    /// Tiles of which the end of a break was not noted yet, with the name of the break.
    var coveredTiles: [TileID: String] {
        all.reduce(into: [:]) { names, item in for tile in item.covered { names[tile] = item.layout.name } }
    }

    /// Ends a break. `hadStarted`: true if its start was emitted. `held`: the groups whose positions were held.
    mutating func end(_ name: String, at now: Time) -> (hadStarted: Bool, held: [GroupID: Break.Held]) {
        guard let place = place(of: name) else { return (false, [:]) }
        defer { if all[place].isGone { all.remove(at: place) } }
        (all[place].isActive, all[place].restsSince, all[place].items) = (false, now, 0)
        all[place].entering = []
        return (all[place].hasStarted, all[place].held)
    }

    /// Returns the index of a break: of two with one name, the one that is active.
    private func place(of name: String) -> Int? { all.lastIndex { $0.layout.name == name } }

    /// The break of this name; nil if there is none.
    subscript(name: String) -> Break? {
        get { place(of: name).map { all[$0] } }
        set { if let place = place(of: name), let newValue { all[place] = newValue } }
    }
}

/// Decides which layers are over, for those who have put them on top of tiles.
struct LayerEnds {
    let snapshot: Snapshot

    /// True if the run after a layer is on the screen of its tile, or never will be.
    func isOver(_ name: String, on tile: TileID) -> Bool {
        let feed = snapshot.feed(of: tile)
        guard let front = feed.slots.first, let number = feed.timeline.number(ofLayer: name),
            let layer = feed.timeline.layer(number)
        else {
            // A feed that is off the stage resumes where its timeline is, so its layer may still come.
            return !BreakEntries(snapshot: snapshot).playsItems(feed)
                && (feed.phase != .playing || snapshot.isOnStage(feed))
        }
        // Nothing follows the layer, or the sequence stopped at an item that can't be played.
        if feed.phase == .ended { return true }
        // The item before the layer turned out to be live, or was reconnected, and does not end.
        let isBefore = !front.run.isRest && front.run.isOfItem(of: layer.place.leftRun)
        if isBefore, feed.frontIsLive, front.end == nil { return true }
        // True while an item of the layer still fades out.
        let isFading = feed.seam.fadeOut?.slot.map { $0.run.layer >= number } ?? false
        // The front of a hidden feed is heard, and nothing of it comes on the screen.
        let isOn = front.isOnScreen || !feed.hasSeat && !snapshot.isOnStage(feed)
        return isAfter(front.run, number, in: feed) && isOn && !isFading
    }

    /// Returns the group time at which a layer ended on its tile; nil if it was never on.
    func end(_ name: String, on tile: TileID) -> Time? {
        let feed = snapshot.feed(of: tile)
        guard let number = feed.timeline.number(ofLayer: name), let front = feed.slots.first, let begin = front.begin
        else { return nil }
        let isLast = feed.phase == .ended && front.run.layer >= number
        // A live feed follows another clock than the layer.
        guard !feed.isLive, isLast || isAfter(front.run, number, in: feed) else { return nil }
        return isLast ? front.end ?? begin : begin + front.fade
    }

    /// True if the layer is over once this run is the front.
    private func isAfter(_ run: RunID, _ number: Int, in feed: Feed) -> Bool {
        run.iteration != feed.timeline.layer?.iteration || feed.timeline.isAfter(run, layer: number)
    }
}

extension Slot {
    /// True if a frame of the slot was shown, or if the slot has failed and its place is held.
    fileprivate var isOnScreen: Bool {
        let isHeld = hasFailed && (length ?? .zero) > .zero
        return isStill || frames.contains(where: \.isPresented) || dueIndex > 0 || isHeld
    }
}
