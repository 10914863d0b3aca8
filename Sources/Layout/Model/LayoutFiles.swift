import Base
import Lyrics

extension Layout {
    /// All files that the layout uses, as it names them: media, posters, sounds, lyrics.
    public var files: Set<String> {
        let items = tiles.flatMap(\.play) + breaks.flatMap(\.play)
        var names = items.flatMap { item in
            item.segments.map(\.source) + item.audio.sources + item.lyricsSources.flatMap(\.files)
        }
        names += tiles.compactMap(\.poster) + tiles.compactMap(\.subtitles.file)
        if let bed = audio.bed { names.append(bed.source) }
        return Set(names.compactMap(SourceName.path))
    }
}

extension SubtitleChoice {
    /// The file that is named; nil if none is.
    public var file: String? { if case .file(let path) = self { path } else { nil } }
}

extension Item {
    /// Sources of the lyrics of each segment.
    public var lyricsSources: [LyricsSource] {
        guard case .shown(let layout) = look.lyrics else { return [] }
        return segments.map { layout.source(of: $0.source) }
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
