import Base

/// Reads `breaks`, after the tiles have their names.
struct BreakReader {
    let base: SourceBase
    let tiles: [TileLayout]

    private static let mostBreaks = 100
    private static let form = "{\"name\": \"ad\", \"every\": 600, \"play\": [\"ad.mp4\"]}"

    func breaks(_ node: LayoutNode) -> [BreakLayout] {
        guard let elements = node.elements(atMost: Self.mostBreaks, "breaks") else {
            node.refuse(right: "a list of breaks such as \(Self.form) would be right")
            return []
        }
        var taken = Set<String>()
        return elements.enumerated().compactMap { place, element in
            guard let fields = element.fields(of: .breakEntry, right: "a break such as \(Self.form) would be right")
            else {
                return nil
            }
            let read = read(fields, place)
            if !taken.insert(read.name).inserted {
                fields["name"]?.refuse("\(read.name.quoted) is another break's name; one of its own would be right")
            }
            return read
        }
    }

    private func read(_ fields: LayoutFields, _ place: Int) -> BreakLayout {
        let name = fields["name"]?.text(right: "a name that is not empty would be right")
        fields["name"]?.refuseUnlessName()
        var read = BreakLayout(name: name ?? "break\(place + 1)", play: [])
        let right = "a file, a URL, an item or a list of them would be right"
        if let play = fields["play"] {
            read.play = TileReader(base: base).items(play, right: right)
        } else {
            fields.drop("play", right: right)
        }
        if let every = fields["every"]?.time(from: .seconds(1)) { read.every = every }
        if let items = fields["after-items"]?.whole(1...1_000_000) { read.afterItems = items }
        if let node = fields["at"] { read.times = times(node) }
        if let node = fields["tiles"] { read.tiles = names(node) }
        if let when = fields["when"]?.word([BreakLayout.When.itemEnd, .now]) { read.when = when }
        if let flag = fields["together"]?.flag() { read.isTogether = flag }
        return read
    }

    private func times(_ node: LayoutNode) -> [Int] {
        guard let elements = node.elements, !elements.isEmpty else {
            node.refuse(right: "a list of times of day such as [\"12:00\"] would be right")
            return []
        }
        return elements.compactMap { $0.timeOfDay(0..<86_400, right: "\"12:00\" or \"12:00:30\"") }
    }

    private func names(_ node: LayoutNode) -> [String]? {
        let known = tiles.filter { $0.compare == nil }.map(\.id)
        guard let elements = node.elements, !elements.isEmpty else {
            node.refuse(right: "a list of tiles' ids would be right")
            return nil
        }
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
