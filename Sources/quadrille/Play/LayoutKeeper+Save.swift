import Base
import Commands
import Console
import Engine
import Files
import Glibc
import Layout
import Player
import Policy

// Saving: changes by hand are written into a layout's file.
extension LayoutKeeper {
    /// Writes changes by hand and command-line options into the layout's file, or a copy with them into file `name`.
    /// Returns nil if this succeeds.
    func save(to name: String?) -> ControlError? {
        let (path, current) = (path, WorkingFolder.current)
        guard let target = name.map(current.absolute) ?? path else {
            return ControlError(
                .commandError, because: "no layout file is loaded; layout-save FILE makes one")
        }
        if target != path, let reason = reasonNotToReplace(target) {
            return ControlError(.commandError, because: reason)
        }
        let (byHand, text, given) = wall.runner.read { wall, now in
            (
                SaveReport(wall.player.snapshot(at: now)).changesByHand,
                SaveReport(wall.player.snapshot(at: now)).layoutText, wall.player.givenLayout
            )
        }
        do {
            var layout = Array(text.utf8)
            var folder = current.absolute(".")
            var asked = given
            if let path {
                guard case .success(let read) = bytes(of: path) else {
                    return ControlError(.commandError, because: "\(path) can't be read")
                }
                layout = read.bytes
                folder = try realFolder(ofFile: path)
                if case .layout(let written) = LayoutReader.read(layout, path: path) { asked = written }
                options.apply(toLater: &asked)
            }
            layout = try LayoutPatch.patched(layout, with: LayoutTextChanges(of: asked).merging(byHand))
            if path == nil || name != nil {
                layout = try LayoutPatch.moved(layout, fromFolder: real(folder), toFolder: realFolder(ofFile: target))
            }
            let file = try FileReplacement.write(layout, to: target) { ignoreWrite(of: $0) }
            noteSaved(file, at: target, layout)
            return nil
        } catch {
            let isEmpty = path == nil && error is LayoutPatchTrouble
            let detail = isEmpty ? "the wall plays nothing that a layout could hold" : "\(target): \(error)"
            printLine("quadrille: layout-save \(detail)")
            return ControlError(.commandError, because: detail)
        }
    }
}

/// Returns why a layout must not be written to `path`: there is a file of another kind, such as a film. An empty file is
/// replaced. May block as long as the file system does.
private func reasonNotToReplace(_ path: String) -> String? {
    guard access(path, F_OK) == 0 else { return nil }
    if case .success(let read) = bytes(of: path) {
        if read.bytes.isEmpty { return nil }
        if let root = try? JSONParser.parse(read.bytes), root["tiles"] != nil { return nil }
    }
    return "\(path.quoted) exists and is not a layout; another name would be right"
}

/// Returns the path of a folder without symbolic links.
private func real(_ folder: String) -> String {
    guard let path = realpath(folder, nil) else { return folder }
    defer { free(path) }
    return String(cString: path)
}
