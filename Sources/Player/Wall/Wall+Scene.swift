import Base
import Layout
import Scene

// Scenes: the frames that are due, and reports of those that were shown.
extension Wall {
    /// Returns the scene to draw now, and the wall time at which it changes. `next` is nil if only an event changes it.
    public mutating func scene(at now: Time) -> (scene: Scene, next: Time?) {
        output.beginScene(at: now)
        turnABIterations(at: now)
        var next = output.advance(at: now)
        var frames: [FeedID: Feed.ScenePart] = [:]
        var drawn: [Output.Drawn] = []
        let memory = memoryShare
        for index in feeds.ids where !feeds[index].tiles.isEmpty {
            let context = context(of: index, at: now)
            advance(index, context, memory: memory)
            let part = feeds[index].scenePart(context)
            frames[index] = part
            drawn += part.drawn
            // A fade advances between two frames too.
            if part.isFading, context.isRunning {
                next = min(next ?? .distantFuture, now + output.refreshInterval)
            }
            if let change = part.change, let instant = context.wallTime(of: change) {
                next = next.map { min($0, instant) } ?? instant
            }
        }
        for tile in tiles.comparing { keepFrames(of: tile, frames, at: now) }
        for frame in drawn where tiles.comparing.isEmpty || isShown(frame) { output.note(frame) }
        let places = blindTest == nil || showsBlindTest ? output.places(of: tiles.order, at: now) : []
        noteSeen(places.map(\.tile), at: now)
        for place in places { if let turn = nextTurn(of: place.tile, at: now) { next = min(next ?? turn, turn) } }
        var views: [View] = []
        views.reserveCapacity(places.count)
        for (tile, rect) in places {
            var view: View
            if tiles[tile].comparison == nil {
                let part = frames[tiles[tile].feed]
                view = self.view(of: tile, in: rect, showing: part?.isOnlySound == true ? nil : part?.shown)
                view.lyrics = lyrics(of: tile, playing: part?.run, at: now)
            } else {
                view = comparingView(of: tile, in: rect, at: now)
            }
            // If the layout hides errors, the background replaces cards. Lyrics of a song without frames are drawn over
            // it.
            if case .card = view.content, !layout.showsErrors {
                if view.lyrics == nil { continue }
                view.content = .blank
            }
            views.append(view)
        }
        return (Scene(size: output.size, background: layout.window.background, views: views), next)
    }

    /// Notes which feeds are visible. Feeds behind tiles that fill the wall are not.
    private mutating func noteSeen(_ drawn: [TileID], at now: Time) {
        let coverage: Output.Coverage = drawn.count == tiles.order.count && tiles.overlaid == nil ? .all : .some
        guard output.becomes(coverage) else { return }
        let drawn = Set(drawn)
        for feed in feeds.ids {
            feeds[feed].screen.noteDrawn(
                feeds[feed].viewers.contains(where: drawn.contains), restsSince: restsSince, at: now)
        }
    }

    func view(of tile: TileID, in rect: Rect, showing shown: FeedScreen.Shown?) -> View {
        let feed = tiles[tile].feed
        let isPoster = feeds[feed].screen.last == nil
        if isPoster, let image = tiles[tile].poster.image {
            let (crop, target) = TileGeometry.fit(
                natural: image.natural, turn: .none, flip: .none, crop: .all, fit: tiles[tile].layout.fit, rect: rect)
            return View(
                tile: tile, rect: rect,
                content: .frame(image, stamp: Stamp(posterOf: tile), crop: crop, target: target),
                label: tiles[tile].layout.label)
        }
        // A film that begins black would look like a hole in the wall until its turn comes.
        guard let shown, !(isPoster && feeds[feed].preview.isBlack) else {
            return card(of: tile, in: rect)
        }
        let frame = placed(shown.frame, shown.serial, ofItem: shown.item, of: feed, in: rect, of: tile)
        guard let fade = shown.fade else {
            return View(
                tile: tile, rect: rect,
                content: .frame(frame.frame, stamp: frame.stamp, crop: frame.crop, target: frame.target),
                label: tiles[tile].layout.label)
        }
        let under = placed(fade.frame, fade.serial, ofItem: fade.item, of: feed, in: rect, of: tile)
        return View(
            tile: tile, rect: rect,
            content: .fade(FadedFrame(from: under, to: frame, weight: fade.weight)),
            label: tiles[tile].layout.label)
    }

    private func card(of tile: TileID, in rect: Rect) -> View {
        let (layout, feed) = (tiles[tile].layout, feeds[tiles[tile].feed])
        return View(
            tile: tile, rect: rect,
            content: .card(name: layout.label ?? fileName(of: feed) ?? layout.id, detail: detail(of: feed, layout)),
            label: nil)
    }

    /// Returns a frame of a feed as one of its tiles shows it.
    private func placed(
        _ frame: any WallFrame, _ serial: Int, ofItem item: Int?, of feed: FeedID, in rect: Rect, of tile: TileID
    ) -> PlacedFrame {
        let item = tiles[tile].look(ofItem: item), natural = frame.natural
        let (crop, target) = TileGeometry.fit(
            natural: item.turn.isSideways ? Size(natural.height, natural.width) : natural, turn: item.turn,
            flip: item.flip, crop: item.crop, fit: tiles[tile].layout.fit, rect: rect)
        return PlacedFrame(
            frame, stamp: Stamp(feed: feed, serial: serial), crop: shownPart(of: tile).of(crop), target: target)
    }

    /// Returns the file name of the source that a card is about. nil if there is none.
    func fileName(of feed: Feed) -> String? {
        if feed.trouble.latest != nil { return SourceName.fileName(of: feed.trouble.source) }
        let run = feed.slots.first?.run ?? RunID(iteration: 0)
        guard feed.timeline.items.indices.contains(run.item) else { return nil }
        return SourceName.fileName(of: feed.timeline.items[run.item].name(of: run.segment))
    }

    /// Returns the detail on a card: why the tile waits, or why it can't play. The detail names the file if the card
    /// has a label.
    private func detail(of feed: Feed, _ layout: TileLayout) -> String {
        let name = layout.label == nil ? nil : fileName(of: feed)
        if let trouble = feed.trouble.latest { return name.map { "\($0): \(trouble.what)" } ?? trouble.what }
        if feed.playsOnlySound { return "sound" }
        if !feed.hasSeat {
            let wait = feed.liveSource == nil ? "waits for its turn" : Marks.Reason.waitsForDecoder.text
            return name.map { "\($0) \(wait)" } ?? wait
        }
        guard let front = feed.slots.first else { return "opening" }
        switch front.loading {
        case .planned, .opening: return name.map { "opening \($0)" } ?? "opening"
        case .ready, .leased: return "waiting for its first frame"
        case .whole, .failed: return name ?? ""
        }
    }

    /// Notes that the scene requested last is on the screen. Its frames are reported only now.
    public mutating func presented(at now: Time) {
        for drawn in output.endScene() where feeds.contains(drawn.feed) {
            if let (slot, frame) = feeds[drawn.feed].newFadeOutFrame(drawn) {
                reportLeaving(slot.frames[frame], of: drawn.feed, slot, at: now)
                feeds[drawn.feed].fadeOut?.notePresented(frame)
            }
            guard let (slot, frame) = feeds[drawn.feed].newFrame(drawn) else { continue }
            feeds[drawn.feed].slots[slot].notePresented(frame)
            report(feeds[drawn.feed].slots[slot].frames[frame], of: drawn.feed, slot: slot, at: now)
        }
        // A break is over when the item after it is on the screen.
        if clocks.isWaiting || clocks.hasJumpWaiting || !breaks.onTiles.isEmpty { update(at: now) }
        // The pipelines waited for the frames of other feeds.
        if clocks.hasJumpWaiting { effects.wakePipelines(pool.pipelines.indices) }
    }

    private mutating func report(
        _ frame: Slot.Frame, of feed: FeedID, slot index: Int, at now: Time
    ) {
        let slot = feeds[feed].slots[index]
        noteLiveFrame(of: feed, slot, at: now)
        let clock = group(of: feed).clock
        let (due, late, isLate) = lateness(of: frame, slot, clock, feeds[feed].framePhase, at: now)
        let shownBefore = feeds[feed].screen.lastRun
        let presentation = feeds[feed].screen.present(
            frame, of: slot, still: feeds[feed].still(of: slot), placeInBreak: feeds[feed].placeInBreak(of: slot.run),
            isFading: feeds[feed].fadeOut != nil, isLate: isLate && clock.motion == .running, at: now)
        emit(presentation.changes, of: feed, at: now)
        // A still that is shown again is the same frame.
        let isSameStill = slot.isStill && shownBefore.map { feeds[feed].timeline.repeats($0, slot.run) } ?? false
        guard feeds[feed].screen.isSeen else { return }
        if presentation.isSeam, !isSameStill {
            let delay = slot.delay.lasting(at: clock.rate)
            let reason = isLate || delay > output.refreshInterval ? reason(of: slot, due: (due ?? now) - delay) : nil
            emit(slot.run, of: feed, at: now) {
                .seam(tile: $0, run: $1, how: slot.how, late: late + delay, reason: reason)
            }
        }
        emit(slot.run, of: feed, at: now) { .frame(tile: $0, run: $1, pts: frame.pts, due: due ?? now) }
    }

    /// Returns the wall time at which a frame was due, and how much later it came.
    private func lateness(
        of frame: Slot.Frame, _ slot: Slot, _ clock: Clock, _ phase: Time, at now: Time
    ) -> (due: Time?, late: Time, isLate: Bool) {
        let due = slot.start.flatMap { clock.wallTime(of: max($0 + frame.offset, $0 + slot.entry) - phase) }
        let late = due.map { max(.zero, now - $0) } ?? .zero
        return (due, late, late > output.refreshInterval)
    }

    /// Reports a frame of the item that a fade takes off the screen.
    private mutating func reportLeaving(_ frame: Slot.Frame, of feed: FeedID, _ slot: Slot, at now: Time) {
        let clock = group(of: feed).clock
        let (due, _, isLate) = lateness(of: frame, slot, clock, feeds[feed].framePhase, at: now)
        feeds[feed].screen.presentLeaving(isLate: isLate && clock.motion == .running)
        guard feeds[feed].screen.isSeen else { return }
        emit(slot.run, of: feed, at: now) { .frame(tile: $0, run: $1, pts: frame.pts, due: due ?? now) }
    }

    /// Returns why a seam was late.
    private func reason(of slot: Slot, due: Time) -> String {
        if let opened = slot.times.opened, opened > due { return "its source was not open in time" }
        if let leased = slot.times.leased, leased > due { return "no pipeline was free in time" }
        if let ready = slot.times.ready, ready > due { return "its first frame was not decoded in time" }
        return "the display was late"
    }
}

// State of the whole wall, seen from outside.
extension Wall {
    public enum Outlook: Sendable {
        /// A tile has nothing to show yet, and may soon.
        case incomplete
        case playing
        /// The last frame of each tile is over.
        case over
        /// Every source failed its first opening.
        case barren
    }

    public var outlook: Outlook {
        if isBarren { return .barren }
        if feeds.ids.allSatisfy({ feeds[$0].phase == .ended }) { return .over }
        let isComplete = feeds.ids.allSatisfy { feed in
            feeds[feed].screen.last != nil || feeds[feed].preview.frame != nil || feeds[feed].phase != .playing
                || feeds[feed].trouble.latest != nil || feeds[feed].playsOnlySound
                || feeds[feed].tiles.allSatisfy { tiles[$0].poster.image != nil }
        }
        return isComplete ? .playing : .incomplete
    }
}
