/// Reads `breaks`, after the tiles have their names.
struct BreakReader {
    let tiles: [TileLayout]

    static let mostBreaks = 100
    private static let form = "{\"name\": \"ad\", \"every\": 600, \"play\": [\"ad.mp4\"]}"

    func breaks(_ node: LayoutNode) -> [BreakLayout] {
        let right = "a list of breaks such as \(Self.form) would be right"
        let elements = node.elements(from: 0, upTo: Self.mostBreaks, "breaks", right: right) ?? []
        var taken = Set<String>()
        let entries = elements.enumerated().compactMap { place, element -> (BreakLayout, LayoutFields)? in
            let fields = element.fields(of: .breakEntry, right: "a break such as \(Self.form) would be right")
            guard let fields else { return nil }
            let read = read(fields, place)
            if !taken.insert(read.name).inserted {
                fields["name"]?.refuse("\(read.name.quoted) is another break's name; one of its own would be right")
            }
            return (read, fields)
        }
        // A command may name a break that follows.
        let commands = CommandReader(tiles: tiles.map(\.id), breaks: entries.map(\.0.name))
        return entries.map { entry, fields in
            var entry = entry
            entry.first = fields["first"].flatMap(commands.command)
            entry.then = fields["then"].flatMap(commands.command)
            return entry
        }
    }

    private func read(_ fields: LayoutFields, _ place: Int) -> BreakLayout {
        var read = fields.object(BreakLayout.self)
        fields["name"]?.refuseUnlessName()
        if read.name.isEmpty { read.name = "break\(place + 1)" }
        if let node = fields["tiles"] { read.tiles = names(node) }
        return read
    }

    private func names(_ node: LayoutNode) -> [String]? {
        let known = tiles.filter { $0.compare == nil }.map(\.id)
        guard let elements = node.elements(right: "a list of tiles' ids would be right") else { return nil }
        var names: [String] = []
        for element in elements {
            guard let id = element.string, known.contains(id) else {
                element.refuseName(among: known)
                continue
            }
            if names.contains(id) {
                element.refuse(as: "given twice", right: "once would be right")
            } else {
                names.append(id)
            }
        }
        return names
    }
}
