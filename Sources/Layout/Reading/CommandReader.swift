import Base
import Commands

/// Reads commands of keys and of breaks, after the names of tiles and breaks are known.
struct CommandReader {
    let tiles: [String]
    let breaks: [String]

    /// Returns the command, or several that ";" separates. Notes those that are wrong, and names that do not exist.
    func command(_ node: LayoutNode) -> KeyCommand? {
        guard let text = node.text(right: "a command, such as \"focus left\", would be right") else { return nil }
        let command: KeyCommand
        do throws(ControlError) { command = try KeyCommand(text) } catch {
            node.refuse(error.complaint(aboutCommand: node.shown))
            return nil
        }
        guard let used = command.names else { return command }
        for id in used.tiles where !tiles.contains(id) {
            let near = nearest(to: id, among: Array(tiles.prefix(1000))).map { "; did you mean \($0.quoted)?" } ?? ""
            node.refuse("no tile is called \(id.quoted)\(near)")
        }
        for name in used.breaks where !breaks.contains(name) {
            let near = nearest(to: name, among: breaks).map { "; did you mean \($0.quoted)?" } ?? ""
            node.refuse("no break is called \(name.quoted)\(near)")
        }
        return command
    }
}
