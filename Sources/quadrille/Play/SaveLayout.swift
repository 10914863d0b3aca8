import Base
import Console
import Files
import Layout
import Player
import Policy
import Threads

/// `--save FILE`: writes what the command line plays as a layout, and plays nothing.
struct SaveLayout {
    private let options: PlayOptions
    private let name: String

    init(_ options: PlayOptions, to name: String) { (self.options, self.name) = (options, name) }

    func run() -> Int32 {
        guard let loaded = options.content.load() else { return ExitStatus.usage }
        var layout = loaded.layout
        do throws(UsageMistake) { try options.apply(to: &layout) } catch {
            printLine("quadrille: \(error.text)")
            return ExitStatus.usage
        }
        let (target, path) = (WorkingFolder.current.absolute(name), loaded.name.map(WorkingFolder.current.absolute))
        if target != path, let reason = LayoutToSave.reasonNotToReplace(target) {
            printLine("quadrille: --save \(reason)")
            return ExitStatus.unwritten
        }
        // A wall that does not play, for the same text as that of `layout-save`.
        let saved = LayoutToSave(Wall(layout: layout, pipelines: layout.pipelineCount), at: Time.now)
        do {
            try FileReplacement.write(try saved.bytes(from: path, to: target, options), to: target)
            return ExitStatus.done
        } catch {
            printLine("quadrille: --save \(name): \(error)")
            return ExitStatus.unwritten
        }
    }
}
