import Base
import Decoded
import Feeds
import Scene

// Marks that a tile shows over its frames, computed whenever a scene is made. Features add to them.
extension Snapshot {
    /// Returns the marks of a view that are visible now, and the wall time at which one of them changes without an event.
    func marks(
        of view: View, _ visible: MarksVisibility.Visibility, _ extent: MarksPlaces.InfoExtent
    ) -> (Marks?, next: Time?) {
        let tile = view.tile, feed = feed(of: tile)
        var marks = Marks()
        var next: Time?
        if !layout.hidesMessages, let since = waitingSince(feed) {
            let due = Marks.Spinner.due(waitingSince: since, at: now)
            (marks.spinner, next) = (due.spinner, due.next)
            if !view.content.hasFrame { marks.spinner?.isOnCard = true }
        }
        if layout.showsErrors {
            if let trouble = feed.lastingTrouble, feed.screen.last != nil {
                marks.reasons = [.trouble(feed.cardText(for: trouble))]
            }
            marks.reasons += missingMembers(of: tile)
        }
        marks.comparison.sides = ViewMaker(snapshot: self).sides(of: view, visible)
        marks.comparison.wipe = ViewMaker(snapshot: self).wipe(of: view, visible)
        let (old, change) = staleness(of: tile, feed)
        if let old { mark(old, on: view, &marks) }
        next = [next, change].compactMap(\.self).min()
        // Shown even while other marks are hidden.
        if tile == focus, audioState.monitored != .closed { marks.states.append(.microphone) }
        if tile == focus { marks.focusBorder = visible.focusBorder }
        if visible.marks == .on {
            let group = clocks[feed.group]
            if let reason = unseen(feed, in: view) { marks.reasons.append(reason) }
            marks.reasons += absentMembers(of: tile)
            marks.progress = progress(of: feed)
            if let mark = soundMark(tile) { marks.states.append(mark) }
            // Not for a muted tile, which has a mark of its own.
            if tile == focus, let why = whyUnheard(tile), why != .muted, why != .wallMuted {
                marks.reasons.append(.sound(why.words))
            }
            // The only tile of a group has no group to rejoin.
            if group.isAlone, !tileFeeds.isOnlyTile(tile, of: tileFeeds.groupAtHome(of: tile), besideLive: true) {
                marks.states.append(.ownClock)
                marks.reasons.append(.ownClock)
            }
            if group.clock.motion == .paused, case .going = group.phase { marks.states.append(.paused) }
            marks.pace.rate = group.clock.rate.markText
            let playing = tiles.playingTile(for: tile)
            marks.pace.key = Marks.Pace.text(
                ofKey: tiles[playing].look(ofItem: tileFeeds.presentItem(of: playing)).key)
        }
        if visible.info == .on {
            let places = MarksPlaces(in: view.marksRect)
            // On a small frame the time matters more than why the tile is silent.
            if !places.hasRoomForTime(below: marks) { marks.reasons.removeAll(where: \.isOfSound) }
            if places.hasRoomForTime(below: marks) { marks.time = InfoReport(snapshot: self).timeOfFrame(of: feed) }
            marks.info = Array(InfoReport(snapshot: self).info(of: tile).prefix(places.mostInfo(below: marks, extent)))
        }
        return (marks == Marks() ? nil : marks, next)
    }

    /// Dims the outdated frame of a live source, so that it does not look new. The reason is added only if the layout
    /// shows errors.
    private func mark(_ staleness: Staleness, on view: View, _ marks: inout Marks) {
        guard view.content.hasFrame else { return }
        let isPoster = if case .poster = view.content { true } else { false }
        if case .frozen = staleness {} else { marks.isDimmed = !isPoster }
        guard layout.showsErrors else { return }
        switch staleness {
        case .waits: marks.reasons.append(.waitsForDecoder)
        case .noFrame(let age?): marks.reasons.append(.noNewFrame(age.ageText))
        case .noFrame(nil): break
        case .frozen(let time): marks.reasons.append(.frozen(time.ageText))
        }
    }

    /// Returns the mark of a tile that waits for a seat or shows a black frame; nil otherwise. A card states its reason
    /// itself.
    private func unseen(_ feed: Feed, in view: View) -> Marks.Reason? {
        let frame: Frame
        switch view.content {
        case .frame(let placed), .poster(let placed): frame = placed.frame
        case .fade, .comparison, .card, .blank: return nil
        }
        guard feed.phase == .playing else { return nil }
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
        if let lack = feed.screen.lack { return lack.since + feed.liveness.patience }
        return feed.screen.last == nil ? feed.screen.dueSince : nil
    }

    /// nil for a live feed, which has no place in anything.
    private func progress(of feed: Feed) -> Marks.Progress? {
        guard feed.liveSource == nil, let front = feed.slots.first, let place = placeByClock(of: feed) else {
            return nil
        }
        let isPaused = clocks[feed.group].clock.motion == .paused
        let placeOfFrame = feed.screen.last.flatMap { self.place(of: $0, in: feed) }
        let position = isPaused ? placeOfFrame ?? place.position : place.position
        var progress = Marks.Progress(
            position: position, length: place.length, item: front.run.item, of: feed.timeline.items.count,
            isPaused ? .hundredths : .seconds)
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
}
