/// Texts in place of a tile's frame.
public enum Card: Hashable, Sendable {
    /// Something is expected. `detail`: reason why the tile waits; empty if there is none.
    case placeholder(name: String, detail: String)
    /// A sound plays without frames.
    case sound(name: String, detail: String = "sound")
    /// Nothing can be played. `words`: the cause.
    case trouble(name: String, words: String)

    public var name: String {
        switch self {
        case .placeholder(let name, _), .sound(let name, _), .trouble(let name, _): name
        }
    }

    /// Line below the name; may be empty.
    public var detail: String {
        switch self {
        case .placeholder(_, let detail): detail
        case .sound(_, let detail): detail
        case .trouble(_, let words): words
        }
    }
}
