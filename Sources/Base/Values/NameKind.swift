/// Kind of name that an option or a command takes. Completions offer the names that exist.
public enum NameKind: String, Sendable {
    case tile, group, display, event, property, command, key
    /// A break of the layout.
    case `break`
    case file, folder
    /// A file that holds a layout.
    case layout
    /// A file that can be played.
    case medium
}
