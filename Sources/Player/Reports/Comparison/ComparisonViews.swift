import Base
import Layout
import Scene

// Views of tiles that compare others, and the names of the compared frames.
extension ViewMaker {
    func comparingView(of tile: TileID, in rect: Rect) -> View {
        let layout = snapshot.tiles[tile].layout
        guard let comparison = snapshot.tiles[tile].watch, let loaded = layout.compare,
            let first = comparison.shown.first
        else {
            return view(of: tile, in: rect, showing: nil)
        }
        var fitted = fit(first, in: rect, of: layout)
        fitted.part = snapshot.shownPart(of: tile).of(fitted.part)
        let parts = comparison.shown.map { shown in
            PlacedFrame(
                shown.frame.frame, stamp: stamp(of: shown),
                crop: fitted.part.of(look(of: shown).finalCrop(of: shown.frame.frame)), target: fitted.target)
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

    /// Returns the rect that the reference fills in the tile (`target`), and the part of its cropped frame that is seen
    /// (`part`).
    private func fit(_ shown: TileWatch.Shown, in rect: Rect, of layout: TileLayout) -> (part: Fractions, target: Rect)
    {
        let look = look(of: shown), frame = shown.frame.frame
        let (crop, target) = look.fitted(frame, layout.fit, in: rect)
        return (crop.within(look.finalCrop(of: frame)), target)
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
