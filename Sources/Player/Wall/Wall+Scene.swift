import Base
import Decoded
import Feeds
import Scene

// Scenes: the views of all tiles, with their marks.
extension Wall {
    /// Advances all feeds to this instant, and returns the frames that are due. `scene` makes a scene of them.
    public mutating func advance(at now: Time) -> DueFrames { player.advance(at: now) }

    /// Returns the scene that shows these frames.
    public func scene(of due: DueFrames, at now: Time) -> Scene {
        let snapshot = player.snapshot(at: now)
        var views: [View] = []
        views.reserveCapacity(due.places.count)
        for (tile, rect) in due.places {
            var view: View
            if snapshot.tiles[tile].watch == nil {
                let part = due.frames[snapshot.tiles[tile].feed]
                view = ViewMaker(snapshot: snapshot).view(
                    of: tile, in: rect, showing: part?.isOnlySound == true ? nil : part?.shown)
                for feature in features.all { feature.complete(&view, playing: part?.run, snapshot) }
            } else {
                view = ViewMaker(snapshot: snapshot).comparingView(of: tile, in: rect)
            }
            // If the layout hides errors, the background replaces cards. Lyrics of a song without frames are drawn over
            // it.
            if case .card = view.content, !snapshot.layout.showsErrors {
                if view.lyrics == nil { continue }
                view.content = .blank
            }
            views.append(view)
        }
        var scene = Scene(size: snapshot.output.size, background: snapshot.layout.window.background, views: views)
        // The cards of tiles that play nothing give way to the card of the wall.
        if snapshot.playsNothing, !views.contains(where: \.content.hasFrame) {
            (scene.views, scene.isIdle) = ([], true)
        }
        return scene
    }

    // MARK: marks

    /// Adds the marks that are visible now to the scene. Returns the wall time at which a mark changes without an
    /// event.
    public mutating func mark(_ scene: inout Scene, _ visible: MarksVisibility.Visibility, at now: Time) -> Time? {
        let snapshot = player.snapshot(at: now), shown = scene
        make(features.changes { $0.sceneComes(shown, snapshot) }, at: now)
        var visible = visible, next = Earliest()
        for feature in features.all { feature.change(&visible) }
        let foot = features.firstAnswer(\.foot)
        if foot == nil { next.add(markViews(of: &scene, visible, snapshot)) }
        let hasFoot = visible.info == .on && OverlayPlaces(in: scene.size).hasFoot
        let announcement = features.firstAnswer { $0.text(.announcement, at: now) }
        let isMuted = visible.marks == .on && snapshot.audioState.isMuted
        let notice = visible.marks == .on || foot != nil ? features.firstAnswer { $0.text(.notice, at: now) } : nil
        let text = features.firstAnswer { $0.text(.shown, at: now) }
        for line in [announcement, notice, text] { next.add(line?.until) }
        scene.overlay = Overlay(
            help: visible.help == .on ? keyLines : [],
            info: [announcement?.text, isMuted ? "the wall is muted" : nil, notice?.text].compactMap(\.self),
            foot: foot ?? (hasFoot ? InfoReport(snapshot: snapshot).pipelinesInfo : nil))
        if let text { scene.showText(text.text) }
        return next.instant
    }

    private func markViews(of scene: inout Scene, _ visible: MarksVisibility.Visibility, _ snapshot: Snapshot) -> Time?
    {
        var next = Earliest()
        let pointed = visible.pointer.flatMap { snapshot.tile(at: $0) }, shown = scene
        let isWhole = features.all.contains { $0.showsWholeInfo(under: visible.pointer, in: shown, snapshot) }
        for (index, view) in shown.views.enumerated() {
            // Words keep the lower half of the frame.
            let hasRoom = view.lyrics == nil && (view.tile == pointed || isWhole)
            let extent: MarksPlaces.InfoExtent = hasRoom ? .whole : .short
            var (marks, change) = snapshot.marks(of: view, visible, extent)
            let context = MarksContext(scene: shown, visible: visible, extent: extent)
            next.add(change)
            for feature in features.all { next.add(feature.add(to: &marks, of: view, context, snapshot)) }
            scene.views[index].marks = marks
        }
        for feature in features.all { feature.complete(&scene) }
        return next.instant
    }

    // MARK: the frame of a tile

    /// Decodes the frames of a tile in their own size from now on; nil ends that. A paused frame is decoded again.
    public mutating func decodeInFullSize(_ tile: TileID?, at now: Time) {
        player.change(at: now) { player in
            player.tileFeeds.needs.fullSizeTile = tile
            if let tile, player.tiles.contains(tile) {
                player.playout(at: now).sharpen(player.feed(of: tile))
            }
        }
    }

    /// Returns the name of a tile; nil if it is gone.
    public func name(of tile: TileID) -> String? { player.tiles.contains(tile) ? player.tiles[tile].name : nil }

    /// Returns the frame that a tile shows as a picture of its own, one pixel for each of the frame: without marks,
    /// background and magnification. nil if the tile shows none, or compares others.
    public func picture(of tile: TileID) -> PlacedFrame? {
        guard player.tiles.contains(tile), player.tiles[tile].watch == nil,
            let shown = player.feed(of: tile).screen.last
        else { return nil }
        let frame = shown.frame, crop = player.tiles[tile].look(ofItem: shown.item).finalCrop(of: frame)
        let part = Size(
            max(1, Int((Double(frame.size.width) * crop.width).rounded())),
            max(1, Int((Double(frame.size.height) * crop.height).rounded())))
        let stamp = Stamp(feed: player.tiles[tile].feed, serial: shown.serial)
        return PlacedFrame(frame, stamp: stamp, crop: crop, target: Rect(part))
    }
}

extension PlacedFrame {
    /// True if the frame has all pixels of its source.
    public var isFullSize: Bool { frame.reaches(frame.natural) }
}
