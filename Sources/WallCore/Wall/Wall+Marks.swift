// What each tile says over its picture: pulled when a scene is made, never pushed.
extension Wall {
    /// Adds to the scene what can be seen of marks now; says when a mark changes by itself.
    public mutating func mark(_ scene: inout Scene, _ visible: MarksVisibility.Visibility, at wall: Time)
        -> Time?
    {
        var next: Time?
        for index in scene.views.indices {
            let tile = scene.views[index].tile
            let (marks, change) = marks(of: tile, visible, at: wall)
            scene.views[index].marks = marks
            if let change { next = next.map { min($0, change) } ?? change }
        }
        scene.overlay = Overlay(
            help: visible.help == .on ? KeyTable.lines : [], info: visible.marks == .on ? loudness : [])
        return next
    }

    /// The wall's volume, once it was changed, and its mute.
    private var loudness: [String] {
        if hearing.isMuted { return ["the wall is muted"] }
        return hearing.volume == layout.audio.volume ? [] : ["volume \(hearing.volume)"]
    }

    /// What the wall as a whole is doing.
    private var wholeWall: String {
        let seated = feeds.count { $0.hasSeat }
        return "\(pool.leased) of \(pool.limit) pipelines decode, \(seated) of \(feeds.count) feeds play"
    }

    private func marks(of tile: TileID, _ visible: MarksVisibility.Visibility, at wall: Time) -> (Marks?, next: Time?) {
        let feed = feeds[tiles[tile].feed]
        var marks = Marks()
        var next: Time?
        if let since = waitingSince(feed) {
            let due = Marks.Spinner.due(waitingSince: since, at: wall)
            (marks.spinner, next) = (due.spinner, due.next)
        }
        if let trouble = lastingTrouble(of: feed), feed.screen.last != nil {
            marks.reasons = [.trouble(feed.words(for: trouble))]
        }
        if tile == focus { marks.focusFrame = visible.focusFrame }
        if visible.marks == .on {
            let group = clocks[feed.group]
            marks.progress = progress(of: feed, at: wall)
            if tile == focus { marks.states.append(.focus) }
            if tile == focus, let why = whyUnheard(tile) { marks.reasons.append(.sound(why.words)) }
            if group.clock.motion == .standing, case .going = group.phase { marks.states.append(.paused) }
            marks.rate = group.clock.rate.markText
        }
        if visible.info == .on { marks.info = info(of: tile, feed) }
        return (marks == Marks() ? nil : marks, next)
    }

    /// Since when the tile has had nothing to show that is due.
    private func waitingSince(_ feed: Feed) -> Time? {
        guard feed.phase == .playing, feed.hasSeat else { return nil }
        if let lack = feed.screen.lack { return lack.since }
        return feed.screen.last == nil && !feed.playsOnlySound ? beganAt : nil
    }

    private func lastingTrouble(of feed: Feed) -> SourceTrouble? {
        switch feed.phase {
        case .barren, .hopeless: feed.trouble.latest
        case .ended: feed.onError == .stop ? feed.trouble.latest : nil
        case .playing: nil
        }
    }

    private func progress(of feed: Feed, at wall: Time) -> Marks.Progress? {
        guard let front = feed.slots.first, let place = placeByClock(of: feed, at: wall) else { return nil }
        let isStanding = clocks[feed.group].clock.motion == .standing
        return Marks.Progress(
            position: place.position, length: place.length, item: front.run.item, of: feed.timeline.items.count,
            isStanding ? .hundredths : .seconds)
    }

    /// How far its item is, by the clock.
    func placeByClock(of feed: Feed, at wall: Time) -> (position: Time, length: Time?)? {
        guard let front = feed.slots.first, let start = front.start else { return nil }
        let before = feed.timeline.length(ofPiecesBefore: front.run)
        let position = group(of: feed).clock.position(at: wall) - start + before
        return (position, feed.timeline.itemLength(front.run.item))
    }

    private func whoDecodes(_ feed: Feed) -> String {
        if let pipeline = feed.slots.first?.pipeline { return "pipeline \(pipeline)" }
        return feed.hasSeat ? "decoded" : "waits for its turn"
    }

    private func info(of tile: TileID, _ feed: Feed) -> [String] {
        var lines = [tiles[tile].layout.id]
        if let front = feed.slots.first {
            lines.append(SourceName.fileName(of: feed.timeline.piece(of: front.run).source))
            if let picture = feed.screen.last?.picture {
                lines.append(
                    "\(picture.natural.width)x\(picture.natural.height) as \(picture.size.width)x\(picture.size.height)"
                )
            }
            lines.append(whoDecodes(feed))
        }
        if tile == focus { lines.append(wholeWall) }
        lines.append("late \(feed.screen.health.late), missed \(feed.screen.health.missed)")
        if feed.decoding.step > .nothing { lines.append("leaves out: \(feed.decoding.step.words)") }
        return lines
    }
}
