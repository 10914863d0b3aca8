import Base
import Layout

/// Changes to a layout's file with which a wall would begin as this wall is now.
public struct SaveReport {
    let snapshot: Snapshot

    public init(_ snapshot: Snapshot) { self.snapshot = snapshot }

    /// Returns the changes by hand to the layout since it was given. `folder`: that of relative paths; empty if there is
    /// none.
    public func changesByHand(in folder: String = "") -> LayoutTextChanges {
        var audio = snapshot.layouts.given.audio
        audio.volume = snapshot.audioState.volume
        var changes = LayoutTextChanges(from: snapshot.layouts.given.audio, to: audio)
        for (place, given) in snapshot.layouts.given.tiles.enumerated() {
            guard let tile = snapshot.tiles.id(named: given.id) else { continue }
            var change = LayoutTextChanges.TileChange(from: given, to: snapshot.tiles[tile].layout, in: folder)
            for (place, member) in (given.compare?.members ?? []).enumerated() {
                guard case .source(_, let offset) = member,
                    let player = snapshot.tiles.id(ofLayout: given.memberName(place))
                else { continue }
                // The tile's own offset is added to that of each member.
                let present = snapshot.tiles[player].layout.offset - given.offset
                if present != offset { change.setOffset(present, ofCompared: place) }
            }
            if !change.isEmpty { changes.tiles[place] = change }
        }
        for group in snapshot.layouts.given.groups {
            var changed = group
            let rate = snapshot.clocks.id(named: group.name).map { snapshot.clocks[$0].clock.rate }
            if let rate, rate != group.rate ?? .one { changed.rate = rate }
            let part = snapshot.output.magnified[group.name]?.framePart ?? .whole
            if part != group.part ?? .whole { changed.part = part }
            changes.set(changed, from: group)
        }
        changes.set(
            overlaid: snapshot.tiles.overlaid.flatMap { snapshot.tiles[$0].layout.compare },
            from: snapshot.layouts.given)
        if let focus = snapshot.focus, snapshot.tiles[focus].name != snapshot.layouts.given.focusName {
            changes.focus = snapshot.tiles[focus].name
        }
        return changes
    }

    /// Text of a layout, for a wall that plays no layout's file: its tiles in their grid, with their items or
    /// comparisons.
    public var layoutText: String {
        let entries = snapshot.layouts.given.tiles.compactMap { given -> String? in
            guard let tile = snapshot.tiles.id(named: given.id) else { return nil }
            let label = given.label.map { ", \"label\": \(quoted($0))" } ?? ""
            let content =
                given.compare.map(text) ?? "\"play\": [\(snapshot.tiles[tile].play.map(text).joined(separator: ", "))]"
            let offset = given.offset == .zero ? "" : ", \"offset\": \(seconds(given.offset))"
            return "    { \"id\": \(quoted(given.id)), \(content)\(label)\(offset) }"
        }
        return "{\n  \"tiles\": [\n\(entries.joined(separator: ",\n"))\n  ]\n}\n"
    }

    private func text(of item: Item) -> String {
        let source = quoted(item.name(of: 0))
        return item.key == 0 ? source : "{ \"src\": \(source), \"key\": \(item.key) }"
    }

    private func text(of compared: ComparisonLayout) -> String {
        let members = compared.members.map { member -> String in
            switch member {
            case .tile(let id): return quoted(id)
            case .source(let items, let offset):
                var source = items.first?.name(of: 0) ?? ""
                if !source.contains("/"), !source.contains(".") { source = "./" + source }
                if offset == .zero { return quoted(source) }
                return "{ \"src\": \(quoted(source)), \"offset\": \(seconds(offset)) }"
            }
        }
        let mode = compared.mode == .wipe ? "" : ", \"mode\": \(quoted(compared.mode.rawValue))"
        return "\"compare\": [\(members.joined(separator: ", "))]\(mode)"
    }

    private func seconds(_ time: Time) -> String { String(decoding: time.written, as: UTF8.self) }
    private func quoted(_ text: String) -> String { JSONWriter.text(.text(text)) }
}
