import Base

/// The command of a key: one or several text commands, checked.
public struct KeyCommand: Hashable, Sendable {
    public let text: String
    public let commands: [TextCommand]

    /// Throws if the text has an unknown command or wrong arguments. Arguments that name properties are checked only
    /// when the key is pressed.
    public init(_ text: String) throws(ControlError) {
        self.text = text
        commands = try TextCommands.parse(Array(text.utf8))
        for command in commands { _ = try command.change() }
    }

    /// True if the command repeats while the key is held down (`CommandSpec.repeats`).
    public var repeats: Bool {
        commands.allSatisfy { command in
            let words = command.inner
            if command.prefixes.contains(.nonRepeatable) { return false }
            return command.prefixes.contains(.repeatable) || words.first.map(CommandTable.repeats) ?? false
        }
    }

    /// The change that this text stands for. nil for several commands, and for one whose tile or arguments are known only
    /// when it is run.
    var change: Change? {
        guard commands.count == 1, let change = try? commands[0].change(), !commands[0].namesOwner else { return nil }
        return change.scoped(commands[0].isAlone ? .tileAlone : .group)
    }

    /// Tiles and breaks that the command names; nil if it loads a layout, which may have others.
    public var names: (tiles: [String], breaks: [String])? {
        var (tiles, breaks): ([String], [String]) = ([], [])
        for command in commands {
            if command.name == "tile", let id = command.arguments.first { tiles.append(id) }
            guard let change = try? command.change() else { continue }
            switch change {
            case .program(.loadLayout), .load: return nil
            case .playBreak(let name): breaks.append(name)
            case .to(.named(let id), .compare(.with(let other, _))): tiles += [id, other]
            case .to(.named(let id), _): tiles.append(id)
            case .property("focus", .set(.text(let id)), _): tiles.append(id)
            case .property("zoomed", .set(.text(let id)), _) where id != "none": tiles.append(id)
            case .property(let name, _, _):
                let parts = name.split(separator: "/")
                if parts.count > 2, parts[0] == "tiles" { tiles.append(String(parts[1])) }
            default: break
            }
        }
        return (tiles.filter { !$0.contains("${") }, breaks.filter { !$0.contains("${") })
    }
}

extension TextCommand {
    private static let usage = ControlError(.invalidParameter, because: "usage: tile ID [alone] COMMAND ...")
    private static let usageGroup = ControlError(.invalidParameter, because: "usage: group NAME [alone] COMMAND ...")
    private static let usageAlone = ControlError(.invalidParameter, because: "usage: alone COMMAND ...")

    /// True if the command begins with `tile ID` or `group NAME`.
    fileprivate var namesOwner: Bool { ["tile", "group"].contains(ControlCommand.name(of: name)) }

    /// The command's words without `tile ID` or `group NAME`, but with `alone`.
    private var withoutTile: ArraySlice<String> {
        let words = [ControlCommand.name(of: name)] + arguments
        return namesOwner ? words.dropFirst(2) : words[...]
    }

    /// True if the command is for a tile alone, which leaves its group.
    fileprivate var isAlone: Bool { withoutTile.first == "alone" }

    /// The words of the command itself, without `tile ID`, `group NAME` and `alone` before them.
    fileprivate var inner: [String] { Array(withoutTile.dropFirst(isAlone ? 1 : 0)) }

    /// nil if the arguments are known only when the command is run.
    fileprivate func change() throws(ControlError) -> Change? {
        let words = inner
        guard let name = words.first, !["tile", "group", "alone"].contains(name) else {
            switch ControlCommand.name(of: self.name) {
            case "tile": throw Self.usage
            case "group": throw Self.usageGroup
            default: throw Self.usageAlone
            }
        }
        if words.contains(where: { $0.contains("${") }), !prefixes.contains(.raw) {
            try CommandTable.checkName(name)
            return nil
        }
        let change = try CommandTable.change(name, words.dropFirst().map { .text($0) })
        switch change {
        case .program(.press(let key)), .program(.bind(let key, to: _)):
            if KeyPress(name: key) == nil {
                throw ControlError(.invalidParameter, because: KeyPress.complaint(about: key))
            }
        default: break
        }
        return change
    }
}
