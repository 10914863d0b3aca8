/// Where words are read from.
public enum LyricsSource: Sendable, Hashable {
    case file(String)
    /// A file of the name of what plays, else its first subtitle track; there may be none.
    case auto(of: String)
    /// A subtitle track, from 1.
    case track(Int, of: String)

    /// Of the names that `auto` looks for, in their order.
    public static let endings = [".ass", ".lrc", ".srt", ".vtt"]

    /// Local files that they may be read from.
    var files: [String] {
        switch self {
        case .file(let path): SourceName.path(of: path).map { [$0] } ?? []
        case .track(_, let media): SourceName.path(of: media).map { [$0] } ?? []
        case .auto(let media):
            SourceName.path(of: media).map { path in
                [path] + Self.endings.map { SourceName.withoutEnding(path) + $0 }
            } ?? []
        }
    }

    /// As people may read it.
    public var name: String {
        switch self {
        case .file(let path), .auto(let path), .track(_, let path): SourceName.withoutSecrets(path)
        }
    }
}
