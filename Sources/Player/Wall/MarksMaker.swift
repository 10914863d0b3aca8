import Base
import Commands
import Layout
import Measurement
import Scene

/// Marks that tiles show over their frames, computed whenever a scene is made.
struct MarksMaker: Report {
    let features: Features
    let keys: KeyTable
    let snapshot: Snapshot

    /// Adds the marks that are visible now to the scene. Tiles of a blind test have none. Returns the wall time at
    /// which a mark changes without an event.
    func mark(_ scene: inout Scene, _ visible: MarksVisibility.Visibility) -> Time? {
        var next: Time?
        var visible = visible
        let figures = figuresReport
        if figures != nil { visible.marks = .on }
        let pointed = visible.pointer.flatMap { tile(at: $0) }
        let spot = visible.pointer.flatMap { figures?.placeInFrame($0, in: scene) }
        for index in scene.views.indices where features.blind.test == nil {
            let extent: MarksPlaces.InfoExtent =
                scene.views[index].tile == pointed || spot != nil ? .whole : .short
            var (marks, change) = marks(of: scene.views[index], visible, extent)
            if let figures {
                marks = addFigures(
                    figures, to: marks, of: scene.views[index], under: spot, extent, within: scene.size.width / 3)
            }
            scene.views[index].marks = marks
            if let change { next = next.map { min($0, change) } ?? change }
        }
        markUnseenRecording(in: &scene)
        let hasFoot = visible.info == .on && OverlayPlaces(in: scene.size).hasFoot
        scene.overlay = Overlay(
            help: visible.help == .on ? keys.lines : [],
            foot: hasFoot ? InfoReport(snapshot: snapshot).pipelinesInfo : nil)
        scene.showNotice(lines: wholeWall(visible, &next))
        return next
    }

    /// nil while figures are off.
    private var figuresReport: FiguresReport? {
        features.figures.isOn ? FiguresReport(figures: features.figures, snapshot: snapshot) : nil
    }

    /// Marks another tile as recording if the tile with the open microphone is not on the screen.
    private func markUnseenRecording(in scene: inout Scene) {
        guard let tile = features.takes.session?.tile, features.blind.test == nil, !scene.views.isEmpty,
            !scene.views.contains(where: { $0.tile == tile })
        else { return }
        var marks = scene.views[0].marks ?? Marks()
        marks.states.removeAll { $0 == .microphone }
        marks.states.insert(.recording, at: 0)
        scene.views[0].marks = marks
    }

    /// Returns the lines that concern the wall as a whole.
    private func wholeWall(
        _ visible: MarksVisibility.Visibility, _ next: inout Time?
    ) -> [String] {
        var lines: [String] = []
        func add(_ notice: (text: String, until: Time)) {
            lines.append(notice.text)
            next = next.map { min($0, notice.until) } ?? notice.until
        }
        if let announcement = features.notices.announcement(at: now) { add(announcement) }
        if visible.marks == .on, audioState.isMuted { lines.append("the wall is muted") }
        if visible.marks == .on || features.blind.test != nil, let notice = features.notices.notice(at: now) {
            add(notice)
        }
        return lines
    }

    private func marks(
        of view: View, _ visible: MarksVisibility.Visibility, _ extent: MarksPlaces.InfoExtent
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
        let maker = ViewMaker(snapshot: snapshot)
        (marks.sides, marks.wipe) = (maker.sides(of: view, visible), maker.wipe(of: view, visible))
        let (old, change) = FreshnessReport(snapshot: snapshot).staleness(of: tile, feed)
        if let old { mark(old, on: view, &marks) }
        if let change { next = next.map { min($0, change) } ?? change }
        // Shown even while other marks are hidden.
        if features.takes.session?.tile == tile {
            marks.states.append(.recording)
        } else if tile == focus, audioState.monitored != .closed {
            marks.states.append(.microphone)
        }
        if tile == focus { marks.focusBorder = visible.focusBorder }
        if visible.marks == .on {
            let group = clocks[feed.group]
            if let reason = unseen(feed, in: view) { marks.reasons.append(reason) }
            marks.reasons += absentMembers(of: tile)
            marks.progress = progress(of: feed)
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
        _ figures: FiguresReport, to marks: Marks?, of view: View, under spot: (x: Double, y: Double)?,
        _ extent: MarksPlaces.InfoExtent,
        within width: Int
    ) -> Marks {
        var marks = marks ?? Marks()
        if marks.progress?.fraction != nil { marks.plot = figures.figurePlot(of: view.tile) }
        let info = marks.info, places = MarksPlaces(in: view.marksRect)
        marks.info = []
        let (lines, text) = places.figures(figures.figureLines(of: view.tile, under: spot), within: width)
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

    private func progress(of feed: Feed) -> Marks.Progress? {
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

    /// Returns the place of the shown frame in its item.
    private func placeOfFrame(_ feed: Feed) -> Time? { feed.screen.last.flatMap { place(of: $0, in: feed) } }

    /// Returns a reason for each member of a comparison that shows no frame of this instant.
    func absentMembers(of tile: TileID) -> [Marks.Reason] {
        guard let comparison = tiles[tile].comparison else { return [] }
        return comparison.shown.compactMap { shown in absence(of: shown.member, at: now).map { .over($0) } }
    }
}
