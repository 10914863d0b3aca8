import Base
import Commands
import Layout
import Scene

// Marks that tiles show over their frames, computed whenever a scene is made.
extension Wall {
    /// Adds the marks that are visible now to the scene. Tiles of a blind test have none. Returns the wall time at
    /// which a mark changes without an event.
    public mutating func mark(_ scene: inout Scene, _ visible: MarksVisibility.Visibility, at now: Time)
        -> Time?
    {
        var next: Time?
        var visible = visible
        if figures.isOn { visible.marks = .on }
        let pointed = visible.pointer.flatMap { output.tile(at: $0, of: tiles.order) }
        let spot = figures.isOn ? visible.pointer.flatMap { placeInFrame($0, in: scene) } : nil
        if figures.isOn { orderFigures(of: scene, at: now) }
        for index in scene.views.indices where blindTest == nil {
            let extent: MarksPlaces.InfoExtent =
                scene.views[index].tile == pointed || spot != nil ? .whole : .short
            var (marks, change) = marks(of: scene.views[index], visible, extent, at: now)
            if figures.isOn {
                marks = addFigures(
                    to: marks, of: scene.views[index], under: spot, extent, within: scene.size.width / 3, at: now)
            }
            scene.views[index].marks = marks
            if let change { next = next.map { min($0, change) } ?? change }
        }
        markUnseenRecording(in: &scene)
        scene.overlay = Overlay(
            help: visible.help == .on ? keys.lines : [],
            foot: visible.info == .on && OverlayPlaces(in: scene.size).hasFoot ? pipelinesInfo : nil)
        scene.showNotice(lines: wholeWall(visible, &next, at: now))
        return next
    }

    /// Marks another tile as recording if the tile with the open microphone is not on the screen.
    private func markUnseenRecording(in scene: inout Scene) {
        guard let tile = takes.session?.tile, blindTest == nil, !scene.views.isEmpty,
            !scene.views.contains(where: { $0.tile == tile })
        else { return }
        var marks = scene.views[0].marks ?? Marks()
        marks.states.removeAll { $0 == .microphone }
        marks.states.insert(.recording, at: 0)
        scene.views[0].marks = marks
    }

    /// Returns the lines that concern the wall as a whole.
    private func wholeWall(
        _ visible: MarksVisibility.Visibility, _ next: inout Time?, at now: Time
    ) -> [String] {
        var lines: [String] = []
        if let announcement, now < announcement.until {
            lines.append(announcement.text)
            next = next.map { min($0, announcement.until) } ?? announcement.until
        }
        if visible.marks == .on, audioState.isMuted { lines.append("the wall is muted") }
        if visible.marks == .on || blindTest != nil, let notice, now < notice.until {
            lines.append(notice.text)
            next = next.map { min($0, notice.until) } ?? notice.until
        }
        return lines
    }

    private func marks(
        of view: View, _ visible: MarksVisibility.Visibility, _ extent: MarksPlaces.InfoExtent, at now: Time
    ) -> (Marks?, next: Time?) {
        let tile = view.tile
        let feed = feeds[tiles[tile].feed]
        var marks = Marks()
        var next: Time?
        if !layout.hidesMessages, let since = waitingSince(feed) {
            let due = Marks.Spinner.due(waitingSince: since, at: now)
            (marks.spinner, next) = (due.spinner, due.next)
            if case .card = view.content { marks.spinner?.isOnCard = true }
        }
        if layout.showsErrors {
            if let trouble = lastingTrouble(of: feed), feed.screen.last != nil {
                marks.reasons = [.trouble(feed.words(for: trouble))]
            }
            marks.reasons += missingMembers(of: tile)
        }
        (marks.sides, marks.wipe) = (sides(of: view, visible), wipe(of: view, visible))
        let (old, change) = staleness(of: tile, feed, at: now)
        if let old { mark(old, on: view, &marks) }
        if let change { next = next.map { min($0, change) } ?? change }
        // Shown even while other marks are hidden.
        if takes.session?.tile == tile {
            marks.states.append(.recording)
        } else if tile == focus, audioState.monitored != .closed {
            marks.states.append(.microphone)
        }
        if tile == focus { marks.focusBorder = visible.focusBorder }
        if visible.marks == .on {
            let group = clocks[feed.group]
            if let reason = unseen(feed, in: view) { marks.reasons.append(reason) }
            marks.reasons += absentMembers(of: tile, at: now)
            marks.progress = progress(of: feed, at: now)
            if let mark = soundMark(tile) { marks.states.append(mark) }
            // A muted tile has a mark of its own.
            if tile == focus, let why = whyUnheard(tile), why != .muted, why != .wallMuted {
                marks.reasons.append(.sound(why.words))
            }
            if group.isAlone {
                marks.states.append(.ownClock)
                marks.reasons.append(.ownClock)
            }
            if group.clock.motion == .standing, case .going = group.phase { marks.states.append(.paused) }
            marks.rate = group.clock.rate.markText
            let player = player(of: tile)
            marks.key = Marks.text(ofKey: tiles[player].look(ofItem: presentItem(of: player)).key)
        }
        if visible.info == .on {
            let places = MarksPlaces(in: view.marksRect)
            // On a small frame the time matters more than why the tile is silent.
            if !places.hasRoomForTime(below: marks) { marks.reasons.removeAll(where: \.isOfSound) }
            if places.hasRoomForTime(below: marks) { marks.time = timeOfFrame(of: feed) }
            marks.info = Array(info(of: tile).prefix(places.mostInfo(below: marks, extent)))
        }
        return (marks == Marks() ? nil : marks, next)
    }

    /// Dims the outdated frame of a live source, so that it does not look new. The reason is added only if the layout
    /// shows errors.
    private func mark(_ staleness: Staleness, on view: View, _ marks: inout Marks) {
        let isPoster = feeds[tiles[view.tile].feed].screen.last == nil && tiles[view.tile].poster.image != nil
        if case .card = view.content { return }
        if case .frozen = staleness {} else { marks.isDimmed = !isPoster }
        guard layout.showsErrors else { return }
        switch staleness {
        case .waits: marks.reasons.append(.waitsForDecoder)
        case .noFrame(let age?): marks.reasons.append(.noNewFrame(age.ageText))
        case .noFrame(nil): break
        case .frozen(let time): marks.reasons.append(.frozen(time.ageText))
        }
    }

    /// Adds the figures of a tile above its other lines.
    private func addFigures(
        to marks: Marks?, of view: View, under spot: (x: Double, y: Double)?, _ extent: MarksPlaces.InfoExtent,
        within width: Int, at now: Time
    ) -> Marks {
        var marks = marks ?? Marks()
        if marks.progress?.fraction != nil { marks.plot = figurePlot(of: view.tile) }
        let info = marks.info, places = MarksPlaces(in: view.marksRect)
        marks.info = []
        let (lines, text) = places.figures(figureLines(of: view.tile, under: spot, at: now), within: width)
        marks.figures = Array(lines.prefix(places.mostInfo(below: marks, extent)))
        (marks.figuresText, marks.figuresWidth) = (text, width)
        marks.info = Array(info.prefix(places.mostInfo(below: marks, extent)))
        return marks
    }

    /// Returns why a tile's frame stands still or is missing. A card states its reason itself.
    private func unseen(_ feed: Feed, in view: View) -> Marks.Reason? {
        guard case .frame(let frame, _, _, _) = view.content, feed.phase == .playing else { return nil }
        if !feed.hasSeat { return feed.liveSource == nil ? .waiting(fileName(of: feed)) : nil }
        return frame.isBlack ? .black : nil
    }

    /// Returns the mark for a tile that is muted, heard or focused.
    private func soundMark(_ tile: TileID) -> Marks.StateMark? {
        if audioState.isMuted || tiles[tile].layout.isMuted { return .muted }
        if whyUnheard(tile) == nil { return .heard }
        return tile == focus ? .focus : nil
    }

    /// Returns the wall time since which the tile has lacked a due frame. nil while it does not.
    private func waitingSince(_ feed: Feed) -> Time? {
        guard feed.phase == .playing, feed.hasSeat else { return nil }
        if let lack = feed.screen.lack { return lack.since }
        return feed.screen.last == nil ? feed.screen.dueSince : nil
    }

    func lastingTrouble(of feed: Feed) -> SourceTrouble? {
        switch feed.phase {
        case .barren, .hopeless: feed.trouble.latest
        case .ended: feed.onError == .stop ? feed.trouble.latest : nil
        case .playing: nil
        }
    }

    private func progress(of feed: Feed, at now: Time) -> Marks.Progress? {
        guard let front = feed.slots.first, let place = placeByClock(of: feed, at: now) else { return nil }
        let isStanding = clocks[feed.group].clock.motion == .standing
        let position = isStanding ? placeOfFrame(feed) ?? place.position : place.position
        var progress = Marks.Progress(
            position: position, length: place.length, item: front.run.item, of: feed.timeline.items.count,
            isStanding ? .hundredths : .seconds)
        progress.ends = abLoopEnds(of: feed)
        return progress
    }

    /// Returns the ends of the A-B loop that lie in the current item, in fractions of it.
    private func abLoopEnds(of feed: Feed) -> [Double] {
        let marks = clocks[feed.group].marks
        guard marks != ABLoopMarks(), let item = feed.itemOnScreen else { return [] }
        let length = item.upperBound - item.lowerBound
        return [marks.a?.lowerBound, marks.b?.upperBound].compactMap { mark in
            mark.map { Double(($0 - item.lowerBound).ticks) / Double(length.ticks) }
        }.filter { (0...1).contains($0) }
    }

    /// Returns the place in the feed's item by the clock, and the item's length. An item that is over and waits for
    /// other tiles is at its end.
    func placeByClock(of feed: Feed, at now: Time) -> (position: Time, length: Time?)? {
        guard let front = feed.slots.first, let start = front.start else { return nil }
        let before = feed.timeline.length(ofSegmentsBefore: front.run)
        let position = group(of: feed).clock.position(at: now) - start + before
        let length = feed.timeline.itemLength(front.run.item)
        return (length.map { min(position, $0) } ?? position, length)
    }

    /// Returns the place of the shown frame in its item.
    private func placeOfFrame(_ feed: Feed) -> Time? { feed.screen.last.flatMap { place(of: $0, in: feed) } }

    func place(of shown: FeedScreen.Shown, in feed: Feed) -> Time? {
        guard shown.item != nil, let origin = shown.origin, feed.timeline.has(origin.run) else { return nil }
        return feed.timeline.length(ofSegmentsBefore: origin.run) + origin.offset
    }
}
