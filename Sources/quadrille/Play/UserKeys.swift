import Commands
import Files
import Glibc

/// The user's own keys, for all walls: $XDG_CONFIG_HOME/quadrille/keys.conf.
enum UserKeys {
    /// nil if the user has no folder for settings.
    private static var path: String? {
        let folder = environment("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (folder ?? environment("HOME").map { $0 + "/.config" }).map { $0 + "/quadrille/keys.conf" }
    }

    /// Reads the file; empty if there is none. Mistakes go to `report`, line by line.
    static func read(_ report: (String) -> Void) -> [KeyPress: KeyCommand] {
        guard let path else { return [:] }
        switch bytes(of: path, atMost: 64 << 10) {
        case .success((let bytes, _)):
            let file = KeyFile(bytes)
            file.mistakes?.lines(path: path).forEach(report)
            return file.keys
        case .failure(let trouble):
            let isAbsent = access(path, F_OK) != 0 && [ENOENT, ENOTDIR].contains(errno)
            if !isAbsent { report("quadrille: \(path): \(trouble)") }
            return [:]
        }
    }
}
