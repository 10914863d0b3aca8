// What a layout's file is to say so that a wall begins as it is now.
extension Wall {
    /// Of the layout that was loaded: what was changed by hand since.
    public var changesByHand: LayoutChanges {
        var changes = LayoutChanges()
        for (place, said) in layouts.loaded.tiles.enumerated() {
            guard let tile = tiles.id(named: said.id) else { continue }
            let now = tiles[tile].layout
            var change = LayoutChanges.TileChange(
                offset: now.offset == said.offset ? nil : now.offset,
                isMuted: now.isMuted == said.isMuted ? nil : now.isMuted,
                volume: now.volume == said.volume ? nil : now.volume)
            for (place, member) in (said.compare?.members ?? []).enumerated() {
                guard case .source(_, let offset) = member, let player = tiles.id(ofLayout: said.memberName(place))
                else {
                    continue
                }
                // The tile's own is added to each.
                let present = tiles[player].layout.offset - said.offset
                if present != offset { change.comparedOffsets[place] = present }
            }
            if change != LayoutChanges.TileChange() { changes.tiles[place] = change }
        }
        if let focus, tiles[focus].name != layouts.loaded.focusName { changes.focus = tiles[focus].name }
        if hearing.volume != layouts.loaded.audio.volume { changes.volume = hearing.volume }
        return changes
    }

    /// A layout for a wall that plays none: its tiles in their grid with what they play.
    public var layoutText: String {
        let tiles = layouts.loaded.tiles.compactMap { said -> String? in
            guard let tile = self.tiles.id(named: said.id) else { return nil }
            let sources = self.tiles[tile].play.compactMap { $0.pieces.first.map { quoted($0.source) } }
            return "    { \"id\": \(quoted(said.id)), \"play\": [\(sources.joined(separator: ", "))] }"
        }
        return "{\n  \"tiles\": [\n\(tiles.joined(separator: ",\n"))\n  ]\n}\n"
    }

    private func quoted(_ text: String) -> String { JSONWriter.text(.text(text)) }
}
