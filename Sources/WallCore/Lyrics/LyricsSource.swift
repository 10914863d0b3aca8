/// Where words are read from.
public enum LyricsSource: Sendable, Hashable {
    case file(String)
    /// A file of the name of what plays, else its first subtitle track; there may be none.
    case auto(of: String)
    /// A subtitle track, from 1.
    case track(Int, of: String)

    /// As people may read it.
    public var name: String {
        switch self {
        case .file(let path), .auto(let path), .track(_, let path): SourceName.withoutSecrets(path)
        }
    }
}
