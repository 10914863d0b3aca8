import Base

extension LayoutNode {
    /// Most items of one sequence, and segments of one item.
    static let mostItems = 100_000

    /// Text of messages: the values that `play` may have.
    static let played = "a file, a URL, an item or a list of them"

    /// Reads a source, an item, or a list of them.
    func items() -> [Item] {
        let right = "\(Self.played) would be right"
        guard case .array = value.content else { return [item(right: right)].compactMap { $0 } }
        let elements = elements(upTo: Self.mostItems, "items", right: right) ?? []
        return elements.compactMap { $0.item(right: "a file, a URL or an item would be right") }
    }

    private func item(right: String) -> Item? {
        if string != nil { return source().map(Item.init(source:)) }
        return fields(of: .item, right: right)?.item()
    }

    static let mixedRect =
        "fractions and pixels are mixed; four whole numbers, or four from 0 to 1, would be right"

    func lyricsSource() -> LyricsLayout.Source? {
        string == "auto" ? .auto : source(or: " of lyrics, or \"auto\",").map { .file($0) }
    }

    /// Reads `stems`, the files that are heard together with an item's frames.
    func stems(beside fields: LayoutFields) -> ItemAudio.Stems? {
        fields.refuse(ifThere: "src", "not allowed here; with \"stems\", \"src\" belongs to each stem")
        fields.refuse(ifThere: "track", "not allowed here; with \"stems\", the first sound of each file is heard")
        let right = "a list such as [{\"name\": \"vocals\", \"src\": \"v.ogg\"}] would be right"
        guard let elements = elements(upTo: ItemAudio.Stems.mostFiles, "stems", right: right) else { return nil }
        var names: Set<String> = []
        let stated = Set(elements.compactMap { $0.value["name"]?.string })
        var stems = ItemAudio.Stems(
            elements.enumerated().compactMap { place, element in
                let number = (place + 1...place + ItemAudio.Stems.mostFiles + 1).first {
                    !names.contains("stem\($0)") && !stated.contains("stem\($0)")
                }
                return element.stem("stem\(number ?? 0)", &names)
            })
        fields.read(into: &stems)
        return stems.files.isEmpty ? nil : stems
    }

    /// `usual`: its name if it states none. `names`: those of other stems.
    private func stem(_ usual: String, _ names: inout Set<String>) -> ItemAudio.Stem? {
        guard let fields = fields(of: .stem, right: "an object with \"src\" would be right") else { return nil }
        var stem = ItemAudio.Stem(usual, "")
        if let name = fields["name"], let text = name.text(right: "a name that is not empty would be right") {
            stem.name = text
            if text.contains("/") { name.refuse(right: "a name without \"/\" would be right") }
            if names.contains(text) { name.refuse("another stem has this name; a name of its own would be right") }
        }
        names.insert(stem.name)
        fields.read(into: &stem)
        return stem
    }
}

extension LayoutFields {
    func item() -> Item {
        var item = Item(content())
        read(into: &item)
        return item
    }

    /// Returns the segments of `segments`, or else the one source.
    private func content() -> Item.Content {
        let source = self["src"]?.source()
        guard let node = self["segments"] else {
            var segment = Item.Segment(source: source ?? "")
            if !has("src") { drop("src", right: "a file or a URL, or \"segments\", would be right") }
            readRange(into: &segment)
            return .media(segment)
        }
        for key in ["in", "out"] {
            refuse(ifThere: key, "not allowed here; with \"segments\", \"\(key)\" belongs to each segment")
        }
        refuse(ifThere: "duration", "not allowed here; with \"segments\", the segments give the length")
        let right = "a list of segments such as {\"src\": \"a.mp4\", \"in\": 1, \"out\": 2} would be right"
        let segments = (node.elements(upTo: LayoutNode.mostItems, "segments", right: right) ?? []).map {
            $0.fields(of: .segment)?.segment(of: self, source) ?? .init(source: source ?? "")
        }
        return Item.Segments(segments).map(Item.Content.init) ?? .media(Item.Segment(source: ""))
    }

    /// `source`: that of the item, for segments without their own.
    private func segment(of item: LayoutFields, _ source: String?) -> Item.Segment {
        var segment = Item.Segment(source: source ?? "")
        if let own = self["src"] {
            segment.source = own.source() ?? ""
        } else if !item.has("src") {
            drop("src", right: "a file or a URL would be right, here or once on the item")
        }
        readRange(into: &segment)
        read(into: &segment)
        return segment
    }

    private func readRange(into segment: inout Item.Segment) {
        let start = self["in"].map { $0.time(from: .zero) }
        segment.start = (start ?? nil) ?? .zero
        guard let node = self["out"], let end = node.time(from: .zero) else { return }
        segment.end = end
        if let start, start == nil { return }
        guard end <= segment.start else { return }
        let right = start == nil ? "a time above 0" : "a time after \"in\""
        node.refuse(as: start == nil ? "too small" : "not after \"in\"", right: "\(right) would be right")
    }

    func lyricsSource() -> LyricsLayout.Source? {
        if has("src"), has("track") {
            refuse(key: later("src", "track"), "not allowed here; \"src\" or \"track\" would be right, not both")
        }
        return self["track"]?.whole(1...999).map { .track($0) } ?? self["src"]?.lyricsSource()
    }
}
