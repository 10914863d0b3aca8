import Base
import Commands

/// Reads `keys`, and the commands of keys and of breaks, after the names of tiles and breaks are known.
struct CommandReader {
    let tiles: [String]
    let breaks: [String]

    /// Returns the command, or several that ";" separates. Notes those that are wrong, and names that do not exist.
    func command(_ node: LayoutNode) -> KeyCommand? {
        guard let text = node.text(right: "a command, such as \"focus left\", would be right") else { return nil }
        let command: KeyCommand
        do throws(ControlError) { command = try KeyCommand(text) } catch {
            return node.refused(error.complaint(aboutCommand: node.shown))
        }
        guard let used = command.names else { return command }
        for (kind, names, known) in [("tile", used.tiles, tiles), ("break", used.breaks, breaks)] {
            for name in names where !known.contains(name) {
                let near = nearest(to: name, among: Array(known.prefix(1000))).map { "; did you mean \($0.quoted)?" }
                node.refuse("no \(kind) is called \(name.quoted)\(near ?? "")")
            }
        }
        return command
    }

    func keys(_ node: LayoutNode) -> [KeyPress: KeyCommand] {
        var keys: [KeyPress: KeyCommand] = [:]
        var names: [KeyPress: String] = [:]
        let right = "an object of commands by key, such as {\"F1\": \"focus left\"}, would be right"
        guard let fields = node.namedFields(right: right) else { return keys }
        for name in fields.keys {
            guard let value = fields[name] else { continue }
            guard let press = KeyPress(name: name) else {
                fields.refuse(key: name, KeyPress.complaint(about: name))
                continue
            }
            guard let command = command(value) else { continue }
            if let other = names[press], keys[press] != command {
                fields.refuse(key: name, "another name of the key \(other.quoted); one of them would be right")
            }
            (keys[press], names[press]) = (command, name)
        }
        return keys
    }
}
