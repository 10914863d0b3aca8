import Base
import Commands
import Console
import Engine
import Files
import Layout
import Policy

// Saving: changes by hand are written into a layout's file.
extension LayoutKeeper {
    /// Writes changes by hand and command-line options into the layout's file, or a copy with them into file `name`.
    /// Returns nil if this succeeds.
    func save(to name: String?) -> ControlError? {
        let path = path
        guard let target = name.map(WorkingFolder.current.absolute) ?? path else {
            return ControlError(
                .commandError, because: "no layout file is loaded; layout-save FILE writes one")
        }
        if target != path, let reason = LayoutToSave.reasonNotToReplace(target) {
            return ControlError(.commandError, because: reason)
        }
        let saved = wall.runner.read { wall, now in LayoutToSave(wall, at: now) }
        do {
            let layout = try saved.bytes(from: path, to: target, options)
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
