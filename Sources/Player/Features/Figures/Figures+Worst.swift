import Base

// The command that goes through the worst of the measured frames.
extension Figures {
    /// Pauses at the worst measured frame of the item on the screen, then at the next worst. Begins with the worst again
    /// after the last, and after a worse frame was measured.
    mutating func goToNextWorst(from tile: TileID?, _ snapshot: Snapshot) -> FeatureAnswer {
        guard isOn else { return .refused(.notice("figures are off; y measures frames")) }
        guard let tile, let list = FiguresReport(figures: self, snapshot: snapshot).worst(for: tile) else {
            return .refused(.notice("no frame of this item is measured yet"))
        }
        guard let (moment, number) = visitNext(of: list.moments) else {
            return .refused(.notice("all measured frames equal the reference's"))
        }
        let group = snapshot.feeds[list.feed].group
        let name = list.hasSeveralTiles ? ", \(snapshot.nameOfMember(moment.tile))" : ""
        return .done(
            .to(.clock(group), .pause(.on, .group)), .to(.clock(group), .moveClock(to: list.itemStart + moment.place)),
            .notice(
                "worst frame \(number) of \(list.moments.count)\(name): \(fixed(moment.psnr, 1)) dB at "
                    + moment.place.clockText(.milliseconds)))
    }
}

// The worst measured frames of the item on the screen.
extension FiguresReport {
    /// Returns the worst frames of the pairs that a command on `tile` is about. nil if none of their frames is measured.
    /// `feed`: that of the reference, whose item the places are in. `itemStart`: start of that item, in group time.
    fileprivate func worst(for tile: TileID)
        -> (moments: [WorstMoments.Moment], feed: FeedID, itemStart: Time, hasSeveralTiles: Bool)?
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
        var all = WorstMoments()
        for moment in measured.joined() { all.note(moment) }
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

/// The measured frames of an item that are farthest from the reference's, the worst first.
///
/// Any two are at least half a second apart. Of frames that are closer, the worst is kept. Frames that equal the
/// reference's are left out.
struct WorstMoments {
    private(set) var all: [Moment] = []

    struct Moment: Equatable {
        /// Start of the reference's frame, in its item.
        let place: Time
        /// Average PSNR, in dB.
        let psnr: Double
        /// Tile whose frame was measured.
        let tile: TileID
    }

    static let spacing = Time.milliseconds(500)
    private static let most = 200

    mutating func note(_ moment: Moment) {
        guard moment.psnr.isFinite, !all.contains(where: { Self.areClose($0, moment) && $0.psnr <= moment.psnr }) else {
            return
        }
        all.removeAll { Self.areClose($0, moment) }
        let index = all.firstIndex { (moment.psnr, moment.place) < ($0.psnr, $0.place) } ?? all.count
        all.insert(moment, at: index)
        if all.count > Self.most { all.removeLast() }
    }

    private static func areClose(_ one: Moment, _ other: Moment) -> Bool {
        (one.place - other.place).magnitude < spacing
    }
}
