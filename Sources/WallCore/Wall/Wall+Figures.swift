// How far shown frames are from those of the first tile: what is measured of a scene, and what tiles say of it.
extension Wall {
    mutating func toggleFigures(at now: Time) {
        figures.toggle()
        if !figures.isOn { return showNotice("figures off", at: now) }
        // What stands is decoded again with its frame; what plays brings it along from now on.
        for feed in feeds.ids { sharpen(feed, at: now) }
    }

    /// In the order of what was asked for.
    public mutating func take(_ answers: [FiguresOrder.Answer?]) {
        figures.take(answers)
        effects.wakeScreen()
    }

    /// What is measured of a scene that is about to be shown.
    mutating func orderFigures(of scene: Scene, at now: Time) {
        let seen = Set(scene.views.map(\.tile))
        let candidates = scene.views.flatMap { view in
            measured(at: view.tile).compactMap { seen.isSuperset(of: $0.neighbours) ? $0.candidate : nil }
        }
        // The last frame of a film that has ended is of no instant of the other.
        for candidate in candidates where absence(of: candidate.pair, at: now) != nil {
            figures.forget(candidate.pair)
        }
        let present = candidates.filter { absence(of: $0.pair, at: now) == nil }
        if let order = figures.order(present) { effects.measure(order) }
    }

    /// Why there is nothing to measure of a pair at this instant; nil: both films play.
    private func absence(of pair: Figures.Pair, at now: Time) -> String? {
        absence(of: pair.other, at: now) ?? absence(of: pair.reference, at: now)
    }

    /// What a tile's figures are of.
    private struct Measured {
        let candidate: Figures.Candidate
        /// Tiles that must be seen for it.
        let neighbours: [TileID]
        /// What the plot of this tile stands over.
        let axis: Figures.Axis
        /// As it is named where there are several.
        let name: String
    }

    private func measured(at tile: TileID) -> [Measured] {
        if let comparison = tiles[tile].comparison {
            guard let first = comparison.shown.first else { return [] }
            return comparison.shown.dropFirst().map { other in
                Measured(
                    candidate: candidate(first.member, first.frame, other.member, other.frame), neighbours: [],
                    axis: .reference, name: nameOfMember(other.member))
            }
        }
        guard let reference = reference(for: tile), reference != tile, let other = shownInStep(by: tile),
            let first = shownInStep(by: reference)
        else { return [] }
        return [
            Measured(
                candidate: candidate(reference, first, tile, other), neighbours: [reference], axis: .other,
                name: tiles[tile].name)
        ]
    }

    /// The first tile of its group that has frames.
    func reference(for tile: TileID) -> TileID? {
        tiles.order.first {
            tiles[$0].comparison == nil && tiles[$0].layout.group == tiles[tile].layout.group
                && !feeds[tiles[$0].feed].playsOnlySound
        }
    }

    /// nil: the frame that is due is not there.
    private func shownInStep(by tile: TileID) -> FeedScreen.Shown? {
        let screen = feeds[tiles[tile].feed].screen
        return screen.lack == nil ? screen.last : nil
    }

    private func candidate(
        _ reference: TileID, _ first: FeedScreen.Shown, _ other: TileID, _ second: FeedScreen.Shown
    ) -> Figures.Candidate {
        Figures.Candidate(
            pair: Figures.Pair(reference: reference, other: other), reference: side(reference, first),
            other: side(other, second), offset: tiles[other].layout.offset - tiles[reference].layout.offset)
    }

    private func side(_ tile: TileID, _ shown: FeedScreen.Shown) -> Figures.Side {
        let feed = feeds[tiles[tile].feed]
        var place: (item: Int, shares: Range<Double>)?
        if let item = shown.item, let run = shown.origin?.run, let position = self.place(of: shown, in: feed),
            let length = feed.timeline.itemLength(item), length > .zero
        {
            let frame = feed.sources.facts(of: feed.timeline.segment(of: run).source)?.frameLength ?? .zero
            let start = position.seconds / length.seconds
            let share = max(.zero, frame).lasting(at: feed.timeline.rate(of: run)).seconds / length.seconds
            place = (item, start..<start + share)
        }
        return Figures.Side(frame: shown.frame, stamp: Stamp(feed: feed.id, serial: shown.serial), place: place)
    }

    func nameOfMember(_ member: TileID) -> String {
        if tiles[member].layout.comparedBy == nil { return tiles[member].name }
        let feed = feeds[tiles[member].feed]
        return feed.location.map { SourceName.fileName(of: $0) } ?? fileName(of: feed) ?? tiles[member].name
    }

    /// Latest measurement of the frame on the screen against the reference's. nil while figures are off, or if
    /// nothing is measured.
    func figure(_ name: FrameFigures.Name, of tile: TileID) -> Double? {
        guard figures.isOn, let candidate = measured(at: tile).first?.candidate else { return nil }
        return figures[candidate.pair]?.answer?.figures[name]
    }

    // MARK: what is said

    /// `place`: the pixel under the pointer, in parts of width and height; nil: there is none.
    func figureLines(of tile: TileID, under place: (x: Double, y: Double)?, at now: Time) -> [String] {
        let measured = measured(at: tile)
        var lines: [String] = []
        for one in measured {
            let name = measured.count > 1 ? "\(one.name): " : ""
            lines += figureLines(of: one.candidate, at: now).enumerated().map { $0 == 0 ? name + $1 : $1 }
        }
        if measured.isEmpty, reference(for: tile) == tile, tiles[tile].comparison == nil {
            lines.append("the reference")
        }
        if let place { lines += valueLines(of: tile, at: place) }
        return lines
    }

    private func figureLines(of candidate: Figures.Candidate, at now: Time) -> [String] {
        if let absence = absence(of: candidate.pair, at: now) { return ["no figures: \(absence)"] }
        guard candidate.reference.frame.keeps(.all), candidate.other.frame.keeps(.all) else {
            return ["no figures yet"]
        }
        guard let latest = figures[candidate.pair] else { return ["no figures yet"] }
        guard let answer = latest.answer else { return ["no figures: they can't be measured"] }
        func text(_ label: String, _ name: FrameFigures.Name) -> String? {
            answer.figures[name].map { "\(label) " + ($0.isFinite ? fixed($0, 2) : "\u{221E}") }
        }
        let planes = [text("Y", .psnrY), text("U", .psnrU), text("V", .psnrV)].compactMap { $0 }
        var lines = ["\(text("PSNR", .psnrAverage)!) dB  SSIM \(fixed(answer.figures.ssim, 5))"]
        lines.append(planes.joined(separator: "  ") + " dB")
        if let words = wordsOnPairing(of: candidate.pair.other, with: candidate.pair.reference) {
            lines.append(words.short)
        }
        if let conversion = answer.conversion { lines.append("\(conversion.from) as \(conversion.to)") }
        return lines + cautions(of: candidate)
    }

    /// Warnings about colours that the figures of two frames do not take into account.
    private func cautions(of candidate: Figures.Candidate) -> [String] {
        let colours = [candidate.other, candidate.reference].compactMap { $0.frame.coded?.colorimetry }
        guard colours.count == 2, colours.contains(where: { $0.caution != nil }) else { return [] }
        if !colours[0].isComparable(with: colours[1]) {
            return ["\(colours[0].words) beside \(colours[1].words):"]
                + (colours.lazy.compactMap(\.cautionLines).first ?? [])
        }
        return colours[0].cautionLines ?? []
    }

    private func valueLines(of tile: TileID, at place: (x: Double, y: Double)) -> [String] {
        guard let comparison = tiles[tile].comparison else {
            return feeds[tiles[tile].feed].screen.last?.frame.values(atX: place.x, y: place.y).map { [$0.text] } ?? []
        }
        return comparison.shown.compactMap { shown in
            shown.frame.frame.values(atX: place.x, y: place.y).map {
                "\(nameOfMember(shown.member)) \($0.text)"
            }
        }
    }

    /// Over the item that the tile's bar stands for.
    func figurePlot(of tile: TileID) -> FigurePlot? {
        guard let measured = measured(at: tile).first else { return nil }
        let candidate = measured.candidate
        let side = measured.axis == .other ? candidate.other : candidate.reference
        return side.place.flatMap {
            figures.plot(candidate.pair, over: measured.axis, item: $0.item, offset: candidate.offset)
        }
    }

    /// Where a point of the window lies in the frames of the tile there.
    func placeInFrame(_ point: Point, in scene: Scene) -> (x: Double, y: Double)? {
        guard let view = scene.views.last(where: { $0.rect.contains(x: point.x, y: point.y) }) else { return nil }
        let (crop, target): (Fractions, Rect)
        switch view.content {
        case .frame(_, _, let part, let place): (crop, target) = (part, place)
        case .fade(let fade): (crop, target) = (fade.to.crop, fade.to.target)
        case .comparison(let frames, let place): (crop, target) = (frames.parts[0].crop, place)
        case .card: return nil
        }
        guard target.contains(x: point.x, y: point.y) else { return nil }
        let spot = Fractions(
            (Double(point.x - target.x) + 0.5) / Double(target.width),
            (Double(point.y - target.y) + 0.5) / Double(target.height), 0, 0
        ).of(crop)
        return (spot.x, spot.y)
    }
}
