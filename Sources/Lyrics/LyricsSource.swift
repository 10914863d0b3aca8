import Base

/// Source of lyrics.
public enum LyricsSource: Sendable, Hashable {
    case file(String)
    /// A lyrics file with the media file's name, or else its first subtitle track. There may be neither.
    case auto(of: String)
    /// A subtitle track, from 1.
    case track(Int, of: String)

    /// Returns the files that `auto` looks for, in this order.
    public static func filesBeside(_ media: String) -> [String] {
        let stem = SourceName.withoutEnding(media)
        return [".ass", ".lrc", ".srt", ".vtt"].flatMap { [stem + $0, stem + $0.uppercased()] }
    }

    /// Local files from which the lyrics may be read.
    public var files: [String] {
        switch self {
        case .file(let path): SourceName.path(of: path).map { [$0] } ?? []
        case .track(_, let media): SourceName.path(of: media).map { [$0] } ?? []
        case .auto(let media):
            SourceName.path(of: media).map { path in
                [path] + Self.filesBeside(path)
            } ?? []
        }
    }

    /// Name for display, without passwords.
    public var name: String {
        switch self {
        case .file(let path), .auto(let path), .track(_, let path): SourceName.withoutSecrets(path)
        }
    }
}
