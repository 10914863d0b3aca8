import Base
import Feeds
import Layout
import Scene

/// Changes to a layout's file with which a wall would begin as this wall is now.
public struct SaveReport: Report {
    let snapshot: Snapshot

    public init(_ snapshot: Snapshot) { self.snapshot = snapshot }

    /// Changes by hand to the layout since it was given.
    public var changesByHand: LayoutTextChanges {
        var changes = LayoutTextChanges()
        for (place, given) in layouts.given.tiles.enumerated() {
            guard let tile = tiles.id(named: given.id) else { continue }
            let now = tiles[tile].layout
            var change = LayoutTextChanges.TileChange(
                offset: now.offset == given.offset ? nil : now.offset,
                isMuted: now.isMuted == given.isMuted ? nil : now.isMuted,
                volume: now.volume == given.volume ? nil : now.volume)
            for (place, member) in (given.compare?.members ?? []).enumerated() {
                guard case .source(_, let offset) = member, let player = tiles.id(ofLayout: given.memberName(place))
                else {
                    continue
                }
                // The tile's own offset is added to that of each member.
                let present = tiles[player].layout.offset - given.offset
                if present != offset { change.comparedOffsets[place] = present }
            }
            change.stems = stemChanges(since: given, tiles[tile].layout)
            if change != LayoutTextChanges.TileChange() { changes.tiles[place] = change }
        }
        if let focus, tiles[focus].name != layouts.given.focusName { changes.focus = tiles[focus].name }
        if audioState.volume != layouts.given.audio.volume { changes.volume = audioState.volume }
        return changes
    }

    /// Returns the changes of stems, if the tile plays the items that its layout states.
    private func stemChanges(since given: TileLayout, _ now: TileLayout) -> [LayoutTextChanges.StemChange] {
        guard now.play.count == given.play.count else { return [] }
        return zip(given.play, now.play).enumerated().flatMap { place, items -> [LayoutTextChanges.StemChange] in
            guard items.0.sequenced == items.1.sequenced else { return [] }
            return zip(items.0.audio.stems, items.1.audio.stems).enumerated().compactMap { number, stems in
                let (before, after) = stems
                guard before != after, before.name == after.name else { return nil }
                return LayoutTextChanges.StemChange(
                    item: place, stem: number, isMuted: after.isMuted == before.isMuted ? nil : after.isMuted,
                    volume: after.volume == before.volume ? nil : after.volume)
            }
        }
    }

    /// Text of a layout, for a wall that plays no layout's file: its tiles in their grid, with their items or
    /// comparisons.
    public var layoutText: String {
        let tiles = layouts.given.tiles.compactMap { given -> String? in
            guard let tile = self.tiles.id(named: given.id) else { return nil }
            let label = given.label.map { ", \"label\": \(quoted($0))" } ?? ""
            let content =
                given.compare.map(text) ?? "\"play\": [\(self.tiles[tile].play.map(text).joined(separator: ", "))]"
            return "    { \"id\": \(quoted(given.id)), \(content)\(label) }"
        }
        return "{\n  \"tiles\": [\n\(tiles.joined(separator: ",\n"))\n  ]\n}\n"
    }

    private func text(of item: Item) -> String { quoted(item.name(of: 0)) }

    private func text(of compared: ComparisonLayout) -> String {
        let members = compared.members.map { member -> String in
            switch member {
            case .tile(let id): return quoted(id)
            case .source(let items, let offset):
                var source = items.first?.name(of: 0) ?? ""
                if !source.contains("/"), !source.contains(".") { source = "./" + source }
                if offset == .zero { return quoted(source) }
                let written = String(decoding: WrittenTime.seconds(offset), as: UTF8.self)
                return "{ \"src\": \(quoted(source)), \"offset\": \(written) }"
            }
        }
        let mode = compared.mode == .wipe ? "" : ", \"mode\": \(quoted(compared.mode.rawValue))"
        return "\"compare\": [\(members.joined(separator: ", "))]\(mode)"
    }

    private func quoted(_ text: String) -> String { JSONWriter.text(.text(text)) }
}
