import Base
import Layout
import Scene

// Tiles that compare other tiles: the feeds that they watch, which of these belong together, and the frames that they
// show.
extension Wall {
    /// Returns the tile whose sound, track and place in time stand for this one: itself, or the first that it compares.
    func player(of tile: TileID) -> TileID { tiles[tile].comparison?.members.first ?? tile }

    /// Returns the second tile of a comparison, which is moved against the first.
    func movable(_ tile: TileID) -> TileID { tiles[tile].comparison?.members.dropFirst().first ?? player(of: tile) }

    // MARK: which feeds they look at

    /// Adds a tile that compares. Its members are on the wall already.
    mutating func addComparing(_ layout: TileLayout) {
        let first = layout.compare.flatMap { _ in tiles.id(ofLayout: layout.memberName(0)) }
        guard let feed = (first ?? tiles.playing.first).map({ tiles[$0].feed }) else { return }
        _ = tiles.add { Tile(id: $0, layout, feed: feed) }
    }

    /// Makes comparing tiles watch the feeds that their members play now. Feeds may have been divided, joined or
    /// replaced.
    mutating func settleComparisons() {
        let comparing = tiles.comparing
        guard !comparing.isEmpty || feeds.contains(where: { !$0.watchers.isEmpty }) else { return }
        var watchers: [FeedID: [TileID]] = [:]
        for tile in comparing {
            let layout = tiles[tile].layout
            var members = (layout.compare?.members ?? []).indices.compactMap {
                tiles.id(ofLayout: layout.memberName($0))
            }
            if tiles[tile].comparison!.isSwapped, members.count > 1 { members.swapAt(0, 1) }
            tiles[tile].comparison!.members = members
            // The frames of a removed member go with it, before they are looked up by its tile.
            tiles[tile].comparison!.shown = tiles[tile].comparison!.shown.filter { tiles.contains($0.member) }
            if let first = members.first { tiles[tile].feed = tiles[first].feed }
            for feed in Set(members.map { tiles[$0].feed }) { watchers[feed, default: []].append(tile) }
        }
        for feed in feeds.ids { feeds[feed].setWatchers((watchers[feed] ?? []).sorted()) }
    }

    /// Returns the contenders in parties. Feeds that are compared with each other get and lose their seats together.
    func comparedTogether(_ contenders: [FeedID]) -> [[FeedID]] {
        guard !tiles.comparing.isEmpty else { return contenders.map { [$0] } }
        var parts: [[FeedID]] = []
        var left = contenders
        while let first = left.first {
            var part = [first], place = 0
            while place < part.count {
                for tile in feeds[part[place]].watchers {
                    for member in tiles[tile].comparison?.members ?? [] where !part.contains(tiles[member].feed) {
                        if left.contains(tiles[member].feed) { part.append(tiles[member].feed) }
                    }
                }
                place += 1
            }
            left.removeAll(where: part.contains)
            parts.append(part)
        }
        return parts
    }

    /// Decodes the compared or measured frames of a paused group again, in their native size.
    mutating func sharpenCompared(in group: GroupID, at now: Time) {
        for feed in feeds.ids where feeds[feed].group == group && (!feeds[feed].watchers.isEmpty || figures.isOn) {
            sharpen(feed, at: now)
        }
    }

    // MARK: what is shown

    /// Replaces the frames of a comparison by those of one instant, all in one present. While one member lacks its
    /// frame, the others keep theirs. Members that can't be played are left out.
    mutating func keepFrames(of tile: TileID, _ parts: [FeedID: Feed.ScenePart], at now: Time) {
        func shown(_ member: TileID) -> FeedScreen.Shown? { parts[tiles[member].feed]?.shown }
        let members = tiles[tile].comparison!.members.filter { lastingTrouble(of: feeds[tiles[$0].feed]) == nil }
        let lacks = members.contains { member in
            let feed = feeds[tiles[member].feed]
            if parts[feed.id]?.shown == nil { return mayStillShow(feed) }
            // A late frame belongs to an earlier instant.
            return feed.screen.lack != nil || feed.showsAnotherInstant(at: context(of: feed.id, at: now).groupTime)
        }
        let isSame = tiles[tile].comparison!.shown.map(\.member) == members.filter { shown($0) != nil }
        if lacks, isSame { return }
        tiles[tile].comparison!.shown = members.compactMap { member in
            shown(member).map { TileComparison.Shown(member: member, frame: $0) }
        }
    }

    /// Returns true if a feed without a frame may still get one.
    private func mayStillShow(_ feed: Feed) -> Bool {
        feed.phase == .playing && feed.hasSeat && feed.trouble.latest == nil && !feed.playsOnlySound
    }

    /// Returns true if a tile shows this frame, or will in this present. A frame that only comparisons show may have to
    /// wait for other frames.
    func isShown(_ frame: Output.Drawn) -> Bool {
        let feed = feeds[frame.feed]
        if feed.tiles.contains(where: { tiles[$0].layout.comparedBy == nil }) { return true }
        return feed.watchers.contains { tile in
            tiles[tile].comparison!.shown.contains {
                tiles[$0.member].feed == frame.feed && $0.frame.serial == frame.serial
            }
        }
    }

    func comparingView(of tile: TileID, in rect: Rect, at now: Time) -> View {
        let layout = tiles[tile].layout, label = layout.label
        guard let comparison = tiles[tile].comparison, let loaded = layout.compare, let first = comparison.shown.first
        else { return view(of: tile, in: rect, showing: nil) }
        var fitted = fit(first, in: rect, of: layout)
        fitted.part = shownPart(of: tile).of(fitted.part)
        let parts = comparison.shown.map { shown in
            ComparedFrames.Part(
                shown.frame.frame, stamp: stamp(of: shown), crop: fitted.part.of(look(of: shown).finalCrop))
        }
        let content: View.Content
        if parts.count == 1 || loaded.mode == .blink {
            let side = parts.count == 1 ? 0 : side(of: comparison, at: now)
            content = .frame(
                parts[side].frame, stamp: parts[side].stamp, crop: parts[side].crop, target: fitted.target)
        } else {
            let isStanding = clocks[feeds[tiles[tile].feed].group].motionToCome == .standing
            content = .comparison(
                ComparedFrames(
                    parts, mode: loaded.mode, gain: loaded.gain, at: loaded.at, angle: Angle(degrees: loaded.angle),
                    precision: isStanding ? .full : .asDrawn), target: fitted.target)
        }
        return View(tile: tile, rect: rect, content: content, label: label)
    }

    /// Returns the rect that the reference fills in the tile (`target`), and the part of its cropped frame that is seen
    /// (`part`).
    private func fit(_ shown: TileComparison.Shown, in rect: Rect, of layout: TileLayout)
        -> (part: Fractions, target: Rect)
    {
        let look = look(of: shown)
        let natural = shown.frame.frame.natural
        let (crop, target) = TileGeometry.fit(
            natural: look.turn.isSideways ? Size(natural.height, natural.width) : natural, turn: look.turn,
            flip: look.flip, crop: look.crop, fit: layout.fit, rect: rect)
        return (crop.within(look.finalCrop), target)
    }

    private func look(of shown: TileComparison.Shown) -> Item {
        tiles[shown.member].look(ofItem: shown.frame.item)
    }

    func stamp(of shown: TileComparison.Shown) -> Stamp {
        Stamp(feed: tiles[shown.member].feed, serial: shown.frame.serial)
    }

    /// Returns the reasons why members of a comparison are not shown.
    func missingMembers(of tile: TileID) -> [Marks.Reason] {
        guard let comparison = tiles[tile].comparison else { return [] }
        return comparison.members.compactMap { member in
            guard !comparison.shown.contains(where: { $0.member == member }) else { return nil }
            let feed = feeds[tiles[member].feed], name = nameOfMember(member)
            if let trouble = feed.trouble.latest { return .trouble("\(name): \(trouble.what)") }
            return feed.playsOnlySound ? .trouble("\(name) has no video") : nil
        }
    }

    /// Returns why a tile, or a tile that it compares, is not played. nil if it is played.
    func troubleText(of tile: TileID) -> String? {
        guard tiles[tile].comparison == nil else { return missingMembers(of: tile).first?.text }
        let feed = feeds[tiles[tile].feed]
        return feed.trouble.latest.map { feed.words(for: $0) }
    }

    /// Returns lines on a comparison: names, mode, sizes, pairing and colours.
    func infoOnComparison(of tile: TileID) -> [String] {
        guard let comparison = tiles[tile].comparison, let loaded = tiles[tile].layout.compare else { return [] }
        let names = comparison.members.map(nameOfMember)
        let sizes = Set(comparison.shown.map { $0.frame.frame.natural })
        let first = comparison.shown.first?.frame.frame.natural
        let scaled = sizes.count > 1 ? first.map { "scaled to \($0.width)x\($0.height)" } : nil
        let colours = comparison.shown.flatMap { shown -> [String] in
            guard let coded = shown.frame.frame.coded else { return [] }
            return ["\(nameOfMember(shown.member)): \(coded.words)"] + (coded.colorimetry.cautionLines ?? [])
        }
        let pairing = comparison.members.dropFirst().lazy.compactMap {
            self.wordsOnPairing(of: $0, with: comparison.members[0])?.long
        }.first
        return ["\(names.joined(separator: ", ")): \(loaded.words)"] + [scaled, pairing].compactMap { $0 } + colours
    }

    /// Returns the index of the frame that blink shows.
    func side(of comparison: TileComparison, at now: Time) -> Int {
        let count = comparison.shown.count
        if let side = comparison.side { return side % count }
        return Int(now.ticks / TileComparison.turn.ticks) % count
    }

    /// Returns the wall time at which blink shows the next frame. nil while it does not alternate.
    func nextTurn(of tile: TileID, at now: Time) -> Time? {
        guard let comparison = tiles[tile].comparison, comparison.side == nil, comparison.shown.count > 1,
            tiles[tile].layout.compare?.mode == .blink
        else { return nil }
        return TileComparison.turn * (now.ticks / TileComparison.turn.ticks + 1)
    }
}

extension Item {
    /// The part of the finished frame that is shown.
    fileprivate var finalCrop: Fractions { crop.turned(turn).flipped(flip) }
}
