// Breaks: items that are put into some tiles' sequences, and taken out when they have been played.
extension Wall {
    mutating func updateBreaks(at wall: Time) {
        guard !breaks.all.isEmpty, beganAt != nil else { return }
        // A layout may have taken its tiles away, or given them other sequences.
        for name in breaks.all.filter(\.isOn).map(\.layout.name) { endIfOver(name, at: wall) }
        if !breaks.onTiles.isEmpty { settleBreaks(at: wall) }
        if let next = breaks.wake(at: wall) { orders.scheduleUpdate(at: next) }
        beginBreaks(at: wall)
        for playing in breaks.all where playing.isOn && !playing.entering.isEmpty { enterBreak(playing, at: wall) }
    }

    /// An item of a tile has come to its end.
    mutating func noteItemEnd(of tile: TileID) {
        guard !breaks.all.isEmpty, breaks.onTiles[tile] == nil else { return }
        let id = tiles[tile].layout.id
        for known in breaks.all where layout.tiles(of: known.layout).first == id {
            breaks.itemEnded(before: known.layout.name)
        }
    }

    /// The break that a user names plays as soon as it can; nil: those that play are over. false: there is none.
    mutating func changeBreak(_ name: String?, at wall: Time) -> Bool {
        if let name { return breaks.ask(name, at: wall) }
        let interrupted = tiles.order.filter { breaks.onTiles[$0] != nil }
        breaks.stopEntering()
        for tile in interrupted { leaveBreak(of: tile, at: wall) }
        return !interrupted.isEmpty
    }

    /// As it was loaded, and changed by hand since.
    func layoutWithoutBreak(of tile: TileID) -> TileLayout {
        var layout = tiles[tile].layout
        if let onBreak = breaks.onTiles[tile] { layout.play = onBreak.base }
        return layout
    }

    // MARK: how they end

    /// Tiles whose break is over play their own sequence again.
    private mutating func settleBreaks(at wall: Time) {
        var over: [TileID] = []
        for (tile, onBreak) in breaks.onTiles.sorted(by: { $0.key < $1.key }) {
            guard let front = feeds[tiles[tile].feed].slots.first else { continue }
            // What of the break is still seen.
            let isFading = feeds[tiles[tile].feed].leaving?.slot.map { onBreak.placed($0.run) == nil } ?? false
            if onBreak.isOver(at: front.run), front.isOnScreen, !isFading { over.append(tile) }
        }
        if over.isEmpty { return }
        for tile in over {
            let feed = feeds[tiles[tile].feed]
            guard let name = breaks.onTiles[tile]?.name, let front = feed.slots.first, let start = front.start else {
                continue
            }
            clocks[feed.group].noteEnd(ofBreak: name, at: start + front.fade)
        }
        let names = Set(over.compactMap { breaks.onTiles[$0]?.name })
        restore(over, at: wall)
        for name in names.sorted() { endIfOver(name, at: wall) }
    }

    /// Those whose first item has taken over.
    mutating func noteBreaks(at wall: Time) {
        for (tile, onBreak) in breaks.onTiles where !onBreak.isShown {
            guard let run = feeds[tiles[tile].feed].slots.first?.run, onBreak.items.contains(run.item),
                run.pass == onBreak.run.pass
            else { continue }
            noteShown(onBreak, of: tile, at: wall)
        }
    }

    private mutating func noteShown(_ onBreak: TileBreak, of tile: TileID, at wall: Time) {
        breaks.onTiles[tile]?.isShown = true
        if breaks.noteShown(onBreak.name) { tell(.breakChange(name: onBreak.name, .started), at: wall) }
    }

    private mutating func endIfOver(_ name: String, at wall: Time) {
        let isEntering = breaks.entering(name).contains(where: tiles.contains)
        guard !isEntering, !breaks.onTiles.values.contains(where: { $0.name == name }) else { return }
        if breaks.end(name, at: wall) { tell(.breakChange(name: name, .ended), at: wall) }
        for group in clocks.ids {
            guard let length = clocks[group].endBreak(name) else { continue }
            for feed in feeds.ids where feeds[feed].group == group && !feeds[feed].isLive {
                feeds[feed].windBack(by: length)
            }
            tellClock(group, at: wall)
        }
    }

    private mutating func restore(_ past: [TileID], at wall: Time) {
        var former: [FeedID: TileBreak] = [:]
        let edits = past.map { tile -> TileEdit in
            let before = tiles[tile].layout, feed = tiles[tile].feed
            if former[feed] == nil, let front = feeds[feed].slots.first?.run, let onBreak = breaks.onTiles[tile] {
                if let played = onBreak.playedBefore(front) {
                    feeds[feed].goOn(after: played)
                } else if front == onBreak.run, let interruption = onBreak.interruption {
                    feeds[feed].goOn(instead: interruption, &orders)
                }
            }
            former[feed] = breaks.onTiles[tile]
            tiles[tile].layout = layoutWithoutBreak(of: tile)
            breaks.onTiles[tile] = nil
            return TileEdit(from: before, to: tiles[tile].layout)
        }
        resequence(edits, at: wall) { feed, run in former[feed]?.placed(run) ?? nil }
        for feed in former.keys.sorted() { feeds[feed].relearnFront() }
    }

    /// A tile goes on at once with what follows the break that it is in, or waits for: with what it interrupted where
    /// that stopped.
    mutating func leaveBreak(of tile: TileID, at wall: Time) {
        guard let onBreak = breaks.onTiles[tile] else { return }
        let feed = tiles[tile].feed, sharing = feeds[feed].tiles
        let front = feeds[feed].slots.first?.run
        let group = feeds[feed].group
        let now = clocks[group].clock.position(at: wall)
        clocks[group].noteEnd(ofBreak: onBreak.name, at: now)
        restore(sharing.filter { breaks.onTiles[$0] != nil }, at: wall)
        if let front, onBreak.placed(front) == nil, let interruption = onBreak.interruption {
            feeds[feed].goOn(with: interruption, at: now, &orders)
        } else if let front, onBreak.placed(front) == nil {
            let next = RunID(pass: front.pass, item: onBreak.run.item + 1)
            let run = next.item < onBreak.base.count ? next : RunID(pass: front.pass + 1)
            if feeds[feed].timeline.takesPart(inPass: run.pass) {
                feeds[feed].go(to: run, at: now, &orders)
            }
        }
        endIfOver(onBreak.name, at: wall)
    }
}

extension Feed {
    /// Its front goes on with what was interrupted after it had been played for so long.
    fileprivate mutating func goOn(after played: Time) { slots[0].comeBack(after: played) }

    /// It goes on with what was interrupted, when the picture is there that was to follow.
    fileprivate mutating func goOn(with interruption: Interruption, at now: Time, _ orders: inout Orders) {
        let run = interruption.run
        dropSlots(&orders)
        phase = .playing
        screen.enter(because: .command)
        if timeline.length(of: run) == nil, let left = interruption.left {
            timeline.learn(interruption.played + left, of: run)
        }
        anchor.set(run.pass, at: now - (timeline.offset(of: run) ?? .zero) - interruption.played)
        anchor.awaitFirstPicture()
        slots = [makeSlot(run, start: nil, entry: interruption.kind == .live ? .zero : interruption.played)]
        slots[0].enter()
    }

    /// Nothing interrupts its front after all.
    fileprivate mutating func goOn(instead interruption: Interruption, _ orders: inout Orders) {
        guard slots[0].shortenedTo != nil else { return }
        // Its pipeline may have left behind what was not wanted.
        if slots[0].isLeased { retire(slots[0], &orders) }
        slots[0].lengthen(to: interruption.left.map { interruption.played + $0 }, id: newSlotID())
        screen.goOnWithItem()
    }

    /// In its own sequence the item that was interrupted is whole again.
    fileprivate mutating func relearnFront() {
        guard let front = slots.first, timeline.length(of: front.run) == nil else { return }
        timeline.learn(front.length, of: front.run)
    }
}

extension Slot {
    /// Something of it was shown.
    fileprivate var isOnScreen: Bool { isStill || pictures.contains(where: \.isShown) || dueIndex > 0 }
}
