// The screen's side: what is due, and what was shown.
extension Wall {
    /// What is to be drawn now, and the wall time at which that changes (nil: when somebody wakes the screen).
    public mutating func scene(at wall: Time) -> (scene: Scene, next: Time?) {
        output.beginScene()
        var next = output.advance(at: wall)
        var shown: [FeedID: (picture: Feed.Shown, stamp: Stamp)] = [:]
        for index in feeds.ids where !feeds[index].views.isEmpty {
            advance(index, at: wall)
            let group = clocks[feeds[index].group]
            let now = group.clock.position(at: wall)
            if let picture = picture(of: index, at: now, wall: wall) {
                shown[index] = (picture, Stamp(feed: index, serial: picture.serial))
            }
            let change = feeds[index].nextDue(after: now) ?? feeds[index].lackBegins(after: now)
            if let change, let instant = group.clock.wallTime(of: change) {
                next = next.map { min($0, instant) } ?? instant
            }
        }
        let views = output.places(of: tiles.order, at: wall).map { tile, frame in
            view(of: tile, in: frame, showing: shown[tiles[tile].feed])
        }
        return (Scene(size: output.size, background: layout.window.background, views: views), next)
    }

    /// The picture that is due; else the last one of the feed; else its poster.
    private mutating func picture(of index: FeedID, at now: Time, wall: Time) -> Feed.Shown? {
        noteLack(of: index, at: now, wall: wall)
        // While a clock waits after a seek, what was on screen stays, so that all change in one present; and while it
        // stands nothing is shown on the way to the picture that it stands at.
        let group = clocks[feeds[index].group]
        let isOnTheWay = group.clock.motion == .standing && feeds[index].lack != nil
        if group.isWaiting || isOnTheWay, group.hasStarted, let last = feeds[index].last { return last }
        if case .show(let slot, let entry) = feeds[index].due(at: now) {
            let due = feeds[index].slots[slot].pictures[entry]
            // Too few pictures, each too late, are no wait for one.
            if due.serial != feeds[index].last?.serial { feeds[index].lack = nil }
            feeds[index].keep(due, of: feeds[index].slots[slot])
            output.note(Output.Drawn(feed: index, slot: feeds[index].slots[slot].id, serial: due.serial))
            return feeds[index].last
        }
        return feeds[index].last ?? feeds[index].posterPicture
    }

    /// While a clock runs, what is missing for long enough to be said is a stall.
    private mutating func noteLack(of index: FeedID, at now: Time, wall: Time) {
        guard feeds[index].last != nil, feeds[index].lacksPicture(at: now) else {
            feeds[index].lack = nil
            return
        }
        let lack = feeds[index].lack ?? .init(since: wall)
        let isStall =
            clocks[feeds[index].group].clock.motion == .running && wall >= lack.since + Marks.Spinner.patience
        if isStall, !lack.isStall { feeds[index].health.stalls += 1 }
        feeds[index].lack = .init(since: lack.since, isStall: lack.isStall || isStall)
    }

    private func view(
        of tile: TileID, in frame: Rect, showing shown: (picture: Feed.Shown, stamp: Stamp)?
    ) -> View {
        let (layout, look) = (tiles[tile].layout, tiles[tile])
        let feed = feeds[tiles[tile].feed]
        let isPoster = feed.last == nil
        if isPoster, let image = look.poster.image {
            let (crop, target) = TileGeometry.fit(
                natural: image.natural, turn: .none, flip: .none, crop: .all, fit: layout.fit, frame: frame)
            return View(
                tile: tile, frame: frame,
                content: .picture(image, stamp: Stamp(posterOf: tile), crop: crop, target: target),
                label: layout.label)
        }
        guard let shown, !hasSound(feed) else {
            return View(
                tile: tile, frame: frame, content: .card(name: layout.id, detail: detail(of: feed)),
                label: layout.label)
        }
        let item = look.look(ofItem: shown.picture.item)
        let natural = shown.picture.picture.natural
        let (crop, target) = TileGeometry.fit(
            natural: item.turn.isSideways ? Size(natural.height, natural.width) : natural, turn: item.turn,
            flip: item.flip,
            crop: item.crop, fit: layout.fit, frame: frame)
        return View(
            tile: tile, frame: frame,
            content: .picture(shown.picture.picture, stamp: shown.stamp, crop: crop, target: target),
            label: layout.label)
    }

    /// A sound is on: it has no picture of its own, and the picture before it is over.
    func hasSound(_ feed: Feed) -> Bool {
        if let poster = feed.poster, case .whole = poster.loading, feed.last == nil { return poster.pictures.isEmpty }
        guard let front = feed.slots.first, case .whole = front.loading else { return false }
        return front.isStill && front.pictures.isEmpty
    }

    /// What a card says: what the tile waits for, or why it can't play.
    private func detail(of feed: Feed) -> String {
        if let trouble = feed.trouble { return feed.words(for: trouble) }
        if hasSound(feed) { return "sound" }
        if !feed.hasSeat { return "waits for its turn" }
        guard let front = feed.slots.first else { return "opening" }
        let name = feed.timeline.piece(of: front.run).source.split(separator: "/").last.map(String.init) ?? ""
        switch front.loading {
        case .planned, .opening: return "opening \(name)"
        case .ready, .leased: return "waiting for its first picture"
        case .whole, .failed: return name
        }
    }

    /// The scene that was asked for last is on the screen. Only now is it reported.
    public mutating func presented(at wall: Time) {
        for drawing in output.takeDrawn() {
            guard feeds.contains(drawing.feed),
                let index = feeds[drawing.feed].slots.firstIndex(where: { $0.id == drawing.slot }),
                let entry = feeds[drawing.feed].slots[index].pictures.firstIndex(where: { $0.serial == drawing.serial }
                ),
                !feeds[drawing.feed].slots[index].pictures[entry].isShown
                    || feeds[drawing.feed].presentedSerial != drawing.serial
            else { continue }
            feeds[drawing.feed].slots[index].pictures[entry].isShown = true
            feeds[drawing.feed].presentedSerial = drawing.serial
            report(feeds[drawing.feed].slots[index].pictures[entry], feed: drawing.feed, slot: index, at: wall)
        }
        if clocks.isWaiting || clocks.isJumping { update(at: wall) }
        // They waited for the others' pictures.
        if clocks.isJumping { orders.wakePipelines(pool.pipelines.indices) }
    }

    private mutating func report(_ entry: Slot.Entry, feed: FeedID, slot index: Int, at wall: Time) {
        let slot = feeds[feed].slots[index]
        let clock = clocks[feeds[feed].group].clock
        let due = slot.start.flatMap { clock.wallTime(of: max($0 + entry.offset, $0 + slot.entry)) }
        let late = due.map { max(.zero, wall - $0) } ?? .zero
        feeds[feed].health.presented += 1
        if late > output.refreshInterval, clock.motion == .running { feeds[feed].health.late += 1 }
        if feeds[feed].health.startup == nil { feeds[feed].health.startup = wall }
        let isSeam = feeds[feed].lastRun.map { $0 != slot.run && slot.arrival == .follows } ?? false
        feeds[feed].lastRun = slot.run
        noteItem(of: feed, slot, at: wall)
        feeds[feed].presented = .init(run: slot.run, offset: entry.offset)
        for tile in feeds[feed].views {
            if isSeam {
                let reason = late > output.refreshInterval ? reason(of: slot, due: due ?? wall) : nil
                tell(.seam(tile: tiles[tile].name, run: slot.run, how: slot.how, late: late, reason: reason), at: wall)
            }
            tell(.picture(tile: tiles[tile].name, run: slot.run, pts: entry.pts, due: due ?? wall), at: wall)
        }
    }

    /// Why a seam was late.
    private func reason(of slot: Slot, due: Time) -> String {
        if let opened = slot.openedAt, opened > due { return "its source was not open in time" }
        if let leased = slot.leasedAt, leased > due { return "no pipeline was free in time" }
        if let ready = slot.readyAt, ready > due { return "its first picture was not decoded in time" }
        return "the display was late"
    }
}

// What the whole wall looks like from outside.
extension Wall {
    public enum Outlook: Sendable {
        /// Some tile has nothing to show yet, and may soon.
        case incomplete
        case playing
        /// After the last picture of each tile.
        case over
        /// Every source failed its first opening.
        case barren
    }

    public var outlook: Outlook {
        if isBarren { return .barren }
        if feeds.allSatisfy({ $0.phase == .ended }) { return .over }
        let isComplete = feeds.allSatisfy { feed in
            feed.last != nil || feed.posterPicture != nil || feed.phase != .playing || feed.trouble != nil
                || hasSound(feed)
                || feed.views.allSatisfy { tiles[$0].poster.image != nil }
        }
        return isComplete ? .playing : .incomplete
    }
}
