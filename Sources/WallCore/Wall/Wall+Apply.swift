// A layout takes the place of the one that plays, by difference. Starting is applying one to an empty wall.
extension Wall {
    /// What plays on misses nothing.
    @discardableResult
    public mutating func apply(_ new: Layout, at wall: Time) -> LayoutDiff {
        let diff = adopt(new, at: wall)
        for feed in feeds.ids { sharpen(feed, at: wall) }
        orders.wakeScreen()
        orders.wakeSound()
        // Whoever waits for room may have more of it now, or less.
        orders.wakePipelines(pool.pipelines.indices)
        update(at: wall)
        return diff
    }

    @discardableResult
    mutating func adopt(_ new: Layout, at wall: Time) -> LayoutDiff {
        let (loaded, playing) = (layouts.loaded, playing)
        let next = playing.merging(new, over: loaded)
        let diff = LayoutDiff(from: playing, to: next)
        let isFocusSaid = focus == nil || loaded.focusName != new.focusName
        if hearing.volume != next.audio.volume || loaded.tiles.isEmpty { hearing.setVolume(next.audio.volume) }
        hearing.setMode(next.audio.mode)
        layouts.load(new, playing: next)

        for name in diff.removed { if let tile = tiles.id(named: name) { remove(tile, at: wall) } }
        applyGroups(at: wall)
        let restarted = restartedGroups(diff)
        for edit in diff.edits { if let tile = tiles.id(named: edit.after.id) { change(tile, edit) } }
        apply(diff.edits, restarting: restarted, at: wall)
        for tile in diff.added { add(tile, at: wall) }
        for group in restarted { begin(group, at: wall) }
        removeUnusedGroups()

        tiles.draw(inOrder: next.tiles.map(\.id))
        for tile in tiles.order {
            if let loaded = new.tiles.first(where: { $0.id == tiles[tile].name }) { tiles[tile].loaded = loaded }
        }
        placeTiles()
        shareSounds()
        if isFocusSaid || focus == nil { setFocus(new.focusName.flatMap(tiles.id(named:)), at: wall) }
        return diff
    }

    /// What plays, with its tiles as they are.
    var playing: Layout {
        var playing = layout
        playing.tiles = tiles.order.map { tiles[$0].layout }
        playing.audio.volume = hearing.volume
        return playing
    }

    // MARK: tiles

    /// What of a tile has nothing to do with its feed.
    private mutating func change(_ tile: TileID, _ edit: TileEdit) {
        if edit.before.play.map(\.audio) != edit.after.play.map(\.audio) { tiles[tile].track = nil }
        if edit.changes.contains(.sequence) { noteLook(of: tile) }
        tiles[tile].layout = edit.after
        if edit.before.poster != edit.after.poster { loadPoster(of: tile) }
    }

    /// The picture on screen may outlive its place in the sequence.
    private mutating func noteLook(of tile: TileID) {
        guard let item = feeds[tiles[tile].feed].last?.item, item >= 0 else { return }
        tiles[tile].leaving = tiles[tile].look(ofItem: item)
    }

    /// The picture on screen stays until the first one is there that follows now, or it is known that none does.
    mutating func leavePicture(of feed: FeedID) {
        for tile in feeds[feed].views { noteLook(of: tile) }
        feeds[feed].last?.item = -1
    }

    private mutating func loadPoster(of tile: TileID) {
        guard let location = tiles[tile].layout.poster else {
            tiles[tile].poster = .none
            return
        }
        tiles[tile].poster = .loading(location)
        orders.load(PosterOrder(tile: tile, location: location))
    }

    /// Shows its poster or card at once; where its group goes already it begins when its first picture is there.
    private mutating func add(_ layout: TileLayout, at wall: Time) {
        let group = namedGroup(layout.group)
        let shared = feeds.firstID { feed in
            feed.group == group && !feed.views.isEmpty && FeedKey(tiles[feed.views[0]].layout) == FeedKey(layout)
        }
        let feed = shared ?? feeds.add { Feed(id: $0, tile: layout, group: group) }
        if shared == nil, clocks[group].hasStarted, !clocks[group].isTogether { feeds[feed].awaitsFirstPicture = true }
        let tile = tiles.add { Tile(id: $0, layout, feed: feed) }
        feeds[feed].views.append(tile)
        tiles[tile].sound = hearing.nextSound()
        loadPoster(of: tile)
    }

    /// Goes in the next present, and gives up what was its alone.
    private mutating func remove(_ tile: TileID, at wall: Time) {
        if clocks.scrub?.tile == tile { scrub(.ended, at: wall) }
        if output.remove(tile) { orders.window(.pictureInPicture) }
        leave(tiles[tile].feed, tile)
        tiles.remove(tile)
    }

    /// Nobody views a feed any more: it gives everything back.
    mutating func leave(_ feed: FeedID, _ tile: TileID) {
        feeds[feed].views.removeAll { $0 == tile }
        if feeds[feed].views.isEmpty {
            departed = departed + feeds[feed].health
            release(feed)
        }
    }

    // MARK: feeds

    /// Tiles that shared a feed and still do are changed together.
    private mutating func apply(_ edits: [TileEdit], restarting restarted: Set<GroupID>, at wall: Time) {
        let moved = edits.filter { !$0.changes.isEmpty }
        var parts: [FeedID: [(key: FeedKey, edit: TileEdit, tiles: [TileID])]] = [:]
        for edit in moved {
            guard let tile = tiles.id(named: edit.after.id) else { continue }
            let (feed, key) = (tiles[tile].feed, FeedKey(edit.after))
            if let place = parts[feed]?.firstIndex(where: { $0.key == key }) {
                parts[feed]![place].tiles.append(tile)
            } else {
                parts[feed, default: []].append((key, edit, [tile]))
            }
        }
        for feed in parts.keys.sorted() {
            let moving = parts[feed]!
            let staying = feeds[feed].views.count - moving.reduce(0) { $0 + $1.tiles.count }
            for (place, part) in moving.enumerated() {
                let own = staying > 0 || place < moving.count - 1 ? divided(feed, for: part.tiles) : feed
                change(own, part.edit, isRestarted: restarted.contains(namedGroup(part.edit.after.group)), at: wall)
            }
        }
    }

    /// A feed of their own for some of the tiles of another: it shows what that one shows.
    mutating func divided(_ feed: FeedID, for views: [TileID]) -> FeedID {
        let before = feeds[feed]
        feeds[feed].views.removeAll { views.contains($0) }
        let own = feeds.add { before.divided(as: $0, for: views) }
        for tile in views { tiles[tile].feed = own }
        return own
    }

    private mutating func change(_ feed: FeedID, _ edit: TileEdit, isRestarted: Bool, at wall: Time) {
        let changes = edit.changes
        (feeds[feed].timeline.loop, feeds[feed].onError) = (edit.after.loop, edit.after.onError)
        let nudge = edit.after.offset - feeds[feed].offset
        feeds[feed].offset = edit.after.offset
        if changes.contains(.group) { feeds[feed].group = namedGroup(edit.after.group) }
        if changes.contains(.sequence) {
            resequence(feed, edit.after.play, isRestarted: isRestarted, at: wall)
        } else if changes.contains(.group) {
            (feeds[feed].pass, feeds[feed].origin) = (0, .zero - edit.after.offset)
            dropSlots(of: feed)
            feeds[feed].playAgain()
        } else {
            if changes.contains(.following) { reconsider(feed, at: wall) }
            if nudge != .zero { shift(feed, by: nudge, at: wall) }
        }
    }

    /// What follows the item on screen is another.
    private mutating func reconsider(_ feed: FeedID, at wall: Time) {
        let item = feeds[feed].slots.first.map { ($0.run.pass, $0.run.item) }
        let kept = feeds[feed].slots.prefix { ($0.run.pass, $0.run.item) == item ?? (0, 0) }.count
        for slot in feeds[feed].slots[kept...] { retire(slot, of: feed) }
        feeds[feed].slots.removeSubrange(kept...)
        guard feeds[feed].phase == .ended, let front = feeds[feed].slots.last, following(front.run, of: feed) != nil
        else { return }
        goOn(feed, at: wall)
    }

    /// A feed that had ended goes on now with what follows.
    private mutating func goOn(_ feed: FeedID, at wall: Time) {
        feeds[feed].phase = .playing
        let now = now(of: feeds[feed], at: wall)
        guard !clocks[feeds[feed].group].isTogether, let front = feeds[feed].slots.last, let end = front.end, end < now
        else { return }
        // It ended a while ago: its end is now.
        for place in feeds[feed].slots.indices { feeds[feed].slots[place].shift(by: now - end) }
        feeds[feed].origin += now - end
    }

    /// So much further ahead of its group's clock.
    private mutating func shift(_ feed: FeedID, by nudge: Time, at wall: Time) {
        feeds[feed].origin -= nudge
        for place in feeds[feed].slots.indices { feeds[feed].slots[place].shift(by: .zero - nudge) }
        feeds[feed].tail?.shift(by: .zero - nudge)
        chain(feed)
        arrive(feed, at: now(of: feeds[feed], at: wall), entering: .zero)
    }

    /// Another sequence: an item on screen that is in it plays on, and the new order follows; else the last picture
    /// stays until the new first one is there.
    private mutating func resequence(_ feed: FeedID, _ items: [Item], isRestarted: Bool, at wall: Time) {
        let group = clocks[feeds[feed].group]
        let isAnywhere = !isRestarted && !group.isTogether
        let place = feeds[feed].slots.first.flatMap { feeds[feed].timeline.place(of: $0.run, in: items) }
        let present = feeds[feed].playing
        for slot in feeds[feed].resequence(items, keepingItemAt: isAnywhere ? place : nil) { retire(slot, of: feed) }
        dropPoster(of: feed)
        let locations = Set(items.flatMap { $0.pieces.map(\.source) })
        for source in feeds[feed].parked.filter { !locations.contains($0.location) }.map(\.source) { orders.close(source) }
        feeds[feed].parked.removeAll { !locations.contains($0.location) }
        if feeds[feed].slots.isEmpty {
            endItem(of: feed, .stop, at: wall)
        } else if present != nil, let run = feeds[feed].slots.first?.run {
            // The item that plays on stands elsewhere now.
            feeds[feed].playing?.run.item = run.item
        }
        if items.isEmpty { for tile in feeds[feed].views { tell(.idle(tile: tiles[tile].name), at: wall) } }
        let isOver = feeds[feed].phase == .ended
        feeds[feed].phase = items.isEmpty ? .ended : .playing
        if let front = feeds[feed].slots.last {
            if isOver, following(front.run, of: feed) == nil { feeds[feed].phase = .ended }
            if isOver, feeds[feed].phase == .playing { goOn(feed, at: wall) }
            return
        }
        (feeds[feed].pass, feeds[feed].origin) = (0, .zero - feeds[feed].offset)
        if group.hasStarted, isAnywhere {
            feeds[feed].awaitsFirstPicture = true
            feeds[feed].origin = now(of: feeds[feed], at: wall)
        }
    }

    /// What is asked for by hand of one tile: it leaves a feed that it shared.
    public mutating func replace(_ layout: TileLayout, of tile: TileID, at wall: Time) {
        let edit = TileEdit(from: tiles[tile].layout, to: layout)
        change(tile, edit)
        apply([edit], restarting: [], at: wall)
        shareSounds()
        orders.wakeScreen()
        orders.wakeSound()
        update(at: wall)
    }

    // MARK: groups

    func namedGroup(_ name: String) -> GroupID {
        clocks.id(named: name) ?? clocks.main
    }

    private mutating func applyGroups(at wall: Time) {
        for said in layout.groups {
            if let group = clocks.id(named: said.name) {
                setPasses(of: group, said.loop, said.until)
            } else {
                clocks.add(Group(name: said.name, said.loop, said.until))
            }
        }
    }

    /// From its next pass on. Where each tile was by itself, the next pass is the first that begins together.
    private mutating func setPasses(of group: GroupID, _ loop: GroupLoop, _ until: Until) {
        if clocks[group].isTogether {
            clocks[group].changePasses { $0.setNext(loop, until) }
        } else {
            clocks[group].changePasses { $0.set(loop, until) }
            if loop == .together { gather(group) }
        }
    }

    /// What each tile plays is the group's pass from now on; those that end it earlier wait for the others.
    private mutating func gather(_ group: GroupID) {
        guard clocks[group].hasStarted else { return }
        let members = feeds.ids.filter { feeds[$0].group == group }
        let pass = max(clocks[group].passes.number, members.map { feeds[$0].pass }.max() ?? 0)
        let begun = members.map { feeds[$0].origin + feeds[$0].offset }.min() ?? .zero
        clocks[group].changePasses { $0.enter(pass, begunAt: begun) }
        for feed in members {
            let present = feeds[feed].slots.first?.run.pass ?? feeds[feed].pass
            let kept = feeds[feed].slots.prefix { $0.run.pass == present }.count
            for slot in feeds[feed].slots[kept...] { retire(slot, of: feed) }
            feeds[feed].slots.removeSubrange(kept...)
            for place in feeds[feed].slots.indices { feeds[feed].slots[place].run.pass = pass }
            feeds[feed].lastRun?.pass = pass
            feeds[feed].pass = pass
        }
    }

    /// Each tile goes on by itself from the beginning of this pass.
    mutating func separate(_ group: GroupID, at wall: Time) {
        let now = clocks[group].clock.position(at: wall)
        for feed in feeds.ids where feeds[feed].group == group && feeds[feed].phase == .playing {
            advance(feed, at: wall)
            let pass = clocks[group].passes.number
            for slot in feeds[feed].slots where slot.run.pass < pass { retire(slot, of: feed) }
            feeds[feed].slots.removeAll { $0.run.pass < pass }
            (feeds[feed].pass, feeds[feed].origin) = (pass, clocks[group].passes.start - feeds[feed].offset)
            if feeds[feed].slots.first.map({ $0.instant.map { $0 > now } ?? true }) ?? false { dropSlots(of: feed) }
        }
    }

    /// Groups of which nothing that plays stays: they begin anew, so that all of their tiles do at one instant.
    private func restartedGroups(_ diff: LayoutDiff) -> Set<GroupID> {
        var restarted: Set<GroupID> = []
        for group in clocks.ids where !clocks[group].isAlone {
            let name = clocks[group].name
            let members = diff.edits.filter { $0.after.group == name }
            let isNew = members.allSatisfy { $0.changes.contains(.sequence) && !sharesItem($0) }
            let hasAny = !members.isEmpty || diff.added.contains { $0.group == name }
            if isNew, hasAny,
                diff.added.contains(where: { $0.group == name }) || members.count > 1 || !clocks[group].hasStarted
            {
                restarted.insert(group)
            }
        }
        return restarted
    }

    private func sharesItem(_ edit: TileEdit) -> Bool {
        guard let tile = tiles.id(named: edit.after.id), let run = feeds[tiles[tile].feed].slots.first?.run else {
            return false
        }
        return feeds[tiles[tile].feed].timeline.place(of: run, in: edit.after.play) != nil
    }

    /// Its clock goes back to its beginning and waits for the pictures of its tiles.
    private mutating func begin(_ group: GroupID, at wall: Time) {
        guard beganAt != nil else { return }
        if clocks[group].hasStarted {
            for feed in feeds.ids where feeds[feed].group == group {
                (feeds[feed].pass, feeds[feed].origin) = (0, .zero - feeds[feed].offset)
                feeds[feed].awaitsFirstPicture = false
            }
            clocks[group].beginAnew()
            seek(group, to: .zero, at: wall)
        }
        let motion = clocks[group].phase == .asleep ? .running : clocks[group].motionToCome
        clocks[group].wait(at: wall, until: wall + Self.longestStartWait, then: motion)
    }

    private mutating func removeUnusedGroups() {
        let names = Set(layout.groups.map(\.name))
        for group in clocks.ids where !clocks[group].isAlone && !names.contains(clocks[group].name) {
            // A tile that was moved alone is at home in it no more.
            if !feeds.contains(where: { $0.group == group }) { clocks.remove(group) }
        }
        removeUnusedClocks()
    }

    /// The clock of a tile alone goes with the last feed that follows it.
    mutating func removeUnusedClocks() {
        for group in clocks.ids where clocks[group].isAlone && !feeds.contains(where: { $0.group == group }) {
            clocks.remove(group)
        }
    }
}

extension Layout {
    /// The tile that has the focus unless somebody moves it.
    var focusName: String? { tiles.indices.contains(audio.focus) ? tiles[audio.focus].id : nil }
}

/// An image that a tile brings with it is to be loaded.
public struct PosterOrder: Sendable {
    public let tile: TileID
    public let location: String
}
