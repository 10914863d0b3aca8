import Base

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
