import Base
import Commands
import Feeds
import Layout
import Scene

// Applies a layout over the one that plays, by difference. Starting applies one to an empty wall.
extension PlayerCore {
    /// Items that go on playing drop no frames. `cause`: reason why new items begin.
    @discardableResult
    public mutating func apply(
        _ new: Layout, pipelines: Int? = nil, cores: Double? = nil, because cause: ItemBeginning = .command,
        at now: Time
    ) -> LayoutDiff {
        change(at: now) { changed in
            if let pipelines { changed.supply.setLimit(pipelines, cores: cores) }
            let diff = changed.adopt(new, because: cause, at: now)
            for feed in changed.feeds.ids { changed.playbacks.sharpen(feed, changed.context(at: now)) }
            return diff
        }
    }

    @discardableResult
    mutating func adopt(_ new: Layout, because cause: ItemBeginning, at now: Time) -> LayoutDiff {
        let (loaded, present) = (layouts.loaded, LayoutInForce(snapshot: snapshot(at: now)).presentLayout)
        let next = present.merging(new.withMembers, over: loaded.withMembers)
        let diff = LayoutDiff(from: present, to: next)
        let isFocusStated = focus == nil || loaded.focusName != new.focusName
        sounds.follow(next.audio)
        playbacks.frameHold = frameHold
        layouts.load(new, applied: next.withoutMembers)
        for group in clocks.ids { playbacks.endABLoop(of: group, at: now) }

        for name in diff.removed { if let tile = tiles.id(ofLayout: name) { remove(tile, at: now) } }
        applyGroups(at: now)
        // The first layout's rates are those that the wall starts with.
        if layouts.serial > 1 { applyRates(of: new, before: loaded, at: now) }
        let restarted = LayoutInForce(snapshot: snapshot(at: now)).restartedGroups(diff)
        for edit in diff.edits { if let tile = tiles.id(ofLayout: edit.after.id) { take(edit, for: tile) } }
        applyToFeeds(diff.edits, restarting: restarted, because: cause, at: now)
        for feed in feeds.ids {
            if let tile = playbacks.feeds[feed].tiles.first {
                playbacks.feeds[feed].takeFetching(of: tiles[tile].layout.play)
            }
        }
        for tile in diff.added where tile.compare == nil { add(tile, because: cause, at: now) }
        for tile in diff.added where tile.compare != nil { tiles.addComparing(tile) }
        for group in restarted { begin(group, at: now) }
        removeUnusedGroups()

        tiles.settleComparisons(&playbacks)
        playbacks.settleStillness(context(at: now))
        tiles.draw(inOrder: layout.tiles.map(\.id))
        placeTiles(in: output.size)
        if isFocusStated || focus == nil { setFocus(new.focusName.flatMap(tiles.id(named:)), at: now) }
        return diff
    }

    /// If the new layout gives a group another rate than the old one did, the group takes that rate. Otherwise the
    /// group keeps its rate, even if the user set it.
    private mutating func applyRates(of new: Layout, before old: Layout, at now: Time) {
        for group in new.groups {
            let before = old.groups.first { $0.name == group.name }?.rate
            guard group.rate != before, let id = clocks.id(named: group.name) else { continue }
            playbacks.clocks[id].setRate(.to(group.rate ?? .one), at: now)
        }
    }

    // MARK: tiles

    /// Applies the part of an edit that does not concern the feed. A break stays on top if the item that it follows or
    /// interrupts stays in the sequence. Otherwise the break is over.
    private mutating func take(_ edit: TileEdit, for tile: TileID) {
        if edit.before.play.map(\.audio) != edit.after.play.map(\.audio) { tiles[tile].track = nil }
        if edit.changes.contains(.sequence) { noteLook(of: tile) }
        tiles[tile].layout = edit.after
        let timeline = playbacks.feeds[tiles[tile].feed].timeline
        if edit.changes.contains(.sequence), let top = timeline.top,
            timeline.place(of: top.place.run, in: edit.after.play) == nil
        {
            tiles[tile].onTop = []
        }
        if edit.before.poster != edit.after.poster { supply.loadPoster(of: tile, &tiles) }
    }

    /// Keeps the look of the item on the screen, since its frame may outlive its place in the sequence.
    mutating func noteLook(of tile: TileID) {
        guard let item = playbacks.feeds[tiles[tile].feed].screen.last?.item else { return }
        tiles[tile].leaving = tiles[tile].look(ofItem: item)
    }

    /// Keeps the frame on the screen until the first frame of the next run is there, or until no run follows.
    mutating func leaveFrame(of feed: FeedID) {
        for tile in playbacks.feeds[feed].tiles { noteLook(of: tile) }
        playbacks.feeds[feed].leaveItem()
    }

    /// Adds a tile. Its poster or card is shown at once. If its group's clock runs, it begins with its first frame.
    private mutating func add(_ layout: TileLayout, because cause: ItemBeginning, at now: Time) {
        let group = namedGroup(layout.group)
        let shared = feeds.firstID { feed in
            feed.group == group && !feed.tiles.isEmpty && feed.timeline.top == nil
                && FeedKey(tiles[feed.tiles[0]].layout) == FeedKey(layout)
        }
        let feed = shared ?? playbacks.feeds.add { Feed(id: $0, tile: layout, group: group) }
        if shared == nil { playbacks.feeds[feed].enter(because: cause) }
        if shared == nil, playbacks.clocks[group].hasStarted, !playbacks.clocks[group].isTogether {
            playbacks.feeds[feed].awaitFirstFrame()
        }
        let tile = tiles.add { Tile(id: $0, layout, feed: feed) }
        playbacks.feeds[feed].add([tile])
        tiles[tile].sound = sounds.makeSound()
        supply.loadPoster(of: tile, &tiles)
    }

    /// Removes a tile from the next present on, and releases everything that only this tile used.
    private mutating func remove(_ tile: TileID, at now: Time) {
        if clocks.scrub?.tile == tile { playbacks.letGo(at: now) }
        endItem(of: tile, at: now)
        if tiles.overlaid.map({ tiles[$0].comparison?.members.contains(tile) ?? false }) ?? false {
            tiles.endOverlay(&output)
        }
        if output.remove(tile) { playbacks.effects.window(.pictureInPicture) }
        if tiles[tile].comparison == nil { leave(tiles[tile].feed, tile) }
        tiles.remove(tile)
    }

    /// Removes a tile from its feed. A feed without tiles releases everything.
    mutating func leave(_ feed: FeedID, _ tile: TileID) {
        playbacks.feeds[feed].remove([tile])
        if playbacks.feeds[feed].tiles.isEmpty {
            departed = departed + playbacks.feeds[feed].screen.health
            playbacks.feeds[feed].release(&playbacks.effects)
        }
    }

    // MARK: feeds

    /// Changes feeds. Tiles that shared a feed and still do are changed together.
    private mutating func applyToFeeds(
        _ edits: [TileEdit], restarting restarted: Set<GroupID>, because cause: ItemBeginning,
        at now: Time
    ) {
        // A tile that compares has no feed of its own: the feeds of its members are changed by their own edits.
        let moved = edits.filter { !$0.changes.isEmpty && $0.after.compare == nil }
        var parts: [FeedID: [(key: FeedKey, edit: TileEdit, tiles: [TileID])]] = [:]
        for edit in moved {
            guard let tile = tiles.id(ofLayout: edit.after.id) else { continue }
            let (feed, key) = (tiles[tile].feed, FeedKey(edit.after))
            if let place = parts[feed]?.firstIndex(where: { $0.key == key }) {
                parts[feed]![place].tiles.append(tile)
            } else {
                parts[feed, default: []].append((key, edit, [tile]))
            }
        }
        for feed in parts.keys.sorted() {
            let moving = parts[feed]!
            let staying = playbacks.feeds[feed].tiles.count - moving.reduce(0) { $0 + $1.tiles.count }
            for (place, part) in moving.enumerated() {
                let own = staying > 0 || place < moving.count - 1 ? divided(feed, for: part.tiles) : feed
                apply(
                    part.edit, to: own, isRestarted: restarted.contains(namedGroup(part.edit.after.group)),
                    because: cause, at: now)
            }
        }
    }

    /// Makes a feed for some of a feed's tiles, which shows what that feed shows.
    mutating func divided(_ feed: FeedID, for moving: [TileID]) -> FeedID {
        let before = playbacks.feeds[feed]
        playbacks.feeds[feed].remove(moving)
        let own = playbacks.feeds.add { before.divided(as: $0, for: moving) }
        for tile in moving { tiles[tile].feed = own }
        return own
    }

    private mutating func apply(
        _ edit: TileEdit, to feed: FeedID, isRestarted: Bool, because cause: ItemBeginning,
        at now: Time
    ) {
        let changes = edit.changes
        if changes.contains(.sequence) { playbacks.endABLoop(of: playbacks.feeds[feed].group, at: now) }
        let nudge = playbacks.feeds[feed].follow(edit.after)
        if changes.contains(.group) { playbacks.feeds[feed].follow(namedGroup(edit.after.group)) }
        let context = context(of: feed, at: now)
        if changes.contains(.sequence) {
            let reported = playbacks.feeds[feed].resequence(
                edit.after.play, edit.after.transition, beginningAnew: isRestarted, because: cause, context,
                &playbacks.effects)
            emit(reported, of: feed, at: now)
            if edit.after.play.isEmpty { emit(of: feed, at: now) { .idle(tile: $0) } }
        } else if changes.contains(.group) {
            playbacks.feeds[feed].beginAnew()
            playbacks.feeds[feed].dropSlots(&playbacks.effects)
            playbacks.feeds[feed].playAgain()
        } else {
            if changes.contains(.following) { playbacks.feeds[feed].reconsider(context, &playbacks.effects) }
            if nudge != .zero { playbacks.feeds[feed].shift(by: nudge, context, &playbacks.effects) }
        }
    }

    /// Applies the user's change to one tile. The tile leaves a feed that it shared.
    mutating func replace(_ before: TileLayout, by after: TileLayout, of tile: TileID, at now: Time) {
        let edit = TileEdit(from: before, to: after)
        take(edit, for: tile)
        applyToFeeds([edit], restarting: [], because: .command, at: now)
    }

    // MARK: groups

    private mutating func applyGroups(at now: Time) {
        for loaded in layout.groups {
            if let group = clocks.id(named: loaded.name) {
                playbacks.setIterations(of: group, loaded.loop, loaded.until)
            } else {
                let group = playbacks.clocks.add(Group(name: loaded.name, loaded.loop, loaded.until))
                if restsSince != nil { playbacks.clocks.suspend(group, at: now) }
            }
        }
    }

    /// Lets each tile go on separately from the beginning of this iteration.
    mutating func separate(_ group: GroupID, at now: Time) {
        for feed in feeds.ids where playbacks.feeds[feed].group == group && playbacks.feeds[feed].phase == .playing {
            let context = context(of: feed, at: now)
            advance(feed, context, memory: memoryShare)
            playbacks.feeds[feed].separate(context, &playbacks.effects)
        }
    }

    /// Moves the group's clock to the position that the layout sets. The clock waits there for the frames of the tiles.
    private mutating func begin(_ group: GroupID, at now: Time) {
        guard beganAt != nil else { return }
        let begins = layout.groups.first { $0.name == playbacks.clocks[group].name }?.at ?? .zero
        if playbacks.clocks[group].hasStarted {
            for feed in feeds.ids where playbacks.feeds[feed].group == group {
                playbacks.feeds[feed].beginAnew()
            }
            playbacks.clocks[group].beginAnew()
            playbacks.seek(group, to: begins, at: now)
        } else if begins != .zero {
            let (rate, motion) = (playbacks.clocks[group].clock.rate, playbacks.clocks[group].motionToCome)
            playbacks.clocks[group].set(Clock.Start(position: begins, rate: rate, motion: motion))
        }
        let motion = playbacks.clocks[group].motionToCome
        playbacks.clocks[group].wait(at: now, until: now + Playbacks.longestStartWait, then: motion)
    }

    private mutating func removeUnusedGroups() {
        let names = Set(layout.groups.map(\.name))
        for group in clocks.ids where !playbacks.clocks[group].isAlone && !names.contains(playbacks.clocks[group].name)
        {
            // A tile that was moved alone from this group cannot return to it any more.
            if !feeds.contains(where: { $0.group == group }) { playbacks.clocks.remove(group) }
        }
        playbacks.removeUnusedClocks()
    }
}

extension Layout {
    /// Name of the tile that has the focus at first.
    var focusName: String? { tiles.indices.contains(audio.focus) ? tiles[audio.focus].id : nil }
}
