import Base
import Lyrics

extension Layout {
    /// All files that the layout uses, as it names them: media, compared ones included, posters, sounds, lyrics.
    public var files: Set<String> {
        let items = playingTiles.flatMap(\.play) + breaks.flatMap(\.play)
        var names = items.flatMap { item in
            item.segments.map(\.source) + item.audio.sources + item.lyricsSources.flatMap(\.files)
        }
        names += tiles.compactMap(\.poster) + tiles.compactMap(\.subtitles.file)
        if let bed = audio.bed { names.append(bed.source) }
        return Set(names.compactMap(SourceName.path))
    }

    /// Changes the items of all tiles, of compared sources and of breaks.
    mutating func changeItems(_ change: (inout [Item]) -> Void) {
        for tile in tiles.indices { tiles[tile].content.changeItems(change) }
        for entry in breaks.indices { change(&breaks[entry].play) }
    }

    /// Deinterlaces frames that are marked as interlaced, in all items that do not set `deinterlace`.
    public mutating func deinterlaceMarkedFrames() {
        changeItems { items in
            for place in items.indices where items[place].decoding.deinterlacing == nil {
                items[place].decoding.deinterlacing = .marked
            }
        }
    }

    /// Gives each tile the layout's tone mapping where the tile states none.
    mutating func passToneMappingOn() {
        for index in tiles.indices {
            tiles[index].decoding.toneMapping = tiles[index].decoding.toneMapping.over(decoding.toneMapping)
        }
    }

    /// Sets the curve of all tiles and items.
    public mutating func mapTones(by curve: ToneMapping.Curve) {
        decoding.toneMapping.curve = curve
        for index in tiles.indices { tiles[index].decoding.toneMapping.curve = curve }
        changeItems { items in
            for place in items.indices { items[place].decoding.toneMapping.curve = nil }
        }
    }

    /// Replaces each item with a folder as its source by one item for each media file in it, with the same settings.
    /// `media`: returns the files of a folder in order; nil if it is none. An empty folder stays an item that can't be
    /// played.
    public mutating func expandFolders(_ media: (String) -> [String]?) {
        changeItems { items in items = items.flatMap { $0.expanded(media) } }
    }
}

extension Item {
    /// Sources of the lyrics of each segment.
    public var lyricsSources: [LyricsSource] {
        guard case .shown(let layout) = look.lyrics else { return [] }
        return segments.map { layout.source(of: $0.source) }
    }

    fileprivate func expanded(_ media: (String) -> [String]?) -> [Item] {
        guard case .media(var segment) = content, SourceName.path(of: segment.source) != nil,
            let files = media(segment.source), !files.isEmpty
        else { return [self] }
        let folder = segment.source
        return files.map { file in
            var item = self
            segment.source = file
            (item.content, item.folder) = (.media(segment), folder)
            return item
        }
    }
}

extension LyricsLayout {
    public func source(of media: String) -> LyricsSource {
        switch source {
        case .auto: .auto(of: media)
        case .file(let path): .file(path)
        case .track(let number): .track(number, of: media)
        }
    }
}
