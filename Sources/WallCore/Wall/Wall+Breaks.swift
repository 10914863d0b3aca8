// Breaks: items that are put into some tiles' sequences, and taken out when they have been played.
extension Wall {
    /// So long before it begins the first item of a break must be known, to be there in time.
    private static var warmUp: Time { .milliseconds(300) }

    mutating func updateBreaks(at wall: Time) {
        guard !breaks.all.isEmpty, beganAt != nil else { return }
        // A layout may have taken its tiles away, or given them other sequences.
        for name in breaks.all.filter(\.isOn).map(\.layout.name) { endIfOver(name, at: wall) }
        if !breaks.onTiles.isEmpty { settleBreaks(at: wall) }
        if let next = breaks.wake(at: wall) { orders.scheduleUpdate(at: next) }
        for due in breaks.all where due.isWaiting && !due.isOn { begin(due.layout, at: wall) }
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
        if let name { return breaks.ask(name) }
        let interrupted = tiles.order.filter { breaks.onTiles[$0] != nil }
        for tile in interrupted { leaveBreak(of: tile, at: wall) }
        return !interrupted.isEmpty
    }

    // MARK: how they begin

    /// It waits while one of its tiles is in another.
    private mutating func begin(_ due: BreakLayout, at wall: Time) {
        let members = layout.tiles(of: due).compactMap(tiles.id(named:)).filter { !tiles[$0].play.isEmpty }
        let isFree = members.allSatisfy { tile in
            breaks.onTiles[tile] == nil && !breaks.all.contains { $0.isOn && $0.entering.contains(tile) }
        }
        guard !members.isEmpty, isFree else { return }
        breaks.begin(due.name, entering: Set(members))
    }

    /// What becomes of a tile's item before a break.
    private enum Entry {
        /// It is played to its end.
        case atEnd(RunID, begin: Time? = nil)
        /// The same; afterwards its last picture is shown again, until the others of its group have ended.
        case atEndHeld(Interruption, begin: Time)
        case interrupting(Interruption)
    }

    /// Each tile whose item is near enough to where the break begins; those that share a feed go on sharing it.
    private mutating func enterBreak(_ playing: Breaks.Break, at wall: Time) {
        let members = playing.entering.filter { tiles.contains($0) && breaks.onTiles[$0] == nil }.sorted()
        let entries: [(tile: TileID, entry: Entry)]
        if playing.layout.isTogether {
            // After so many items of the first of its tiles it is that one's which counts.
            let first = layout.tiles(of: playing.layout).first.flatMap(tiles.id(named:))
            let counted = playing.layout.isByItemsAlone ? members.filter { $0 == first } : members
            guard let begin = counted.compactMap({ endOfItem(on: $0, before: playing.layout, at: wall) }).min() else {
                return
            }
            let whole = groups(allIn: Set(members))
            entries = members.compactMap { tile in
                entry(of: tile, to: begin, before: playing.layout, pausing: whole, at: wall).map { (tile, $0) }
            }
            for group in groups(allIn: Set(entries.map(\.tile))) {
                clocks[group].beginBreak(playing.layout.name, at: clocks[group].clock.position(at: begin))
            }
        } else {
            entries = members.compactMap { tile in
                entry(of: tile, before: playing.layout, at: wall).map { (tile, $0) }
            }
        }
        if entries.isEmpty { return }
        breaks.entered(playing.layout.name, Set(entries.map(\.tile)))
        let isCut = playing.layout.isTogether && entries.count > 1
        let edits = entries.map { tile, entry -> TileEdit in
            let before = tiles[tile].layout
            let onBreak =
                switch entry {
                case .atEnd(let run, _): TileBreak(playing.layout, in: before.play, run, nil, isCut: isCut)
                case .atEndHeld(let interruption, _), .interrupting(let interruption):
                    TileBreak(playing.layout, in: before.play, interruption.run, interruption, isCut: isCut)
                }
            breaks.onTiles[tile] = onBreak
            tiles[tile].layout.play = onBreak.play
            return TileEdit(from: before, to: tiles[tile].layout)
        }
        var entered: [FeedID: TileBreak] = [:]
        for (tile, _) in entries { entered[tiles[tile].feed] = breaks.onTiles[tile] }
        resequence(edits, at: wall) { feed, run in entered[feed]?.entered(run) ?? run }
        for (tile, entry) in entries {
            switch entry {
            // It may have waited for the others since it ended.
            case .atEnd(let run, let begin): delay(tile, after: run, to: begin)
            case .atEndHeld(let interruption, let begin): delay(tile, after: interruption.run, to: begin)
            case .interrupting(let interruption): shorten(tiles[tile].feed, to: interruption.played)
            }
        }
        orders.wakePipelines(pool.pipelines.indices)
    }

    /// Groups of which all tiles are among these.
    private func groups(allIn entering: Set<TileID>) -> [GroupID] {
        clocks.ids.filter { group in
            let members = feeds.filter { $0.group == group && !$0.isLive && !$0.tiles.isEmpty }.flatMap(\.tiles)
            return !members.isEmpty && entering.isSuperset(of: members)
        }
    }

    private mutating func delay(_ tile: TileID, after run: RunID, to begin: Time?) {
        guard let begin else { return }
        feeds[tiles[tile].feed].delay(RunID(pass: run.pass, item: run.item + 1), to: begin)
    }

    private mutating func shorten(_ feed: FeedID, to offset: Time) {
        guard let front = feeds[feed].slots.first, front.shortenedTo == nil else { return }
        feeds[feed].shortenFront(to: offset, &orders)
    }

    /// So long before the end of what it follows its first item must be known: it begins earlier by its fade.
    private func lead(of due: BreakLayout, in feed: Feed) -> Time {
        Self.warmUp + (due.play.first?.transition ?? feed.timeline.transition).length
    }

    private func entry(of tile: TileID, before due: BreakLayout, at wall: Time) -> Entry? {
        let feed = feeds[tiles[tile].feed], lead = lead(of: due, in: feed)
        guard due.when == .now, feed.phase == .playing, feed.hasSeat, let front = feed.slots.first,
            let start = front.start
        else { return placeForBreak(in: feed, lead, at: wall).map { .atEnd($0) } }
        let clock = clocks[feed.group].clock
        let begin = feed.beginningOfPicture(from: clock.position(at: wall) + lead.played(at: clock.rate), start)
        if let end = front.end, begin >= end { return placeForBreak(in: feed, lead, at: wall).map { .atEnd($0) } }
        return .interrupting(feed.interruption(at: begin))
    }

    /// Where others end their item at this wall time.
    private func entry(
        of tile: TileID, to begin: Time, before due: BreakLayout, pausing: [GroupID], at wall: Time
    ) -> Entry? {
        let feed = feeds[tiles[tile].feed], lead = lead(of: due, in: feed)
        guard feed.phase == .playing, let front = feed.slots.first, front.start != nil else {
            return placeForBreak(in: feed, lead, at: wall).map { .atEnd($0) }
        }
        let instant = clocks[feed.group].clock.position(at: begin)
        if let end = feed.endOfItem(from: 0), end <= instant + .milliseconds(1) {
            let isPausing = pausing.contains(feed.group)
            // One that waited till then, and goes on when the break is over, waits for that alone.
            let hold = isPausing ? feed.hold(in: clocks[feed.group], from: instant) : nil
            return hold.map { .atEndHeld($0, begin: instant) } ?? .atEnd(front.run, begin: instant)
        }
        // Another run is on then, of which nothing is known: it comes after its item.
        guard front.end.map({ $0 > instant }) ?? true else {
            return placeForBreak(in: feed, lead, at: wall).map { .atEnd($0) }
        }
        return .interrupting(feed.interruption(at: instant))
    }

    /// In wall time: when the item of a tile ends after which the break can be there in time; nil: nobody knows.
    private func endOfItem(on tile: TileID, before due: BreakLayout, at wall: Time) -> Time? {
        let feed = feeds[tiles[tile].feed]
        guard placeForBreak(in: feed, lead(of: due, in: feed), at: wall) != nil,
            let end = feed.endOfItem(from: 0)
        else { return nil }
        return clocks[feed.group].clock.wallTime(of: end)
    }

    /// The run after whose item a break can be there in time; nil: after a later one.
    private func placeForBreak(in feed: Feed, _ lead: Time, at wall: Time) -> RunID? {
        guard let front = feed.slots.first else { return nil }
        if feed.phase == .ended { return front.run }
        guard feed.phase == .playing, feed.hasSeat else { return nil }
        if feed.isReplayable(0) { return front.run }
        // Of an unknown length: what follows is being decoded where it is nearly over.
        guard let end = feed.endOfItem(from: 0) else { return feed.slots.count == 1 ? front.run : nil }
        return end - clocks[feed.group].clock.position(at: wall) >= lead ? front.run : nil
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
        let isFirst = !breaks.onTiles.values.contains { $0.name == onBreak.name && $0.isShown }
        breaks.onTiles[tile]?.isShown = true
        if isFirst { tell(.breakChange(name: onBreak.name, .started), at: wall) }
    }

    private mutating func endIfOver(_ name: String, at wall: Time) {
        let isEntering = breaks.entering(name).contains(where: tiles.contains)
        guard !isEntering, !breaks.onTiles.values.contains(where: { $0.name == name }) else { return }
        breaks.end(name, at: wall)
        tell(.breakChange(name: name, .ended), at: wall)
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
            if former[feed] == nil, let front = feeds[feed].slots.first?.run,
                let played = breaks.onTiles[tile]?.playedBefore(front)
            {
                feeds[feed].goOn(after: played)
            }
            former[feed] = breaks.onTiles[tile]
            tiles[tile].layout = layoutWithoutBreak(of: tile)
            breaks.onTiles[tile] = nil
            return TileEdit(from: before, to: tiles[tile].layout)
        }
        resequence(edits, at: wall) { feed, run in former[feed]?.placed(run) ?? nil }
        for feed in former.keys.sorted() { feeds[feed].relearnFront() }
    }

    /// A tile goes on at once with what follows the break that it is in, or waits for.
    mutating func leaveBreak(of tile: TileID, at wall: Time) {
        guard let onBreak = breaks.onTiles[tile] else { return }
        let feed = tiles[tile].feed, sharing = feeds[feed].tiles
        let front = feeds[feed].slots.first?.run
        let group = feeds[feed].group
        let now = clocks[group].clock.position(at: wall)
        clocks[group].noteEnd(ofBreak: onBreak.name, at: now)
        if let front, onBreak.placed(front) == nil, onBreak.interruption != nil {
            // What it interrupted goes on where it stopped.
            let rest = RunID(pass: onBreak.run.pass, item: onBreak.items.upperBound)
            return feeds[feed].go(to: rest, at: now, &orders)
        }
        restore(sharing.filter { breaks.onTiles[$0] != nil }, at: wall)
        if let front, onBreak.placed(front) == nil {
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
    /// When the item of a slot ends, all its rounds and pieces; nil: that is not known yet.
    fileprivate func endOfItem(from index: Int) -> Time? {
        let run = slots[index].run
        guard let start = slots[index].start, let passed = timeline.offset(of: run),
            let span = timeline.span(ofItem: run.item)
        else { return nil }
        return start - passed + timeline.start(ofItem: run.item) + span
    }

    /// Of its front: the first that begins then or later, in group time; as far as it is known.
    fileprivate func beginningOfPicture(from instant: Time, _ start: Time) -> Time {
        let known = slots[0].pictures.lazy.map { start + $0.offset }
        if let first = known.first(where: { $0 >= instant }) { return first }
        guard let last = known.last, let length = sources.facts(of: slots[0].location)?.pictureLength, length > .zero
        else { return instant }
        let lasting = length.lasting(at: timeline.rate(of: slots[0].run))
        return last + lasting * ((instant - last).ticks / lasting.ticks + 1)
    }

    /// Its front goes on with what was interrupted after it had been played for so long.
    fileprivate mutating func goOn(after played: Time) { slots[0].comeBack(after: played) }

    /// In its own sequence the item that was interrupted is whole again.
    fileprivate mutating func relearnFront() {
        guard let front = slots.first, timeline.length(of: front.run) == nil else { return }
        timeline.learn(front.length, of: front.run)
    }

    /// Its front, at this group time.
    fileprivate func interruption(at instant: Time) -> Interruption {
        let front = slots[0], played = instant - (front.start ?? instant)
        return Interruption(
            run: front.run,
            media: timeline.piece(of: front.run).start + played.played(at: timeline.rate(of: front.run)),
            played: played, left: front.length.map { $0 - played },
            kind: isLive(front.run) ? .live : front.isStill ? .still : .film)
    }

    /// Where its pass has ended when its front has, and the others of its group have not: its last picture.
    fileprivate func hold(in group: Group, from instant: Time) -> Interruption? {
        let front = slots[0]
        guard group.isTogether, timeline.next(after: front.run) == nil, let end = front.end, let length = front.length,
            let next = group.passes.nextStart, next > max(end, instant) + .milliseconds(1),
            let picture = front.isStill ? .milliseconds(40) : sources.facts(of: front.location)?.pictureLength
        else { return nil }
        let rate = timeline.rate(of: front.run), last = picture.lasting(at: rate), played = max(.zero, length - last)
        return Interruption(
            run: front.run, media: timeline.piece(of: front.run).start + played.played(at: rate), played: played,
            left: length - played, kind: front.isStill ? .still : .film, isHeld: true)
    }

    /// A break follows there; what was decoded behind it is not wanted.
    fileprivate mutating func shortenFront(to offset: Time, _ orders: inout Orders) {
        let isDecoded = slots[0].decodedTo >= offset
        slots[0].shorten(to: offset)
        timeline.learn(offset, of: slots[0].run)
        screen.interruptItem()
        guard isDecoded, !slots[0].isLeased, !slots[0].isWhole else { return }
        retire(slots[0], &orders)
        slots[0].end(offset)
    }
}

extension Slot {
    /// Something of it was shown.
    fileprivate var isOnScreen: Bool { isStill || pictures.contains(where: \.isShown) || dueIndex > 0 }
}
