import Base
import Commands

/// Reads `keys`, after the names of tiles and breaks are known.
struct KeyReader {
    let commands: CommandReader

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
            guard let command = commands.command(value) else { continue }
            if let other = names[press], keys[press] != command {
                fields.refuse(key: name, "another name of the key \(other.quoted); one of them would be right")
            }
            (keys[press], names[press]) = (command, name)
        }
        return keys
    }
}
