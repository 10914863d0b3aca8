import Files
import Glibc
import WallCore

// What was changed by hand goes into a layout's file.
extension LayoutKeeper {
    /// What was changed by hand into the layout's file, or that with it into another; nil: done.
    func save(to name: String?) -> ControlError? {
        let (path, watch) = (path, watch.locked { $0 })
        guard let target = name.map(absolute) ?? path else { return .commandError }
        let (changes, text) = wall.runner.read { wall, _ in (wall.changesByHand, wall.layoutText) }
        do {
            var layout = Array(text.utf8)
            var folder = absolute(".")
            if let path {
                guard case .success(let read) = bytes(of: path) else { return .commandError }
                layout = read.bytes
                folder = try realFolder(ofFile: path)
            }
            layout = try LayoutPatch.patched(layout, with: changes)
            if name != nil {
                layout = try LayoutPatch.moved(layout, fromFolder: real(folder), toFolder: realFolder(ofFile: target))
            }
            let file = try FileReplacement.write(layout, to: target) { watch?.ignore($0) }
            layouts.locked { layouts in
                if let name = layouts.loaded.name, absolute(name) == target {
                    layouts.loaded.file = file
                    // It may be shown once more when another has been.
                    if case .layout(let saved) = LayoutReader.read(layout, path: name) { layouts.loaded.layout = saved }
                }
                if layouts.scheduled.map({ absolute($0.path) }) == target { layouts.scheduled?.file = file }
            }
            return nil
        } catch {
            say("quadrille: layout-save \(target): \(error)")
            return .commandError
        }
    }

    /// The file is a layout of the wall's, or one that it reads.
    func uses(_ name: String) -> Bool {
        guard let file = FileIdentity(path: name) else { return false }
        let layouts = layouts.locked { [$0.loaded.name, $0.scheduled?.path].compactMap { $0 } }
        let used = wall.runner.read { wall, _ in wall.files.union(wall.layout.files) } + layouts
        return used.contains { FileIdentity(path: $0) == file }
    }
}

/// Without links.
private func real(_ folder: String) -> String {
    guard let path = realpath(folder, nil) else { return folder }
    defer { free(path) }
    return String(cString: path)
}
