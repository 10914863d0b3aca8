import Base
import Lyrics

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
