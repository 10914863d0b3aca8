import Base

/// Request that a command of the table makes.
public enum CommandRequest: Hashable, Sendable {
    case wall(Command)
    /// Request for a tile, given by its name.
    case onTile(String, TileRequest)
    case property(String, PropertyChange)
    /// Source to load, as it was written.
    case load(String, Loading)
    /// File of subtitles to add, as it was written.
    case addSubtitles(String, Command.SubtitleChange.Selecting)
    case program(ProgramRequest)
    case nothing

    public enum TileRequest: Hashable, Sendable {
        case focus, zoom, nudge(Time), record, useTake, retry
        /// The other tile, too, is given by its name.
        case compare(with: String, ComparisonMode?)
    }
    public enum Loading: Hashable, Sendable { case replace, append, appendAndPlay, insertNext }
    /// Frame that is saved. A command for a tile saves that tile's in any case.
    public enum Pictured: Hashable, Sendable {
        /// The wall as it is shown.
        case wall
        /// The frame of the focused tile in its own size, without marks.
        case tile
    }
    public enum PropertyChange: Hashable, Sendable {
        case set(PropertyValue)
        case add(Double)
        case multiply(Double)
        case cycle(isUp: Bool)
        case cycleValues([PropertyValue], isUp: Bool)
    }
    /// Request that neither the wall nor its window carries out.
    public enum ProgramRequest: Hashable, Sendable {
        /// Saves a frame into a file; nil for a new file, named by date, time and tile.
        case screenshot(Pictured, to: String?)
        /// Closes the help if it is shown; else as `Command.WindowCommand.escape`.
        case escape
        case loadLayout(String), reloadLayout, saveLayout(String?)
        case press(String)
        case bind(String, to: String)
    }
}

extension CommandRequest {
    /// The command with the same effect as the request, if it comes from a key. nil if there is none, or if the effect
    /// depends on the tile's name. A wall refuses a change of a property of the program.
    var commandOfKey: Command? {
        switch self {
        case .wall(let command): command
        case .program(.escape): .window(.escape)
        case .program(.screenshot(.wall, to: nil)): .window(.screenshot)
        case .property(let name, .cycle(let isUp)):
            Self.command(cycling: name, isUp) ?? .property(name, .cycle(isUp: isUp), .group)
        case .property("speed", .multiply(2)): .rate(.doubled, .group)
        case .property("speed", .multiply(0.5)): .rate(.halved, .group)
        case .property("speed", .set(let value)) where value.asNumber == 1: .rate(.reset, .group)
        case .property("volume", .add(let change)): Int(exactly: change).map { .volume(.by($0), .wall) }
        case .property("key", .add(let change)): Int(exactly: change).map { .key(.by($0)) }
        case .property("audio-delay", .add(let seconds)):
            Int(exactly: (seconds * 1000).rounded()).map { .audioDelay(.by($0)) }
        case .property(let name, let change): .property(name, change, .group)
        default: nil
        }
    }

    private static func command(cycling property: String, _ isUp: Bool) -> Command? {
        switch property {
        case "pause": .pause(.toggle, .group)
        case "mute": .mute(.toggle, .wall)
        case "figures": .figures
        case "fullscreen": .window(.fullscreen(.toggle))
        case "aid": isUp ? .track(.next) : nil
        case "sid": .subtitles(.next(by: isUp ? 1 : -1))
        case "focus": .focus(isUp ? .next : .previous)
        default: nil
        }
    }
}
