/// Where words are read from.
public enum LyricsSource: Sendable, Hashable {
    case file(String)
    /// A file of the name of what plays, else its first subtitle track; there may be none.
    case auto(of: String)
    /// A subtitle track, from 1.
    case track(Int, of: String)

    /// What `auto` looks for, in this order.
    public static func filesBeside(_ media: String) -> [String] {
        let stem = SourceName.withoutEnding(media)
        return [".ass", ".lrc", ".srt", ".vtt"].flatMap { [stem + $0, stem + $0.uppercased()] }
    }

    /// Local files that they may be read from.
    var files: [String] {
        switch self {
        case .file(let path): SourceName.path(of: path).map { [$0] } ?? []
        case .track(_, let media): SourceName.path(of: media).map { [$0] } ?? []
        case .auto(let media):
            SourceName.path(of: media).map { path in
                [path] + Self.filesBeside(path)
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
