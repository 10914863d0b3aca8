import Base
import Decoded
import Feeds
import Scene

/// Marks that tiles show over their frames, computed whenever a scene is made.
struct MarksMaker {
    let features: Features
    /// Lines about keys; empty while they are hidden.
    let help: [KeyLine]
    let snapshot: Snapshot

    /// Adds the marks that are visible now to the scene. Returns the wall time at which a mark changes without an
    /// event.
    func mark(_ scene: inout Scene, _ visible: MarksVisibility.Visibility) -> Time? {
        var next = Earliest()
        var visible = visible
        for feature in features.all { feature.change(&visible) }
        if !features.all.contains(where: \.hidesMarks) {
            let pointed = visible.pointer.flatMap { snapshot.tile(at: $0) }, shown = scene
            let isWhole = features.all.contains { $0.showsWholeInfo(under: visible.pointer, in: shown, snapshot) }
            for index in scene.views.indices {
                let view = scene.views[index]
                // Words keep the lower half of the frame.
                let hasRoom = view.lyrics == nil && (view.tile == pointed || isWhole)
                let extent: MarksPlaces.InfoExtent = hasRoom ? .whole : .short
                var (marks, change) = marks(of: view, visible, extent)
                let context = MarksContext(scene: shown, visible: visible, extent: extent)
                for feature in features.all { feature.add(to: &marks, of: view, context, snapshot) }
                scene.views[index].marks = marks
                next.add(change)
            }
            for feature in features.all {
                feature.complete(&scene)
                next.add(feature.nextChangeOfMarks(snapshot))
            }
        }
        let hasFoot = visible.info == .on && OverlayPlaces(in: scene.size).hasFoot
        scene.overlay = Overlay(
            help: help, info: wholeWall(visible, &next),
            foot: features.firstAnswer(\.foot) ?? (hasFoot ? InfoReport(snapshot: snapshot).pipelinesInfo : nil))
        return next.instant
    }

    /// Returns the lines that concern the wall as a whole.
    private func wholeWall(_ visible: MarksVisibility.Visibility, _ next: inout Earliest) -> [String] {
        var lines: [String] = []
        func add(_ notice: (text: String, until: Time)?) {
            guard let notice else { return }
            lines.append(notice.text)
            next.add(notice.until)
        }
        add(features.firstAnswer { $0.announcement(at: snapshot.now) })
        if visible.marks == .on, snapshot.audioState.isMuted { lines.append("the wall is muted") }
        if visible.marks == .on || features.all.contains(where: \.hidesMarks) {
            add(features.firstAnswer { $0.notice(at: snapshot.now) })
        }
        return lines
    }

    private func marks(
        of view: View, _ visible: MarksVisibility.Visibility, _ extent: MarksPlaces.InfoExtent
    ) -> (Marks?, next: Time?) {
        let tile = view.tile
        let feed = snapshot.feeds[snapshot.tiles[tile].feed]
        var marks = Marks()
        var next: Time?
        if !snapshot.layout.hidesMessages, let since = waitingSince(feed) {
            let due = Marks.Spinner.due(waitingSince: since, at: snapshot.now)
            (marks.spinner, next) = (due.spinner, due.next)
            if !view.content.hasFrame { marks.spinner?.isOnCard = true }
        }
        if snapshot.layout.showsErrors {
            if let trouble = feed.lastingTrouble, feed.screen.last != nil {
                marks.reasons = [.trouble(feed.cardText(for: trouble))]
            }
            marks.reasons += snapshot.missingMembers(of: tile)
        }
        let maker = ViewMaker(snapshot: snapshot)
        marks.comparison.sides = maker.sides(of: view, visible)
        marks.comparison.wipe = maker.wipe(of: view, visible)
        let (old, change) = FreshnessReport(snapshot: snapshot).staleness(of: tile, feed)
        if let old { mark(old, on: view, &marks) }
        if let change { next = next.map { min($0, change) } ?? change }
        // Shown even while other marks are hidden.
        if tile == snapshot.focus, snapshot.audioState.monitored != .closed { marks.states.append(.microphone) }
        if tile == snapshot.focus { marks.focusBorder = visible.focusBorder }
        if visible.marks == .on {
            let group = snapshot.clocks[feed.group]
            if let reason = unseen(feed, in: view) { marks.reasons.append(reason) }
            marks.reasons += absentMembers(of: tile)
            marks.progress = progress(of: feed)
            if let mark = soundMark(tile) { marks.states.append(mark) }
            // Not for a muted tile, which has a mark of its own.
            if tile == snapshot.focus, let why = snapshot.whyUnheard(tile), why != .muted, why != .wallMuted {
                marks.reasons.append(.sound(why.words))
            }
            // The only tile of a group has no group to rejoin.
            if group.isAlone,
                !snapshot.tileFeeds.isOnlyTile(tile, of: snapshot.tileFeeds.groupAtHome(of: tile), besideLive: true)
            {
                marks.states.append(.ownClock)
                marks.reasons.append(.ownClock)
            }
            if group.clock.motion == .paused, case .going = group.phase { marks.states.append(.paused) }
            marks.pace.rate = group.clock.rate.markText
            let playing = snapshot.tiles.playingTile(for: tile)
            marks.pace.key = Marks.Pace.text(
                ofKey: snapshot.tiles[playing].look(ofItem: snapshot.tileFeeds.presentItem(of: playing)).key)
        }
        if visible.info == .on {
            let info = InfoReport(snapshot: snapshot)
            let places = MarksPlaces(in: view.marksRect)
            // On a small frame the time matters more than why the tile is silent.
            if !places.hasRoomForTime(below: marks) { marks.reasons.removeAll(where: \.isOfSound) }
            if places.hasRoomForTime(below: marks) { marks.time = info.timeOfFrame(of: feed) }
            marks.info = Array(info.info(of: tile).prefix(places.mostInfo(below: marks, extent)))
        }
        return (marks == Marks() ? nil : marks, next)
    }

    /// Dims the outdated frame of a live source, so that it does not look new. The reason is added only if the layout
    /// shows errors.
    private func mark(_ staleness: FreshnessReport.Staleness, on view: View, _ marks: inout Marks) {
        guard view.content.hasFrame else { return }
        let isPoster = if case .poster = view.content { true } else { false }
        if case .frozen = staleness {} else { marks.isDimmed = !isPoster }
        guard snapshot.layout.showsErrors else { return }
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
        if !feed.hasSeat { return feed.liveSource == nil ? .waiting(snapshot.fileName(of: feed)) : nil }
        return frame.isBlack ? .black : nil
    }

    /// Returns the mark for a tile that is muted, heard or focused.
    private func soundMark(_ tile: TileID) -> Marks.StateMark? {
        if snapshot.audioState.isMuted || snapshot.tiles[tile].layout.isMuted { return .muted }
        if snapshot.whyUnheard(tile) == nil { return .heard }
        return tile == snapshot.focus ? .focus : nil
    }

    /// Returns the wall time since which the tile has lacked a due frame. nil while it does not.
    private func waitingSince(_ feed: Feed) -> Time? {
        guard feed.phase == .playing, feed.hasSeat else { return nil }
        if let lack = feed.screen.lack { return lack.since + feed.liveness.patience }
        return feed.screen.last == nil ? feed.screen.dueSince : nil
    }

    /// nil for a live feed, which has no place in anything.
    private func progress(of feed: Feed) -> Marks.Progress? {
        guard feed.liveSource == nil, let front = feed.slots.first,
            let place = snapshot.placeByClock(of: feed, at: snapshot.now)
        else {
            return nil
        }
        let isPaused = snapshot.clocks[feed.group].clock.motion == .paused
        let position = isPaused ? placeOfFrame(feed) ?? place.position : place.position
        var progress = Marks.Progress(
            position: position, length: place.length, item: front.run.item, of: feed.timeline.items.count,
            isPaused ? .hundredths : .seconds)
        progress.ends = abLoopEnds(of: feed)
        return progress
    }

    /// Returns the ends of the A-B loop that lie in the current item, in fractions of it.
    private func abLoopEnds(of feed: Feed) -> [Double] {
        let marks = snapshot.clocks[feed.group].marks
        guard marks != ABLoopMarks(), let item = feed.itemOnScreen else { return [] }
        let length = item.upperBound - item.lowerBound
        return [marks.a?.lowerBound, marks.b?.upperBound].compactMap { mark in
            mark.map { Double(($0 - item.lowerBound).ticks) / Double(length.ticks) }
        }.filter { (0...1).contains($0) }
    }

    /// Returns the place of the shown frame in its item.
    private func placeOfFrame(_ feed: Feed) -> Time? { feed.screen.last.flatMap { snapshot.place(of: $0, in: feed) } }

    /// Returns a reason for each member of a comparison that shows no frame of this instant.
    func absentMembers(of tile: TileID) -> [Marks.Reason] {
        guard let comparison = snapshot.tiles[tile].comparison else { return [] }
        return comparison.shown.compactMap { shown in
            snapshot.absence(of: shown.member, at: snapshot.now).map { .over($0) }
        }
    }
}

/// The progress bars of tiles, under the pointer.
struct BarReport {
    let features: Features
    let snapshot: Snapshot

    /// Returns the group time that the bar under a point of the window shows there. nil if there is no bar.
    func placeOnBar(at point: Point) -> (tile: TileID, position: Time)? {
        guard let tile = snapshot.tile(at: point), snapshot.feeds[snapshot.tiles[tile].feed].liveSource == nil,
            let item = snapshot.feeds[snapshot.tiles[tile].feed].itemOnScreen,
            let share = places(of: tile).shareOfBar(at: point, hasPlot: hasPlot(tile))
        else { return nil }
        let place = item.lowerBound + (item.upperBound - item.lowerBound).part(share)
        let tolerance = snapshot.clocks[snapshot.feeds[snapshot.tiles[tile].feed].group].dueTolerance
        return (tile, min(place, item.upperBound - tolerance - Time(ticks: 1)))
    }

    private func hasPlot(_ tile: TileID) -> Bool { features.all.contains { $0.hasPlot(tile, snapshot) } }

    /// Returns the places of marks on a tile as it is drawn, or as it will be drawn after the zoom animation.
    func places(of tile: TileID) -> MarksPlaces {
        MarksPlaces(in: ViewMaker(snapshot: snapshot).viewToCome(of: tile).marksRect)
    }
}
