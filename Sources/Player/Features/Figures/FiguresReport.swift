import Base
import Feeds
import Layout
import Measurement
import Scene

/// Figures of shown frames: the pairs to measure, the lines on tiles and the plots.
struct FiguresReport {
    let figures: Figures
    let snapshot: Snapshot

    /// A pair of frames whose figures a tile shows.
    struct Measured {
        let candidate: Figures.Candidate
        /// Tiles that must be visible for the measurement.
        let neighbours: [TileID]
        /// The film whose item is the horizontal axis of the plot.
        let axis: Figures.Axis
        /// Name that precedes the figures if a tile has several pairs.
        let name: String
    }

    func measured(at tile: TileID) -> [Measured] {
        if let comparison = snapshot.tiles[tile].watch {
            guard let first = comparison.shown.first else { return [] }
            return comparison.shown.dropFirst().map { other in
                Measured(
                    candidate: candidate(first.member, first.frame, other.member, other.frame), neighbours: [],
                    axis: .reference, name: snapshot.nameOfMember(other.member))
            }
        }
        guard let reference = snapshot.reference(for: tile), reference != tile, let other = shownInStep(by: tile),
            let first = shownInStep(by: reference)
        else { return [] }
        return [
            Measured(
                candidate: candidate(reference, first, tile, other), neighbours: [reference], axis: .other,
                name: snapshot.tiles[tile].name)
        ]
    }

    /// Returns the frame that a tile shows. nil while it is of another instant.
    private func shownInStep(by tile: TileID) -> FeedShowing.Shown? {
        let feed = snapshot.feed(of: tile)
        return snapshot.transport.isOutOfStep(feed, at: snapshot.now) ? nil : feed.screen.last
    }

    private func candidate(
        _ reference: TileID, _ first: FeedShowing.Shown, _ other: TileID, _ second: FeedShowing.Shown
    ) -> Figures.Candidate {
        Figures.Candidate(
            pair: Figures.Pair(reference: reference, other: other), reference: side(reference, first),
            other: side(other, second),
            offset: snapshot.tiles[other].layout.offset - snapshot.tiles[reference].layout.offset)
    }

    private func side(_ tile: TileID, _ shown: FeedShowing.Shown) -> Figures.Side {
        let feed = snapshot.feed(of: tile)
        var place: (item: ItemPlace, start: Time, shares: Range<Double>)?
        if let item = shown.item, let run = shown.origin?.run, let position = self.snapshot.place(of: shown, in: feed),
            let length = feed.timeline.itemLength(at: item), length > .zero
        {
            let frame = feed.sources.facts(of: feed.timeline.segment(of: run).source)?.frameLength ?? .zero
            let start = position.seconds / length.seconds
            let share = max(.zero, frame).lasting(at: feed.timeline.rate(of: run)).seconds / length.seconds
            place = (item, position, start..<start + share)
        }
        return Figures.Side(
            frame: shown.frame, stamp: Stamp(feed: feed.id, serial: shown.serial),
            crop: snapshot.tiles[tile].look(ofItem: shown.item).finalCrop(of: shown.frame), place: place)
    }

    /// Latest measurement of the tile's frame on the screen against the reference's, in the comparison over the wall if
    /// there is one. nil while figures are off, or if nothing is measured.
    func figure(_ name: FrameFigures.Name, of tile: TileID) -> Double? {
        guard figures.isOn else { return nil }
        let measured: [Measured]
        if let overlaid = snapshot.tiles.overlaid, tile != overlaid {
            measured = self.measured(at: overlaid).filter { $0.candidate.pair.other == tile }
        } else {
            measured = self.measured(at: tile)
        }
        guard let candidate = measured.first?.candidate else { return nil }
        return figures.latest[candidate.pair]?.answer?.figures[name]
    }

    /// `place`: the pixel under the pointer, in fractions of width and height; nil if there is none.
    func figureLines(of tile: TileID, under place: (x: Double, y: Double)?) -> [String] {
        let measured = measured(at: tile)
        var lines: [String] = []
        for one in measured {
            let name = measured.count > 1 ? "\(one.name): " : ""
            lines += figureLines(of: one.candidate).enumerated().map { $0 == 0 ? name + $1 : $1 }
        }
        if measured.isEmpty, snapshot.reference(for: tile) == tile, snapshot.tiles[tile].watch == nil {
            lines.append("the reference")
        }
        if let place { lines += valueLines(of: tile, at: place) }
        return lines
    }

    private func figureLines(of candidate: Figures.Candidate) -> [String] {
        if let absence = absence(of: candidate.pair) { return ["no figures: \(absence)"] }
        guard candidate.reference.frame.keeps(.all), candidate.other.frame.keeps(.all) else {
            return ["no figures yet"]
        }
        guard let latest = figures.latest[candidate.pair] else { return ["no figures yet"] }
        guard let answer = latest.answer else { return ["no figures: these frames can't be compared"] }
        func text(_ label: String, _ name: FrameFigures.Name) -> String? {
            answer.figures[name].map { "\(label) " + ($0.isFinite ? fixed($0, 2) : "\u{221E}") }
        }
        let planes = [text("Y", .psnrY), text("U", .psnrU), text("V", .psnrV)].compactMap { $0 }
        let (reference, other) = (candidate.pair.reference, candidate.pair.other)
        let lines = [
            "\(text("PSNR", .psnrAverage)!) dB  SSIM \(fixed(answer.figures.ssim, 5))",
            planes.joined(separator: "  ") + " dB", snapshot.wordsOnPairing(of: other, with: reference)?.short,
            figures.shifts.better(candidate)?.words, snapshot.wordsOnLead(of: other, with: reference),
            wordsOnCrops(of: answer), answer.conversion,
        ].compactMap(\.self)
        // The figures are of frames that are decoded with what is left out.
        return lines + remarks(on: candidate) + snapshot.wordsOnLeftOut(by: [reference, other])
    }

    /// Line on the measured parts of cropped frames; nil if both are whole.
    private func wordsOnCrops(of answer: FiguresOrder.Answer) -> String? {
        switch (answer.otherPart, answer.referencePart) {
        case (nil, nil): nil
        case (let own?, nil): "cropped to \(own.words), the reference whole"
        case (nil, let reference?): "whole, the reference cropped to \(reference.words)"
        case (let own?, let reference?):
            own == reference
                ? "both cropped to \(own.words)" : "cropped to \(own.words), the reference to \(reference.words)"
        }
    }

    /// Lines on unlike colours, and on those of HDR and of wide gamuts: which values the figures compare.
    private func remarks(on candidate: Figures.Candidate) -> [String] {
        let colours = [candidate.other, candidate.reference].compactMap { $0.frame.coded?.colorimetry }
        guard colours.count == 2 else { return [] }
        if colours[0].isComparable(with: colours[1]) {
            return colours.contains { $0.isHDR || $0.isWide } ? ["figures compare code values"] : []
        }
        return [
            "\(colours[0].words) beside \(colours[1].words):", "figures compare both as SDR, by BT.2390 to 203 nits",
        ]
    }

    private func valueLines(of tile: TileID, at place: (x: Double, y: Double)) -> [String] {
        guard let comparison = snapshot.tiles[tile].watch else {
            return snapshot.feed(of: tile).screen.last?.frame.values(atX: place.x, y: place.y).map { [$0.text] } ?? []
        }
        return comparison.shown.compactMap { shown in
            shown.frame.frame.values(atX: place.x, y: place.y).map {
                "\(snapshot.nameOfMember(shown.member)) \($0.text)"
            }
        }
    }

    /// Returns the plot of a tile's figures over the item that its progress bar shows.
    func figurePlot(of tile: TileID) -> FigurePlot? {
        guard let measured = measured(at: tile).first else { return nil }
        let candidate = measured.candidate
        let side = measured.axis == .other ? candidate.other : candidate.reference
        return side.place.flatMap { figures.plot(candidate, over: measured.axis, item: $0.item) }
    }

    /// Returns the place of a point of the window in the frames of the tile there, in fractions. nil outside of frames.
    func placeInFrame(_ point: Point, in scene: Scene) -> (x: Double, y: Double)? {
        guard let view = scene.views.last(where: { $0.rect.contains(x: point.x, y: point.y) }) else { return nil }
        let (crop, target): (Fractions, Rect)
        switch view.content {
        case .frame(let placed), .poster(let placed): (crop, target) = (placed.crop, placed.target)
        case .fade(let fade): (crop, target) = (fade.to.crop, fade.to.target)
        case .comparison(let frames): (crop, target) = (frames.parts[0].crop, frames.target)
        case .card, .blank: return nil
        }
        guard target.contains(x: point.x, y: point.y) else { return nil }
        let spot = Fractions(
            (Double(point.x - target.x) + 0.5) / Double(target.width),
            (Double(point.y - target.y) + 0.5) / Double(target.height), 0, 0
        ).of(crop)
        return (spot.x, spot.y)
    }

    /// Returns why there is nothing to measure of a pair at this instant. nil while both films play.
    func absence(of pair: Figures.Pair) -> String? {
        snapshot.absence(of: pair.other) ?? snapshot.absence(of: pair.reference)
    }
}
