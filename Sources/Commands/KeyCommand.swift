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
            if command.prefixes.contains(.nonRepeatable) { return false }
            return command.prefixes.contains(.repeatable)
                || (try? command.addressed).map { CommandTable.repeats($0.command.name) } ?? false
        }
    }

    /// The change that this text stands for. nil for several commands, and for one whose tile or arguments are known only
    /// when it is run.
    var change: Change? {
        guard commands.count == 1, let addressed = try? commands[0].addressed, addressed.owner == nil,
            let change = try? commands[0].change()
        else { return nil }
        return change.scoped(addressed.isAlone ? .tileAlone : .group)
    }

    /// Tiles and breaks that the command names; nil if it loads a layout, which may have others.
    public var names: (tiles: [String], breaks: [String])? {
        var (tiles, breaks): ([String], [String]) = ([], [])
        for command in commands {
            if case .tile(let id) = (try? command.addressed)?.owner { tiles.append(id) }
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
    fileprivate var addressed: AddressedCommand {
        get throws(ControlError) { try AddressedCommand(ControlCommand(self, arguments)) }
    }

    /// nil if the arguments are known only when the command is run.
    fileprivate func change() throws(ControlError) -> Change? {
        let command = try addressed.command
        if !prefixes.contains(.raw), command.words.contains(where: { $0.contains("${") }) {
            try CommandTable.checkName(command.name)
            return nil
        }
        let change = try CommandTable.change(command.name, command.arguments)
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
