import Base
import Feeds
import Layout

// Edits of tiles that stay, by another layout or by hand.
extension TileFeeds {
    /// Takes a tile's edited layout. `applyToFeeds` then changes the feed. The layers stay on top if the item that the lowest
    /// one follows or interrupts stays in the sequence. Otherwise they are over.
    mutating func take(_ edit: TileEdit, for tile: TileID) {
        if edit.changes.contains(.sequence) { keepLook(of: tile) }
        tiles[tile].follow(edit)
        let timeline = feed(of: tile).timeline
        if edit.changes.contains(.sequence), let layer = timeline.layer,
            timeline.place(of: layer.place.leftRun, in: edit.after.play) == nil
        {
            tiles[tile].layers = []
        }
    }

    /// Keeps the look of the item on the screen, since its frame may stay there after the item has left the sequence.
    mutating func keepLook(of tile: TileID) {
        guard let item = feed(of: tile).screen.last?.item else { return }
        tiles[tile].leaving = tiles[tile].look(ofItem: item)
    }

    /// Keeps the frame on the screen until the first frame of the next run is there.
    mutating func leaveFrame(of feed: Feed) {
        for tile in feed.tiles { keepLook(of: tile) }
        feed.screen.leaveItem()
    }

    /// Changes the feeds of tiles that were edited. Tiles that shared a feed and still do are changed together.
    /// `restarted`: groups that begin anew. `cause`: reason why new items begin.
    mutating func applyToFeeds(
        _ edits: [TileEdit], restarting restarted: Set<GroupID>, because cause: ItemBeginning, at now: Time
    ) {
        // A tile that watches has no feed of its own: the feeds of its members are changed by their own edits.
        let moved = edits.filter { !$0.changes.isEmpty && $0.after.plays }.compactMap { edit in
            tiles.id(ofLayout: edit.after.id).map { (tile: $0, edit: edit, key: FeedKey(edit.after)) }
        }
        let byFeed = Dictionary(grouping: moved, by: { tiles[$0.tile].feed }).sorted { $0.key < $1.key }
        for (feed, var moving) in byFeed.map({ (feeds[$0.key], $0.value) }) {
            while let (_, edit, key) = moving.first {
                let together = moving.filter { $0.key == key }.map(\.tile)
                moving.removeAll { $0.key == key }
                let own = together.count < feed.tiles.count ? divide(feed, for: together) : feed
                let isRestarted = restarted.contains(transport.namedGroup(edit.after.group))
                apply(edit, to: own, isRestarted: isRestarted, because: cause, playout(at: now))
            }
        }
    }

    private mutating func apply(
        _ edit: TileEdit, to feed: Feed, isRestarted: Bool, because cause: ItemBeginning, _ playout: Playout
    ) {
        let changes = edit.changes
        if changes.contains(.sequence) { transport.endABLoop(of: feed.group, at: playout.now) }
        let nudge = feed.reel.course.follow(edit.after)
        if changes.contains(.group) { feed.group = transport.namedGroup(edit.after.group) }
        let playback = playout.context(of: feed)
        if changes.contains(.sequence) {
            let reported = feed.resequence(
                edit.after.play, edit.after.transition, beginningAnew: isRestarted, because: cause, playback)
            playout.emit(reported, of: feed)
            if edit.after.play.isEmpty { playout.emit(of: feed) { .idle(tile: $0) } }
        } else if changes.contains(.group) {
            feed.reel.course.beginAnew()
            feed.dropSlots()
            feed.playAgain()
        } else {
            if changes.contains(.following) { feed.reconsider(playback) }
            if nudge != .zero { feed.shift(by: nudge, playback) }
        }
        if changes.contains(.decoding) { feed.takeDecoding(playback) }
    }

    /// Changes a tile by hand, whatever its layout states. The tile leaves a feed that it shared. Layers stay.
    mutating func edit(_ tile: TileID, at now: Time, _ body: (inout TileLayout) -> Void) {
        let before = tiles[tile].layout
        var after = before
        body(&after)
        let edit = TileEdit(from: before, to: after)
        take(edit, for: tile)
        applyToFeeds([edit], restarting: [], because: .command, at: now)
    }

    /// Moves a tile further ahead of its group's clock. Returns false if a layout may not state such an offset.
    mutating func nudge(_ tile: TileID, by change: Time, at now: Time) -> Bool {
        let limit = Time.longestWritten, offset = tiles[tile].layout.offset
        guard (-limit...limit).contains(change), (-limit...limit).contains(offset + change) else { return false }
        edit(tile, at: now) { $0.offset += change }
        return true
    }

    /// Takes from the layout how long before its start each item is fetched.
    mutating func takeFetching() {
        for feed in feeds {
            if let tile = feed.tiles.first { feed.reel.course.takeFetching(of: tiles[tile].layout.play) }
        }
    }

    /// Notes that the file at `location` was replaced. `leases`: leases of all pipelines. `isForLayers`: true if
    /// what may come on top of any tile plays it.
    mutating func forget(_ location: String, isForLayers: Bool, leases: [Lease], at now: Time) {
        for tile in tiles.playing { tiles[tile].troubledSounds[location] = nil }
        for feed in feeds where isForLayers || feed.tiles.contains(where: { tiles[$0].plays(location) }) {
            feed.supply.forget(location, leases: leases.filter { $0.feed == feed.id }, at: now)
        }
    }
}

/// The layout that was given to the player last, and the one that was applied.
struct Layouts {
    /// The layout as it was given: loaded by the user, or scheduled. `LayoutPolicy.loaded` is always the layout that
    /// the user loaded.
    private(set) var given: Layout
    /// The layout as it was applied. Changes by hand that were made before are in it; later ones are not.
    private(set) var applied: Layout
    /// Number of layouts given: 1 for the layout that the wall was started with.
    private(set) var serial = 0

    /// Starts before the first layout.
    init(title: String) {
        given = Layout(title: title, tiles: [])
        applied = given
    }

    mutating func take(_ new: Layout, applied: Layout) { (given, self.applied, serial) = (new, applied, serial + 1) }

    /// Sets the window's size, for a layout that does not state it.
    mutating func setWindowSize(_ size: Size) { (given.window.size, applied.window.size) = (size, size) }
}
