import Base

/// Result of reading a layout file: the layout, or its mistakes.
public enum ParsedLayout: Sendable, Equatable {
    case layout(Layout)
    case mistakes(Mistakes)
}

/// Reads layout files. Pure: nothing is opened, so a file that a layout names may be missing.
public enum LayoutReader {
    /// `path`: the file of `bytes`. Relative sources begin in its directory, and its last part is the default title.
    /// `-` is standard input.
    public static func read(_ bytes: [UInt8], path: String) -> ParsedLayout {
        do { return .layout(try layoutAndText(bytes, path: path).layout) } catch { return .mistakes(error) }
    }

    /// Returns the layout, its JSON with positions, and what was noted while it was read.
    static func layoutAndText(
        _ bytes: [UInt8], path: String
    ) throws(Mistakes) -> (layout: Layout, root: JSONValue, notes: LayoutNotes) {
        let root: JSONValue
        do { root = try JSONParser.parse(bytes) } catch {
            throw Mistakes(listed: [Mistake(at: error.position, place: "JSON", text: error.text)], count: 1)
        }
        let node = LayoutNode(value: root, place: "", notes: LayoutNotes(base: SourceBase(layoutPath: path)))
        let layout = layout(node, title: path == "-" ? "Quadrille" : SourceName.fileName(of: path))
        if let mistakes = node.notes.mistakes.mistakes { throw mistakes }
        guard let layout else { preconditionFailure("a layout without mistakes was not read") }
        return (layout, root, node.notes)
    }

    /// The largest grid has 4,096 cells.
    private static let mostTiles = 10_000

    private static func layout(_ node: LayoutNode, title: String) -> Layout? {
        guard node.isObject else {
            let right =
                node.elements?.isEmpty == false
                ? "an object that holds it would be right: {\"tiles\": […]}" : "an object with \"tiles\" would be right"
            return node.inner(node.value, "layout").refused(right: right)
        }
        guard let fields = node.fields(of: .layout) else { return nil }
        var layout = Layout(title: title, tiles: [])
        fields.read(into: &layout)
        let declared = fields["groups"].map(groups)
        var drafts = tiles(fields)
        layout.grid = GridPlacement(node: fields["grid"], windowSize: layout.window.size).place(&drafts)
        layout.groups = complete(declared ?? [], from: drafts)
        layout.tiles = drafts.map(\.tile)
        layout.passToneMappingOn()
        name(&layout.tiles, drafts: drafts)
        compare(in: &layout, drafts)
        if let node = fields["compare"] {
            let comparing = Set(layout.tiles.filter { $0.compare != nil }.map(\.id))
            layout.overlaid = ComparisonReader(tiles: layout.tiles, comparing: comparing).comparisonOfWall(node)
        }
        if let node = fields["breaks"] {
            layout.breaks = BreakReader(tiles: layout.tiles).breaks(node)
        }
        if let node = fields["keys"] {
            let commands = CommandReader(tiles: layout.tiles.map(\.id), breaks: layout.breaks.map(\.name))
            layout.keys = commands.keys(node)
        }
        if let audio = fields["audio"]?.fields(of: .audio) { read(audio, into: &layout) }
        return layout
    }

    // MARK: Groups

    private static func groups(_ node: LayoutNode) -> [GroupLayout] {
        guard let fields = node.namedFields(right: "an object of groups by name would be right") else { return [] }
        return fields.keys.map { name in
            var group = GroupLayout(name: name)
            if !isName(name) {
                fields.refuse(key: name, "a group can't be called \(name.quoted); \(rightName)")
            }
            fields[name]?.fields(of: .group)?.read(into: &group)
            return group
        }
    }

    /// Returns the declared groups, "main" and the groups that only tiles name. A name that differs from a declared one
    /// in upper and lower case only is a mistake.
    private static func complete(_ declared: [GroupLayout], from drafts: [TileDraft]) -> [GroupLayout] {
        var groups = declared
        if !groups.contains(where: { $0.name == "main" }) { groups.insert(GroupLayout(name: "main"), at: 0) }
        var known = Set(groups.map(\.name))
        let alike = Dictionary(groups.map { ($0.name.lowercased(), $0.name) }) { first, _ in first }
        for draft in drafts where !known.contains(draft.tile.group) {
            if let meant = alike[draft.tile.group.lowercased()] {
                draft.fields?["group"]?.refuse("there is no such group; did you mean \(meant.quoted)?")
            }
            known.insert(draft.tile.group)
            groups.append(GroupLayout(name: draft.tile.group))
        }
        return groups
    }

    // MARK: Tiles

    private static func tiles(_ fields: LayoutFields) -> [TileDraft] {
        guard let node = fields["tiles"] else { return [] }
        let elements = node.elements(upTo: mostTiles, "tiles", right: "a list of at least one tile would be right")
        return (elements ?? []).map { $0.tile() }
    }

    /// Names tiles without an id, skipping names that are taken, and refuses duplicate names.
    private static func name(_ tiles: inout [TileLayout], drafts: [TileDraft]) {
        var taken = Set<String>()
        for draft in drafts {
            draft.fields?["id"]?.refuseUnlessName()
            draft.fields?["group"]?.refuseUnlessName()
        }
        for (index, tile) in tiles.enumerated() where !tile.id.isEmpty && !taken.insert(tile.id).inserted {
            drafts[index].fields?["id"]?.refuse(
                "\(tile.id.quoted) is another tile's name; one of its own would be right")
        }
        var number = 0
        for index in tiles.indices where tiles[index].id.isEmpty {
            number = max(number, index) + 1
            while !taken.insert("tile\(number)").inserted { number += 1 }
            tiles[index].id = "tile\(number)"
        }
    }

    private static func compare(in layout: inout Layout, _ drafts: [TileDraft]) {
        let comparing = drafts.indices.filter { drafts[$0].fields?.has("compare") ?? false }
        guard !comparing.isEmpty else { return }
        let reader = ComparisonReader(tiles: layout.tiles, comparing: Set(comparing.map { layout.tiles[$0].id }))
        for index in comparing {
            guard let fields = drafts[index].fields,
                let comparison = reader.comparison(fields, of: layout.tiles[index])
            else { continue }
            layout.tiles[index].content = .comparison(comparison)
            layout.tiles[index].group = layout.group(of: comparison) ?? layout.tiles[index].group
            if case .count(let pipelines) = layout.pipelines, comparison.members.count > pipelines {
                fields["compare"]?.refuse(
                    "\(comparison.members.count) are compared at once, and there are \(pipelines) pipelines; "
                        + "\"pipelines\": \(comparison.members.count) would be right")
            }
        }
    }

    // MARK: Sound

    private static func read(_ fields: LayoutFields, into layout: inout Layout) {
        fields.read(into: &layout.audio)
        guard let node = fields["focus"], let id = node.text(right: "a tile's id would be right") else { return }
        if let tile = layout.tiles.firstIndex(where: { $0.id == id }) {
            layout.audio.focus = tile
        } else if !layout.tiles.isEmpty {
            node.refuseName(among: layout.tiles.map(\.id))
        }
    }
}

/// Words with another meaning in commands, which are no names.
let wordsOfCommands = ["none", "alone", "all"]

private func isName(_ text: String) -> Bool { !text.contains("/") && !wordsOfCommands.contains(text) }

private let rightName = "a name without \"/\", and none of none, alone and all, would be right"

extension LayoutNode {
    func refuseUnlessName() { if let text = string, !isName(text) { refuse(right: rightName) } }

    /// Notes that the text is none of `names`.
    func refuseName(among names: [String]) {
        if let near = string.flatMap({ nearest(to: $0, among: Array(names.prefix(1000))) }) {
            refuse("no tile is called \(shown); did you mean \(near.quoted)?")
        } else {
            let some = names.prefix(8).map(\.quoted)
            refuse("no tile is called \(shown); \(alternatives(Array(some))) would be right")
        }
    }
}
