import Base
import Decoded
import Feeds
import Layout

// Applies a layout: makes the changes by which it differs from the layout that plays. The start applies a layout to an
// empty wall. The posters of tiles follow.
extension PlayerCore {
    /// Items that go on playing drop no frames. `cause`: reason why new items begin.
    @discardableResult
    mutating func adopt(_ new: Layout, because cause: ItemBeginning, at now: Time) -> LayoutDiff {
        let (former, present) = (layouts.given, presentLayout)
        let next = present.merging(new.withMembers, over: former.withMembers)
        let diff = LayoutDiff(from: present, to: next)
        let isFocusStated = focus == nil || former.focusName != new.focusName
        sounds.state.follow(next.audio)
        transport.follow(audioDelay: audioState.delayMilliseconds)
        tileFeeds.layouts.take(new, applied: next.withoutMembers)
        for group in clocks.ids { transport.endABLoop(of: group, at: now) }

        for name in diff.removed {
            if let tile = tiles.id(ofLayout: name) { tileFeeds.remove(tile, at: now) }
        }
        transport.follow(layout.groups, before: layouts.serial > 1 ? former.groups : nil, at: now)
        for group in layout.groups {
            let before = former.groups.first { $0.name == group.name }?.part
            if group.part != before { output.magnified[group.name] = group.part.map(FrameZoom.init) }
        }
        let restarted = restartedGroups(diff)
        for edit in diff.staying {
            guard let tile = tiles.id(ofLayout: edit.after.id) else { continue }
            tileFeeds.take(edit, for: tile)
            if edit.before.poster != edit.after.poster { loadPoster(of: tile) }
        }
        tileFeeds.applyToFeeds(diff.staying, restarting: restarted, because: cause, at: now)
        tileFeeds.takeFetching()
        for added in diff.added where added.plays {
            let tile = tileFeeds.add(added, sounds.state.makeSound(), because: cause)
            loadPoster(of: tile)
        }
        for tile in diff.added where !tile.plays { tileFeeds.addWatching(tile) }
        for group in clocks.ids where restarted.contains(group) || clocks[group].isAsleep {
            let stated = layout.groups.first { $0.name == clocks[group].name }
            transport.begin(group, from: stated?.at ?? .zero, at: now)
        }
        transport.removeGroups(except: Set(layout.groups.map(\.name)))

        tileFeeds.settleWatches()
        playout(at: now).settleStillness()
        tileFeeds.tiles.draw(inOrder: layout.tiles.map(\.id))
        placeTiles(in: output.size)
        if isFocusStated || focus == nil {
            tileFeeds.setFocus(new.focusName.flatMap(tiles.id(named:)), at: now)
        }
        return diff
    }

    /// The layout that plays, with the user's changes and with the tiles that play compared sources. A group has a rate
    /// and a part if they are others than those of its layout.
    var presentLayout: Layout {
        var present = layout
        present.tiles = (tiles.order + tiles.members).map { tiles[$0].layout }
        present.audio.focus = focus.flatMap(tiles.order.firstIndex) ?? present.audio.focus
        present.audio.volume = audioState.volume
        present.audio.delayMilliseconds = audioState.delayMilliseconds
        present.overlaid = tiles.overlaid.flatMap { tiles[$0].layout.compare }
        for (place, group) in layout.groups.enumerated() {
            let rate = clocks.id(named: group.name).map { clocks[$0].clock.rate } ?? .one
            if rate != group.rate ?? .one { present.groups[place].rate = rate }
            let part = output.magnified[group.name]?.framePart ?? .whole
            if part != group.part ?? .whole { present.groups[place].part = part }
        }
        return present
    }

    /// Returns the groups in which no playing item stays. They begin anew, so that all of their tiles begin at the same
    /// instant.
    private func restartedGroups(_ diff: LayoutDiff) -> Set<GroupID> {
        Set(
            clocks.ids.filter { group in
                if clocks[group].isAlone { return false }
                let name = clocks[group].name
                let members = diff.staying.filter { $0.after.group == name && $0.after.plays }
                let isJoined = diff.added.contains { $0.group == name && $0.plays }
                let isNew = members.allSatisfy { $0.changes.contains(.sequence) && !sharesItem($0) }
                let hasAny = !members.isEmpty || isJoined
                return isNew && hasAny && (isJoined || members.count > 1 || !clocks[group].hasStarted)
            })
    }

    private func sharesItem(_ edit: TileEdit) -> Bool {
        guard let tile = tiles.id(ofLayout: edit.after.id) else { return false }
        let feed = feed(of: tile)
        // An interrupted item, which continues after the layers on top, counts too.
        let run = feed.slots.first.map { feed.timeline.layer?.place.leftRun ?? $0.run }
        return run.flatMap { feed.timeline.place(of: $0, in: edit.after.play) } != nil
    }

    mutating func placeTiles(in size: Size) {
        output.place(tiles.order, in: TileGeometry.rects(of: layout, in: size), of: size)
    }

    /// Sets the size of the window that suits the frames known by now, and returns it. nil if no frame is known.
    mutating func shapeWindow() -> Size? {
        let frames = tiles.order.compactMap { tile in
            let feed = feed(of: tile)
            return feed.firstSource.flatMap { feed.sources.facts(of: $0)?.natural }
        }
        guard let size = layout.grid.windowSize(for: frames) else { return nil }
        tileFeeds.layouts.setWindowSize(size)
        return size
    }

    // MARK: posters: images that the layout names for its tiles

    private mutating func loadPoster(of tile: TileID) {
        let location = tiles[tile].layout.poster
        tileFeeds.tiles[tile].poster = location.map { .loading($0) } ?? .none
        if let location { posterLoads.ask(for: location, of: tile) }
    }

    /// Orders as many posters at once as are allowed. A poster that has not come in time has failed.
    /// Returns the wall time at which a poster has failed, or another one may be loaded.
    mutating func orderPosters(at now: Time) -> Time? {
        var upcoming = Earliest()
        let (late, due) = posterLoads.giveUp(at: now)
        for order in late { fail(order, OpenRequests.noAnswer, at: now) }
        upcoming.add(due)
        while let order = posterLoads.next(limit: layout.frameLimit, at: now) {
            guard isAwaited(order) else {
                _ = posterLoads.end(order.ticket)
                continue
            }
            outbox.load(order)
            upcoming.add(now + OpenRequests.slowAfter)
        }
        return upcoming.instant
    }

    mutating func take(_ answer: Result<Frame, SourceTrouble>, for order: PosterOrder, at now: Time) {
        guard posterLoads.end(order.ticket) else { return }
        switch answer {
        case .success(let frame):
            if isAwaited(order) { tileFeeds.tiles[order.tile].poster = .image(frame, serial: order.ticket) }
        case .failure(let trouble): fail(order, trouble, at: now)
        }
    }

    private mutating func fail(_ order: PosterOrder, _ trouble: SourceTrouble, at now: Time) {
        guard isAwaited(order) else { return }
        tileFeeds.tiles[order.tile].poster = .failed
        let (tile, source) = (tiles[order.tile].name, order.location)
        emit(.trouble(tile: tile, source: source, item: .item(0), pts: nil, trouble: trouble), at: now)
    }

    private func isAwaited(_ order: PosterOrder) -> Bool {
        guard tiles.contains(order.tile), case .loading(let location) = tiles[order.tile].poster else { return false }
        return location == order.location
    }
}

extension Feed { var firstSource: String? { timeline.items.first?.segments.first.source } }
