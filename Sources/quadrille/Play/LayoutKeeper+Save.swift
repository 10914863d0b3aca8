import Base
import Commands
import Console
import Engine
import Files
import Glibc
import Layout
import Player
import Threads

// Saving: changes by hand are written into a layout's file.
extension LayoutKeeper {
    /// Writes changes by hand and command-line options into the layout's file, or a copy with them into file `name`.
    /// Returns nil if this succeeds.
    func save(to name: String?) -> ControlError? {
        let (path, watch) = (path, watch.locked { $0 })
        guard let target = name.map(absolute) ?? path else {
            return ControlError(
                .commandError, because: "the wall plays no layout's file; layout-save FILE makes one")
        }
        let (byHand, text, loaded) = wall.runner.read { wall, now in
            (
                SaveReport(wall.player.snapshot(at: now)).changesByHand,
                SaveReport(wall.player.snapshot(at: now)).layoutText, wall.player.loadedLayout
            )
        }
        do {
            var layout = Array(text.utf8)
            var folder = absolute(".")
            var asked = loaded
            if let path {
                guard case .success(let read) = bytes(of: path) else {
                    return ControlError(.commandError, because: "\(path) can't be read")
                }
                layout = read.bytes
                folder = try realFolder(ofFile: path)
                if case .layout(let written) = LayoutReader.read(layout, path: path) { asked = written }
                options.apply(toLater: &asked)
            }
            layout = try LayoutPatch.patched(layout, with: LayoutChanges(of: asked).merging(byHand))
            if path == nil || name != nil {
                layout = try LayoutPatch.moved(layout, fromFolder: real(folder), toFolder: realFolder(ofFile: target))
            }
            let file = try FileReplacement.write(layout, to: target) { watch?.ignore($0) }
            layouts.locked { layouts in
                layouts.noteSaved(file, to: target) { name in
                    if case .layout(let saved) = LayoutReader.read(layout, path: name) { saved } else { nil }
                }
            }
            return nil
        } catch {
            let isEmpty = path == nil && error is LayoutPatchTrouble
            let detail = isEmpty ? "the wall plays nothing that a layout could hold" : "\(target): \(error)"
            printLine("quadrille: layout-save \(detail)")
            return ControlError(.commandError, because: detail)
        }
    }

    /// Returns true if the file is a layout of the wall, or one that the wall reads.
    func uses(_ name: String) -> Bool {
        guard let file = FileIdentity(path: name) else { return false }
        let layouts = layouts.locked { [$0.loaded.name, $0.scheduled?.path].compactMap { $0 } }
        let used =
            wall.runner.read { wall, now in OutlookReport(wall.player.snapshot(at: now)).files.union(wall.layout.files)
            } + layouts
        return used.contains { FileIdentity(path: $0) == file }
    }
}

/// Returns the path of a folder without symbolic links.
private func real(_ folder: String) -> String {
    guard let path = realpath(folder, nil) else { return folder }
    defer { free(path) }
    return String(cString: path)
}
