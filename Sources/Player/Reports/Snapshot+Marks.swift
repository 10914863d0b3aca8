import Base
import Decoded
import Feeds
import Scene

// Marks that a tile shows over its frames, computed whenever a scene is made. Features add to them.
extension Snapshot {
    /// Returns the marks of a view that are visible now, and the wall time at which one of them changes without an event.
    func marks(
        of view: View, _ visible: MarksVisibility.Visibility, _ extent: MarksPlaces.InfoExtent
    ) -> (Marks, next: Time?) {
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
            let compared = tiles[tile].watch?.shown ?? []
            marks.reasons += compared.compactMap { shown in absence(of: shown.member).map { .over($0) } }
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
        return (marks, next)
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

    // MARK: outdated frames of live tiles

    /// Reason why the frame of a live tile may be outdated.
    enum Staleness: Equatable {
        /// Other tiles have the pipelines.
        case waits
        /// `age`: time since the newest frame was presented; nil until the first.
        case noFrame(age: Time?)
        /// The source has repeated one frame for this long.
        case frozen(Time)
    }

    /// Returns why a tile's frame may be outdated. nil if the tile is fresh or not live. `next`: wall time at which
    /// that changes without an event.
    func staleness(of tile: TileID, _ feed: Feed) -> (Staleness?, next: Time?) {
        guard let source = feed.liveSource else { return (nil, nil) }
        let age = transport.age(of: feed, showing: source, at: now)
        if !feed.hasSeat, feed.phase != .ended {
            guard isOnStage(feed) else { return (nil, nil) }
            return (.waits, age.flatMap { nextSecond(after: $0, of: feed) })
        }
        let limit = staleLimit(of: tile, feed)
        var next = transport.isLiveClockRunning(feed) ? limit.map { now + $0 } : nil
        // Judge the age, unless a new frame is about to be presented.
        if !feed.showsNewFrame, let limit {
            if let age, age >= limit { return (.noFrame(age: age), nextSecond(after: age, of: feed)) }
            next = transport.isLiveClockRunning(feed) ? age.map { now + (limit - $0) } : nil
            // The frame is from before the seat was lost, or was decoded while the feed waited for a seat.
            if feed.liveness.hasLostSeat || feed.screen.last == nil { return (.noFrame(age: nil), next) }
        }
        guard let still = stillFor(feed, tile) else { return (nil, next) }
        return (.frozen(still), nextSecond(after: still, of: feed))
    }

    /// Returns how long the source of a tile has repeated one frame. nil unless that was reported.
    private func stillFor(_ feed: Feed, _ tile: TileID) -> Time? {
        guard let since = feed.liveness.stillSince, frozenLimit(of: tile) != nil,
            feed.liveness.frozenTiles.contains(tile)
        else { return nil }
        return max(.zero, clocks[feed.group].liveClock.position(at: now) - since)
    }

    /// Returns the wall time at which the text of an age changes. nil while the clock is paused.
    private func nextSecond(after age: Time, of feed: Feed) -> Time? {
        guard transport.isLiveClockRunning(feed) else { return nil }
        let second = Time.ticksPerSecond
        return now + Time(ticks: second - age.ticks % second)
    }
}
