import Base
import Commands
import Layout
import Scene

// Changes of a comparison by users.
extension Wall {
    /// The tile whose comparison the keys change.
    var comparisonInHand: TileID? {
        if let overlaid = tiles.overlaid { return overlaid }
        if let focus, tiles[focus].comparison != nil { return focus }
        return tiles.comparing.first
    }

    mutating func compare(_ change: Command.Compare, at now: Time) -> Bool {
        switch change {
        case .toggle: return toggleComparing(at: now)
        case .tiles(let first, let second, let mode): return compare(first, second, mode, at: now)
        case .off:
            endOverlay()
            return true
        case .mode(let count):
            return changeComparison(at: now) { $0.mode = $0.mode.moved(by: count) }
        case .gainDoubled:
            return changeComparison(needing: \.usesGain, at: now) {
                $0.gain = min($0.gain * 2, ComparisonLayout.gains.upperBound)
            }
        case .gainHalved:
            return changeComparison(needing: \.usesGain, at: now) {
                $0.gain = max($0.gain / 2, ComparisonLayout.gains.lowerBound)
            }
        case .turnLine:
            return changeComparison(needing: \.hasLine, at: now) {
                $0.angle = ($0.angle + 90).truncatingRemainder(dividingBy: 360)
            }
        case .changeSides: return changeSides(at: now)
        }
    }

    /// Starts or ends a comparison of the focused tile with the one that had the focus before, else with the next.
    private mutating func toggleComparing(at now: Time) -> Bool {
        if tiles.overlaid != nil {
            endOverlay()
            return true
        }
        guard let focus else { return false }
        if tiles[focus].comparison != nil {
            toggleZoom(at: now)
            return true
        }
        let others = tiles.playing.filter { $0 != focus && tiles.order.contains($0) }
        let place = tiles.order.firstIndex(of: focus) ?? 0
        let next = (tiles.order[place...] + tiles.order[..<place]).first(where: others.contains)
        guard let other = tiles.formerFocus.flatMap({ others.contains($0) ? $0 : nil }) ?? next else {
            showNotice("there is no other tile to compare \(tiles[focus].name) with", at: now)
            return false
        }
        return compare(focus, other, nil, at: now)
    }

    private mutating func compare(_ first: TileID, _ second: TileID, _ mode: ComparisonMode?, at now: Time) -> Bool {
        guard first != second, [first, second].allSatisfy({ tiles.contains($0) && tiles[$0].comparison == nil }) else {
            return false
        }
        if focus != first { setFocus(first, at: now) }
        var compared = ComparisonLayout(members: [.tile(tiles[first].name), .tile(tiles[second].name)])
        if let last = lastComparison {
            (compared.mode, compared.gain, compared.at, compared.angle) = (last.mode, last.gain, last.at, last.angle)
        }
        compared.mode = mode ?? compared.mode
        endOverlay()
        var layout = TileLayout(id: "", place: .fractions(.all), play: [])
        (layout.group, layout.compare) = (tiles[first].layout.group, compared)
        let feed = tiles[first].feed
        output.overlay(tiles.overlay { Tile(id: $0, layout, feed: feed) })
        settleComparisons()
        for feed in Set([first, second].map { tiles[$0].feed }).sorted() { sharpen(feed, at: now) }
        showNotice("\(tiles[first].name), \(tiles[second].name): \(compared.words)", at: now)
        return true
    }

    /// Makes the overlaid comparison follow the focus: the tile that has it against the one that had it.
    mutating func compareFocused() {
        guard let overlaid = tiles.overlaid, let focus, let former = tiles.formerFocus,
            [focus, former].allSatisfy({ tiles[$0].comparison == nil })
        else { return }
        let members = [focus, former].map { ComparisonLayout.Member.tile(tiles[$0].name) }
        tiles[overlaid].layout.compare?.members = members
        tiles[overlaid].comparison!.side = nil
        settleComparisons()
    }

    /// Removes the overlaid comparison. Its mode, gain and line are kept for the next one.
    mutating func endOverlay() {
        guard let tile = tiles.overlaid else { return }
        lastComparison = tiles[tile].layout.compare
        output.overlay(nil)
        tiles.remove(tile)
    }

    /// Changes a comparison. Returns false and shows a notice if nothing is compared, or the mode lacks `property`.
    private mutating func changeComparison(
        needing property: KeyPath<ComparisonMode, Bool>? = nil, at now: Time,
        _ body: (inout ComparisonLayout) -> Void
    ) -> Bool {
        guard let tile = comparisonInHand, var compared = tiles[tile].layout.compare else {
            showNotice("nothing is compared; c compares two tiles", at: now)
            return false
        }
        if let property, !compared.mode[keyPath: property] {
            let modes = ComparisonMode.allCases.filter { $0[keyPath: property] }.map(\.rawValue)
            let what = property == \.hasLine ? "has no line to turn" : "has no gain"
            showNotice("\(compared.mode.rawValue) \(what); v leads to \(modes.joined(separator: ", "))", at: now)
            return false
        }
        body(&compared)
        tiles[tile].layout.compare = compared
        tiles[tile].comparison!.side = nil
        showNotice(compared.words, at: now)
        effects.wakeScreen()
        return true
    }

    private mutating func changeSides(at now: Time) -> Bool {
        guard let tile = comparisonInHand, let comparison = tiles[tile].comparison else {
            showNotice("nothing is compared; c compares two tiles", at: now)
            return false
        }
        if tiles[tile].layout.compare?.mode == .blink, !comparison.shown.isEmpty {
            let side = side(of: comparison, at: now)
            tiles[tile].comparison!.side = (side + 1) % comparison.shown.count
        } else if tile == tiles.overlaid {
            guard let second = comparison.members.dropFirst().first else { return false }
            setFocus(second, at: now)
        } else {
            tiles[tile].comparison!.isSwapped.toggle()
        }
        effects.wakeScreen()
        return true
    }

    // MARK: offsets

    /// Moves a tile further ahead of its group's clock, and shows the new offset. Returns false if a layout may not
    /// state such an offset.
    mutating func nudge(_ tile: TileID, by change: Time, at now: Time) -> Bool {
        let limit = Time.longestWritten, offset = tiles[tile].layout.offset
        guard (-limit...limit).contains(change), (-limit...limit).contains(offset + change) else { return false }
        edit(tile, at: now) { $0.offset += change }
        showNotice("\(tiles[tile].name): offset \(tiles[tile].layout.offset.signedText) s", at: now)
        return true
    }

    /// Returns the duration of a frame of a tile on its clock. nil if it is unknown.
    func frameLength(of tile: TileID) -> Time? {
        let feed = feeds[tiles[tile].feed]
        guard let front = feed.slots.first, let facts = feed.sources.facts(of: front.location),
            let length = facts.frameLength, length > .zero
        else { return nil }
        return length.lasting(at: feed.timeline.rate(of: front.run))
    }

    // MARK: the line of a wipe

    /// Distance from the line within which a drag moves it, in pixels.
    private static var reachOfLine: Double { 12 }

    /// Starts to drag the line of a wipe. Returns true if a line is within reach of `point`.
    mutating func grabLine(at point: Point, now: Time) -> Bool {
        guard let tile = output.tile(at: point, of: tiles.order), let loaded = tiles[tile].layout.compare,
            case .comparison(let frames, let target) = comparingView(
                of: tile, in: output.rectToDecode(of: tile), at: now
            ).content,
            frames.mode == .wipe
        else { return false }
        let lines = frames.lines(in: target)
        guard lines.distance(of: point) <= Self.reachOfLine else { return false }
        heldLine = HeldLine(tile: tile, lines: lines, at: loaded.at)
        return true
    }

    mutating func moveLine(by x: Int, _ y: Int) {
        guard let heldLine, tiles.contains(heldLine.tile) else { return }
        tiles[heldLine.tile].layout.compare?.at = min(max(heldLine.at + heldLine.lines.change(movedBy: x, y), 0), 1)
        effects.wakeScreen()
    }
}

/// The line of a wipe while a pointer holds it.
struct HeldLine {
    let tile: TileID
    let lines: WipeLines
    /// Place of the line at the start of the drag, from 0 to 1.
    let at: Double
}

extension ComparisonLayout {
    /// Mode of the comparison, with the gain if the mode uses one.
    var words: String { mode.usesGain ? "\(mode.rawValue) \u{D7}\(gain.plain)" : mode.rawValue }
}
