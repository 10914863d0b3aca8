import Base
import Decoded
import Feeds
import Layout
import Scene

/// Makes the views of tiles: a frame, two frames during a fade, a poster or a card.
///
/// A view shows the first of these that exists: the frame that is due; the last frame of its feed; the poster of the
/// tile; the preview of its feed; a `Card`.
struct ViewMaker {
    let snapshot: Snapshot

    func view(of tile: TileID, in rect: Rect, showing shown: FeedShowing.Shown?) -> View {
        let feed = snapshot.feed(of: tile), isPoster = feed.screen.last == nil
        if isPoster, case .image(let image, let serial) = snapshot.tiles[tile].poster {
            let (crop, target) = TileGeometry.fit(
                natural: image.natural, turn: .none, flip: .none, crop: .all, fit: snapshot.tiles[tile].layout.fit,
                rect: rect)
            let stamp = Stamp(posterOf: tile, serial: serial)
            let poster = PlacedFrame(image, stamp: stamp, crop: crop, target: target)
            return view(of: tile, in: rect, .poster(poster), label: presentLabel(of: tile))
        }
        // A black preview looks like a missing tile: show the card instead.
        guard let shown, !(isPoster && feed.preview.isBlack) else {
            let card = card(of: feed, label: presentLabel(of: tile), id: snapshot.tiles[tile].name)
            return view(of: tile, in: rect, .card(card), label: nil)
        }
        let frame = placed(shown.frame, shown.serial, ofItem: shown.item, of: feed.id, in: rect, of: tile)
        let content: View.Content
        if let fade = shown.fade {
            let under = placed(fade.frame, fade.serial, ofItem: fade.item, of: feed.id, in: rect, of: tile)
            content = .fade(FadedFrame(from: under, to: frame, weight: fade.weight))
        } else {
            content = .frame(frame)
        }
        return view(of: tile, in: rect, content, label: snapshot.tiles[tile].label(ofItem: shown.item))
    }

    /// Returns the text on a tile while it shows its present item.
    func presentLabel(of tile: TileID) -> String? {
        snapshot.tiles[tile].label(ofItem: snapshot.tileFeeds.presentItem(of: tile))
    }

    func view(of tile: TileID, in rect: Rect, _ content: View.Content, label: String?) -> View {
        var view = View(tile: tile, rect: rect, content: content, label: label)
        view.window = Rect(snapshot.output.size)
        return view
    }

    /// Returns a frame of a feed as one of its tiles shows it.
    private func placed(
        _ frame: Frame, _ serial: Int, ofItem item: ItemPlace?, of feed: FeedID, in rect: Rect, of tile: TileID
    ) -> PlacedFrame {
        let (crop, target) = snapshot.tiles[tile].look(ofItem: item).fitted(
            frame, snapshot.tiles[tile].layout.fit, in: rect)
        return PlacedFrame(
            frame, stamp: Stamp(feed: feed, serial: serial), crop: snapshot.shownPart(of: tile).of(crop), target: target
        )
    }

    /// Returns the card of a tile: why it can't play, the sound that it plays, or why it waits. The name is the label,
    /// or else the file's. If there is a label, the line below names the file.
    private func card(of feed: Feed, label: String?, id: String) -> Card {
        let trouble = feed.presentTrouble
        let item = feed.timeline.item(at: feed.slots.first?.run.place ?? ItemPlace(0))
        let song = trouble == nil ? item.flatMap { snapshot.names(of: $0, in: feed) } : nil
        let name = label ?? song?.title ?? snapshot.fileName(of: feed) ?? id
        let file = label == nil ? nil : song?.text ?? snapshot.fileName(of: feed)
        if let trouble { return Card(.trouble, name, file.map { "\($0): \(trouble.what)" } ?? trouble.what) }
        if feed.playsOnlySound {
            return Card(.sound, name, (label == nil ? song?.artist : song?.text) ?? "sound")
        }
        return Card(.placeholder, name, reasonToWait(of: feed, file))
    }

    /// `name`: the file's name; nil if the card has it already.
    private func reasonToWait(of feed: Feed, _ name: String?) -> String {
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

    /// Returns the view of a tile as it is drawn, or as it will be drawn after the zoom animation.
    func viewToCome(of tile: TileID) -> View {
        let rect = snapshot.output.rectToDecode(of: tile)
        if snapshot.tiles[tile].watch != nil { return comparingView(of: tile, in: rect) }
        let feed = snapshot.feed(of: tile)
        return view(of: tile, in: rect, showing: feed.playsOnlySound ? nil : feed.screen.last)
    }

    // MARK: tiles that compare others

    func comparingView(of tile: TileID, in rect: Rect) -> View {
        let layout = snapshot.tiles[tile].layout
        guard let comparison = snapshot.tiles[tile].watch, let loaded = layout.compare,
            let first = comparison.shown.first
        else { return view(of: tile, in: rect, showing: nil) }
        // The reference fills `target`. `part`: the part of its cropped frame that is seen.
        let (crop, target) = look(of: first).fitted(first.frame.frame, layout.fit, in: rect)
        let part = snapshot.shownPart(of: tile).of(crop.within(look(of: first).finalCrop(of: first.frame.frame)))
        let parts = comparison.shown.map { shown in
            PlacedFrame(
                shown.frame.frame, stamp: stamp(of: shown),
                crop: part.of(look(of: shown).finalCrop(of: shown.frame.frame)), target: target)
        }
        let content: View.Content
        if parts.count == 1 || loaded.mode == .blink {
            content = .frame(parts[parts.count == 1 ? 0 : comparison.sideShown(at: snapshot.now)])
        } else {
            let isPaused = snapshot.clocks[snapshot.feed(of: tile).group].motionToCome == .paused
            content = .comparison(
                ComparedFrames(
                    parts, mode: loaded.mode, gain: loaded.factor, at: loaded.at, angle: Angle(degrees: loaded.angle),
                    precision: isPaused ? .full : .asDrawn))
        }
        return view(of: tile, in: rect, content, label: layout.label)
    }

    private func look(of shown: TileWatch.Shown) -> ItemLook {
        snapshot.tiles[shown.member].look(ofItem: shown.frame.item)
    }

    private func stamp(of shown: TileWatch.Shown) -> Stamp {
        Stamp(feed: snapshot.tiles[shown.member].feed, serial: shown.frame.serial)
    }

    /// Returns the names of the compared frames, each with its side. A label is always shown, as labels of tiles are. A
    /// file name is shown only with the marks.
    func sides(of view: View, _ visible: MarksVisibility.Visibility) -> [Marks.Side] {
        guard let comparison = snapshot.tiles[view.tile].watch, let loaded = snapshot.tiles[view.tile].layout.compare,
            comparison.shown.count > 1
        else { return [] }
        let labels = comparison.shown.map { snapshot.tiles[$0.member].label(ofItem: $0.frame.item) }
        let isNamed = visible.marks == .on || labels.contains { $0 != nil }
        // An automatic gain changes with the frames, and is always stated.
        if !isNamed, !loaded.mode.usesGain || loaded.factor != nil { return [] }
        let files = SourceName.distinctNames(of: comparison.shown.map { source(of: $0.member) })
        let names = zip(labels, files).map { $0 ?? $1 }
        switch loaded.mode {
        case .wipe: return sides(names, angle: Angle(degrees: loaded.angle))
        case .blink:
            guard case .frame(let placed) = view.content,
                let side = comparison.shown.firstIndex(where: { stamp(of: $0) == placed.stamp })
            else { return [] }
            return [Marks.Side(names[side], across: 0, down: 1)]
        case .difference, .signed, .heat:
            let difference = isNamed ? [names.joined(separator: " \u{2212} ")] : []
            let gain = loaded.factor.map { ["\u{D7}\($0.plain)"] } ?? []
            var side = Marks.Side((difference + gain).joined(separator: "  "), across: 0, down: 1)
            side.showsGain = loaded.factor == nil
            return [side]
        case .overlay: return [Marks.Side(names.joined(separator: " + "), across: 0, down: 1)]
        }
    }

    /// Spreads the names over the bands, along the edge that is nearest to the direction of the wipe.
    private func sides(_ names: [String], angle: Angle) -> [Marks.Side] {
        let isAcross = angle.cosine.magnitude >= angle.sine.magnitude
        let isForward = isAcross ? angle.cosine > 0 : angle.sine > 0
        return names.enumerated().map { place, name in
            let way = Double(place) / Double(names.count - 1), share = isForward ? way : 1 - way
            return Marks.Side(name, across: isAcross ? share : 0, down: isAcross ? 1 : share)
        }
    }

    private func source(of member: TileID) -> String {
        let feed = snapshot.feed(of: member)
        return feed.location ?? snapshot.fileName(of: feed) ?? snapshot.tiles[member].name
    }

    func wipe(of view: View, _ visible: MarksVisibility.Visibility) -> WipeLines? {
        let isPointed = visible.pointer.map { view.rect.contains(x: $0.x, y: $0.y) } ?? false
        guard visible.stirred == .on && isPointed || visible.opening == .on,
            case .comparison(let frames) = view.content, frames.mode == .wipe
        else { return nil }
        return frames.lines(in: frames.target)
    }
}

// Frames as their item's look shows them. A frame is turned and flipped already.
extension ItemLook {
    /// The shown part of the frame as it was before turn and flip.
    private func part(of frame: Frame) -> Fractions { crop.part(of: frame.stored.turned(decoding.turn)) }

    /// The shown part of the frame.
    func finalCrop(of frame: Frame) -> Fractions { part(of: frame).turned(decoding.turn).flipped(decoding.flip) }

    /// Returns the part of the frame that is drawn in `rect`, and its place.
    func fitted(_ frame: Frame, _ fit: Fit, in rect: Rect) -> (crop: Fractions, target: Rect) {
        TileGeometry.fit(
            natural: frame.natural.turned(decoding.turn), turn: decoding.turn, flip: decoding.flip,
            crop: part(of: frame), fit: fit, rect: rect)
    }
}
