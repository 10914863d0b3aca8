import Base

/// Reads an item of `play`.
struct ItemReader {
    let base: SourceBase

    func item(_ node: LayoutNode, right: String) -> Item? {
        if node.string != nil { return node.source(in: base).map(Item.init(source:)) }
        return node.fields(of: .item, right: right).map(item)
    }

    func item(_ fields: LayoutFields) -> Item {
        var item = Item(content(fields))
        fields.read(into: &item, base)
        return item
    }

    // MARK: Content

    /// Returns the segments of `segments`, or else the one source.
    private func content(_ fields: LayoutFields) -> Item.Content {
        let source = fields["src"]?.source(in: base)
        guard let node = fields["segments"] else {
            var segment = Item.Segment(source: source ?? "")
            if !fields.has("src") { fields.drop("src", right: "a file or a URL, or \"segments\", would be right") }
            readRange(fields, into: &segment)
            return .media(segment)
        }
        for key in ["in", "out"] where fields.has(key) {
            fields.refuse(key: key, "not allowed here; with \"segments\", \"\(key)\" belongs to each segment")
        }
        if fields.has("duration") {
            fields.refuse(key: "duration", "not allowed here; with \"segments\", the segments give the length")
        }
        let elements = node.elements(atMost: TileReader.mostItems, "segments") ?? []
        let segments = elements.map { segment(fields: $0.fields(of: .segment), itemFields: fields, source: source) }
        guard let segments = Item.Segments(segments) else {
            node.refuse(right: "a list of segments such as {\"src\": \"a.mp4\", \"in\": 1, \"out\": 2} would be right")
            return .media(Item.Segment(source: ""))
        }
        return Item.Content(segments)
    }

    private func segment(fields: LayoutFields?, itemFields: LayoutFields, source: String?) -> Item.Segment {
        var segment = Item.Segment(source: source ?? "")
        guard let fields else { return segment }
        if let own = fields["src"] {
            segment.source = own.source(in: base) ?? ""
        } else if !itemFields.has("src") {
            fields.drop("src", right: "a file or a URL would be right, here or once on the item")
        }
        readRange(fields, into: &segment)
        fields.read(into: &segment, base)
        return segment
    }

    private func readRange(_ fields: LayoutFields, into segment: inout Item.Segment) {
        let start = fields["in"].map { $0.time(from: .zero) }
        segment.start = (start ?? nil) ?? .zero
        guard let node = fields["out"], let end = node.time(from: .zero) else { return }
        segment.end = end
        if let start, start == nil { return }
        guard end <= segment.start else { return }
        let right = start == nil ? "a time above 0" : "a time after \"in\""
        node.refuse(as: start == nil ? "too small" : "not after \"in\"", right: "\(right) would be right")
    }

    func turn(_ node: LayoutNode) -> Turn? {
        switch node.number {
        case 0: return Turn.none
        case 90: return .quarter
        case 180: return .half
        case 270: return .threeQuarters
        default:
            node.refuse(right: "0, 90, 180 or 270 would be right")
            return nil
        }
    }

    func crop(_ node: LayoutNode) -> Crop? {
        let right =
            "[x, y, w, h] in fractions of the frame or in whole pixels, or \"WxH+X+Y\" in pixels, would be right"
        if let text = node.string {
            if let crop = Crop(text) { return crop }
            node.refuse(right: right)
            return nil
        }
        let range = "a number from 0 to \(Crop.mostPixels) would be right"
        guard let elements = node.elements(count: 4, right: right) else { return nil }
        let read = elements.map { $0.number(0...Double(Crop.mostPixels), right: range) }
        guard let x = read[0], let y = read[1], let width = read[2], let height = read[3] else { return nil }
        var isRight = true
        for (element, length) in [(elements[2], width), (elements[3], height)] where length == 0 {
            element.refuse(as: "too small", right: "a number above 0 would be right")
            isRight = false
        }
        guard isRight else { return nil }
        if let crop = Crop(x, y, width, height) { return crop }
        let isMixed = max(width, height) > 1 || max(x, y) > 1
        node.refuse(
            isMixed
                ? "fractions and pixels are mixed; four whole numbers, or four from 0 to 1, would be right"
                : "the crop reaches beyond the frame; x + w and y + h of at most 1 would be right")
        return nil
    }

    // MARK: Sound

    func audio(_ node: LayoutNode) -> ItemAudio? {
        let right = "a track number from 1, a language such as \"de\", false, or an object would be right"
        if node.bool == false { return .silent }
        if node.number != nil { return node.whole(1...999).map(ItemAudio.track) }
        if node.string != nil { return node.text(right: right).map(ItemAudio.language) }
        guard let fields = node.fields(of: .itemAudio, right: right) else { return nil }
        if let node = fields["stems"] { return StemReader(base: base).stems(node, beside: fields).map(ItemAudio.stems) }
        var sound = ItemAudio.OtherSound()
        fields.read(into: &sound, base)
        return .other(sound)
    }
}

extension ItemReader {
    func lyrics(_ node: LayoutNode) -> ItemLyrics? {
        let right = "\"auto\", a file, {\"track\": 1}, false, or an object with \"src\" would be right"
        var lyrics = LyricsLayout()
        if node.bool == false { return ItemLyrics.none }
        if node.string == "auto" { return .shown(lyrics) }
        if node.string != nil {
            guard let file = node.source(in: base, or: " of lyrics, or \"auto\",") else { return nil }
            lyrics.source = .file(file)
            return .shown(lyrics)
        }
        guard let fields = node.fields(of: .lyrics, right: right) else { return nil }
        if let source = source(fields) { lyrics.source = source }
        fields.read(into: &lyrics, base)
        return .shown(lyrics)
    }

    private func source(_ fields: LayoutFields) -> LyricsLayout.Source? {
        if fields.has("src"), fields.has("track") {
            fields.refuse(
                key: fields.later("src", "track"), "not allowed here; \"src\" or \"track\" would be right, not both")
        }
        if let track = fields["track"]?.whole(1...999) { return .track(track) }
        guard let node = fields["src"] else { return nil }
        return node.string == "auto" ? .auto : node.source(in: base, or: " of lyrics, or \"auto\",").map { .file($0) }
    }
}
