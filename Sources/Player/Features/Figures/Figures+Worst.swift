import Base

// The command that goes through the worst of the measured frames.
extension Figures {
    /// Pauses at the worst measured frame of the item on the screen, then at the next worst. Begins with the worst again
    /// after the last, and after a worse frame was measured.
    mutating func goToNextWorst(from tile: TileID?, _ snapshot: Snapshot) -> FeatureAnswer {
        guard isOn else { return .refused("figures are off; y measures frames", because: Self.areOff) }
        let reason = "no measured frame of this item differs from the reference's"
        guard let tile, let list = FiguresReport(figures: self, snapshot: snapshot).worst(for: tile) else {
            return .refused("no frame of this item is measured yet", because: reason)
        }
        guard let (worst, number) = visitNext(of: list.frames) else {
            return .refused("all measured frames equal the reference's", because: reason)
        }
        let group = snapshot.feeds[list.feed].group
        let name = list.hasSeveralTiles ? ", \(snapshot.nameOfMember(worst.frame))" : ""
        return .done(
            .to(.clock(group), .pause(.on, .group)), .to(.clock(group), .moveClock(to: list.itemStart + worst.time)),
            .notice(
                "worst frame \(number) of \(list.frames.count)\(name): \(fixed(worst.psnr, 1)) dB at "
                    + worst.time.clockText(.milliseconds)))
    }
}

// The worst measured frames of the item on the screen.
extension FiguresReport {
    /// Returns the worst frames of the pairs that a command on `tile` is about. nil if none of their frames is measured.
    /// `feed`: that of the reference, whose item the places are in. `itemStart`: start of that item, in group time.
    fileprivate func worst(for tile: TileID)
        -> (frames: [Figures.Worst.Place], feed: FeedID, itemStart: Time, hasSeveralTiles: Bool)?
    {
        let pairs = pairs(for: tile)
        guard let reference = pairs.first?.reference else { return nil }
        let feed = snapshot.feed(of: reference)
        guard let place = feed.slots.first?.run.place, let item = feed.itemOnScreen else { return nil }
        let measured = pairs.compactMap { pair in
            figures.worst(
                of: pair, in: place,
                offset: snapshot.tiles[pair.other].layout.offset - snapshot.tiles[reference].layout.offset)
        }
        guard !measured.isEmpty else { return nil }
        var all = Figures.Worst(most: Figures.mostWorst)
        for place in measured.joined() { all.take(place.frame, at: place.time, psnr: place.psnr) }
        return (all.all, feed.id, item.lowerBound, measured.count > 1)
    }

    /// Pairs of the comparison over the wall or of a comparing tile, else those that the tile is one of.
    private func pairs(for tile: TileID) -> [Figures.Pair] {
        if let members = snapshot.tiles[snapshot.tiles.overlaid ?? tile].watch?.members {
            return members.dropFirst().map { Figures.Pair(reference: members[0], other: $0) }
        }
        guard let reference = snapshot.reference(for: tile) else { return [] }
        let others =
            reference == tile ? snapshot.tiles.order.filter { self.snapshot.reference(for: $0) == tile } : [tile]
        return others.filter { $0 != reference && snapshot.tiles[$0].watch == nil }.map {
            Figures.Pair(reference: reference, other: $0)
        }
    }
}
