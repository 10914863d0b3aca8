import Base
import Commands
import Feeds
import Layout
import Scene

/// Changes of comparisons by users.
struct Comparison: Feature {
    /// The comparison over the wall; nil while there is none.
    private var overlaid: (tile: TileID, layout: ComparisonLayout)?
    /// The comparison over the wall that the layout states.
    private var stated: ComparisonLayout?
    /// The comparison that was over the wall before; nil until one was replaced or removed.
    private var last: ComparisonLayout?
    /// The line of a wipe that a drag moves; nil while there is none. `at`: its place at the start of the drag, from 0
    /// to 1.
    private var heldLine: HeldLine?
    /// Gains that the canvas has chosen for the frames that it showed last.
    private var shownGains: [TileID: Double] = [:]

    private typealias HeldLine = (tile: TileID, lines: WipeLines, at: Double)

    mutating func carryOut(_ command: Change, of tile: TileID?, _ snapshot: Snapshot) -> FeatureAnswer? {
        switch command {
        case .compare(let change): carryOut(change, snapshot)
        case .scrub(let move) where tile != nil: scrub(move, snapshot)
        case .window(.escape) where snapshot.tiles.overlaid != nil: .done(.overlay(nil, group: ""))
        default: nil
        }
    }

    private func carryOut(_ change: Change.Compare, _ snapshot: Snapshot) -> FeatureAnswer {
        switch change {
        case .toggle: toggle(snapshot)
        case .tiles(let first, let second, let mode): compare(first, second, mode, snapshot)
        // The wall looks the name up first.
        case .with: .refused()
        case .off: .done(.overlay(nil, group: ""))
        case .mode(let count): self.change(snapshot) { $0.mode = $0.mode.moved(by: count) }
        case .gainDoubled: multiplyGain(by: 2, snapshot)
        case .gainHalved: multiplyGain(by: 0.5, snapshot)
        case .gain(let factor):
            self.change(needing: \.usesGain, snapshot) { $0.gain = factor.map { .times($0) } ?? .automatic }
        case .turnLine:
            self.change(needing: \.hasLine, snapshot) {
                $0.angle = ($0.angle + 90).truncatingRemainder(dividingBy: 360)
            }
        case .changeSides: changeSides(snapshot)
        }
    }

    var follows: PlayerChanges { .state }

    /// Shows the comparison that another layout states. Notes the comparison over the wall, whose mode, gain and line are
    /// kept for the next comparison, and makes it follow the focus.
    mutating func react(to player: PlayerCore, at now: Time) -> [Change] {
        if player.layout.overlaid != stated {
            stated = player.layout.overlaid
            return show(stated, player.tiles)
        }
        guard overlaid != nil || player.tiles.overlaid != nil else { return [] }
        let tile = player.tiles.overlaid
        if let overlaid, overlaid.tile != tile { last = overlaid.layout }
        overlaid = tile.flatMap { tile in player.tiles[tile].layout.compare.map { (tile, $0) } }
        return followFocus(player.tiles)
    }

    /// Shows the comparison of a layout over the wall; nil removes it. Its first tile gets the focus.
    private func show(_ compared: ComparisonLayout?, _ tiles: Tiles) -> [Change] {
        guard let compared, let first = tiles.id(named: compared.name(ofMember: 0)) else {
            return [.overlay(nil, group: "")]
        }
        return [.focus(.tile(first)), .overlay(compared, group: tiles[first].layout.group)]
    }

    /// Makes the comparison over the wall one of the focused tile with the tile that had the focus before.
    private func followFocus(_ tiles: Tiles) -> [Change] {
        guard let (tile, layout) = overlaid, let focus = tiles.focus, let former = tiles.formerFocus,
            [focus, former].allSatisfy({ tiles[$0].watch == nil }), layout.name(ofMember: 0) != tiles[focus].name
        else { return [] }
        var next = layout
        next.members = [focus, former].map { .tile(tiles[$0].name) }
        return [.setComparison(next, of: tile), .showSide(nil, of: tile)]
    }

    /// Starts or ends a comparison of the focused tile with the tile that had the focus before, else with the next
    /// tile.
    private func toggle(_ snapshot: Snapshot) -> FeatureAnswer {
        let tiles = snapshot.tiles
        if tiles.overlaid != nil { return .done(.overlay(nil, group: "")) }
        guard let focus = snapshot.focus else { return .refused(because: "nothing is compared") }
        if tiles[focus].watch != nil { return .done(.zoom(.toggle)) }
        let others = tiles.playing.filter { $0 != focus && tiles.order.contains($0) }
        let place = tiles.order.firstIndex(of: focus) ?? 0
        let next = (tiles.order[place...] + tiles.order[..<place]).first(where: others.contains)
        guard let other = tiles.formerFocus.flatMap({ others.contains($0) ? $0 : nil }) ?? next else {
            return .refused("there is no other tile to compare \(tiles[focus].name) with")
        }
        return compare(focus, other, nil, snapshot)
    }

    private func compare(_ first: TileID, _ second: TileID, _ mode: ComparisonMode?, _ snapshot: Snapshot)
        -> FeatureAnswer
    {
        let tiles = snapshot.tiles
        if first == second { return .refused(because: "a tile can't be compared with itself") }
        guard [first, second].allSatisfy({ tiles.contains($0) && tiles[$0].watch == nil }) else {
            return .refused(because: "a tile that compares can't be compared")
        }
        let names = (tiles[first].name, tiles[second].name)
        var compared = ComparisonLayout(members: [.tile(names.0), .tile(names.1)])
        if let last {
            (compared.mode, compared.gain, compared.at, compared.angle) = (last.mode, last.gain, last.at, last.angle)
        }
        compared.mode = mode ?? compared.mode
        return .done(
            .focus(.tile(first)), .overlay(compared, group: tiles[first].layout.group),
            .notice("\(names.0), \(names.1): \(compared.words)"))
    }

    /// Changes a comparison. Refuses with a notice if nothing is compared, or the mode lacks `property`.
    private func change(
        needing property: KeyPath<ComparisonMode, Bool>? = nil, _ snapshot: Snapshot,
        _ body: (inout ComparisonLayout) -> Void
    ) -> FeatureAnswer {
        guard let tile = Self.tileInHand(snapshot), var compared = snapshot.tiles[tile].layout.compare else {
            return Self.refusal
        }
        if let property, !compared.mode[keyPath: property] {
            let modes = ComparisonMode.allCases.filter { $0[keyPath: property] }.map(\.rawValue)
            let what = property == \.hasLine ? "has no line to turn" : "has no gain"
            let text = "\(compared.mode.rawValue) \(what); v leads to \(modes.joined(separator: ", "))"
            return .refused(text)
        }
        body(&compared)
        return .done(.setComparison(compared, of: tile), .showSide(nil, of: tile), .notice(compared.words))
    }

    /// Multiplies the gain. A gain that was automatic is set from then on.
    private func multiplyGain(by share: Double, _ snapshot: Snapshot) -> FeatureAnswer {
        let shown = Self.tileInHand(snapshot).flatMap { shownGains[$0] }, range = ComparisonLayout.gains
        return change(needing: \.usesGain, snapshot) {
            let factor = ($0.factor ?? shown ?? ComparisonLayout.usualGain) * share
            $0.gain = .times(min(max(factor, range.lowerBound), range.upperBound))
        }
    }

    /// Notes the gains that the canvas has chosen.
    mutating func note(gains: [TileID: Double]) { shownGains = gains }

    private func changeSides(_ snapshot: Snapshot) -> FeatureAnswer {
        guard let tile = Self.tileInHand(snapshot), let comparison = snapshot.tiles[tile].watch else {
            return Self.refusal
        }
        if snapshot.tiles[tile].layout.compare?.mode == .blink, !comparison.shown.isEmpty {
            let side = comparison.sideShown(at: snapshot.now)
            return .done(.showSide((side + 1) % comparison.shown.count, of: tile))
        }
        guard let second = comparison.members.dropFirst().first else {
            return .refused(because: "nothing is compared")
        }
        // Figures refer to the first member.
        let change = tile == snapshot.tiles.overlaid ? Change.focus(.tile(second)) : .swapSides(of: tile)
        return .done(change, .notice("reference: \(snapshot.nameOfMember(second))"))
    }

    private static var refusal: FeatureAnswer {
        .refused("nothing is compared; c compares two tiles", because: "nothing is compared")
    }

    /// The tile whose comparison the keys change.
    private static func tileInHand(_ snapshot: Snapshot) -> TileID? {
        if let overlaid = snapshot.tiles.overlaid { return overlaid }
        if let focus = snapshot.focus, snapshot.tiles[focus].watch != nil { return focus }
        return snapshot.tiles.watching.first
    }

    // MARK: the line of a wipe

    /// Distance from the line within which a drag moves it, in pixels.
    private static var reachOfLine: Double { 12 }

    /// Drags the line of a wipe. nil if the drag began away from the line.
    private mutating func scrub(_ move: Change.Scrub, _ snapshot: Snapshot) -> FeatureAnswer? {
        switch move {
        case .began(let point, _):
            heldLine = line(at: point, snapshot)
            return heldLine == nil ? nil : .done()
        case .moved(let right, let down):
            guard let heldLine else { return nil }
            guard snapshot.tiles.contains(heldLine.tile), var compared = snapshot.tiles[heldLine.tile].layout.compare
            else { return .done() }
            compared.at = min(max(heldLine.at + heldLine.lines.change(movedBy: right, down), 0), 1)
            return .done(.setComparison(compared, of: heldLine.tile))
        case .ended:
            // The answer is nil, so that the player ends a scrub that it may hold.
            heldLine = nil
            return nil
        }
    }

    /// Returns the line within reach of a point of the window.
    private func line(at point: Point, _ snapshot: Snapshot) -> HeldLine? {
        guard let tile = snapshot.tile(at: point), let loaded = snapshot.tiles[tile].layout.compare,
            case .comparison(let frames) = ViewMaker(snapshot: snapshot).viewToCome(of: tile).content,
            frames.mode == .wipe
        else { return nil }
        let lines = frames.lines(in: frames.target)
        guard lines.distance(of: point) <= Self.reachOfLine else { return nil }
        return (tile, lines, loaded.at)
    }
}

extension Wall {
    /// Notes the gains of differences that the canvas has chosen from the frames on the screen.
    public mutating func note(gains: [TileID: Double]) { features.change(Comparison.self) { $0.note(gains: gains) } }
}

// Changes of comparisons. After a change of what a tile watches, the watched feeds are found anew.
extension Change {
    /// Shows a comparison of other tiles over the wall; nil removes it.
    static func overlay(_ compared: ComparisonLayout?, group: String) -> Change {
        let layout = compared.map { compared in
            var layout = TileLayout(id: "", place: .fractions(.all), content: .comparison(compared))
            layout.group = group
            return layout
        }
        return player(.all) { $0.tileFeeds.overlay(layout, at: $1) }
    }
    static func setComparison(_ compared: ComparisonLayout, of tile: TileID) -> Change {
        player(.all) { player, _ in player.tileFeeds.tiles[tile].layout.content = .comparison(compared) }
    }
    /// Shows one side of a comparison in blink mode; nil lets the sides alternate.
    static func showSide(_ side: Int?, of tile: TileID) -> Change {
        player { player, _ in player.tileFeeds.tiles[tile].watch?.side = side }
    }
    static func swapSides(of tile: TileID) -> Change {
        player(.all) { player, _ in player.tileFeeds.tiles[tile].layout.compare?.isSwapped.toggle() }
    }
}
