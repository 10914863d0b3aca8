import Base
import Console
import Files
import Glibc
import Layout
import Player
import Policy
import Threads

/// The text that a wall writes into a layout's file: the file as it is, with the changes by hand and the options of the
/// command line. A wall of media has no file yet, and writes all of its layout.
struct LayoutToSave {
    private let byHand: LayoutTextChanges
    private let text: [UInt8]
    private let given: Layout

    init(_ wall: Wall) {
        let present = wall.presentLayout
        given = wall.givenLayout
        byHand = LayoutTextChanges(from: given, to: present, in: workingFolder() ?? "")
        text = given.text(playing: present)
    }

    /// Returns the bytes for `target`. `path`: the layout's file, nil for media. Paths are absolute. Relative names in
    /// the layout are written for the folder of `target`. May block as long as the file system does.
    func bytes(from path: String?, to target: String, _ options: PlayOptions) throws -> [UInt8] {
        var (bytes, asked, folder) = (text, given, workingFolder() ?? ".")
        folder = realPath(folder) ?? folder
        if let path {
            guard case .success(let read) = Files.bytes(of: path) else { throw Unreadable(path: path) }
            (bytes, folder) = (read.bytes, try realFolder(ofFile: path))
            if case .layout(let written) = LayoutReader.read(bytes, path: path) { asked = written }
            options.apply(toLater: &asked)
        }
        let layout = try LayoutPatch.patched(bytes, with: LayoutTextChanges(of: asked).merging(byHand))
        if target == path { return layout }
        return try LayoutPatch.moved(layout, fromFolder: folder, toFolder: realFolder(ofFile: target))
    }

    private struct Unreadable: Error, CustomStringConvertible {
        let path: String
        var description: String { "\(path) can't be read" }
    }

    /// Returns why a layout must not be written to `path`: there is a file of another kind, such as a film. An empty
    /// file is replaced. May block as long as the file system does.
    static func reasonNotToReplace(_ path: String) -> String? {
        guard access(path, F_OK) == 0 else { return nil }
        if case .success(let read) = Files.bytes(of: path) {
            if read.bytes.isEmpty { return nil }
            if let root = try? JSONParser.parse(read.bytes), root["tiles"] != nil { return nil }
        }
        return "\(path.quoted) exists and is not a layout; another name would be right"
    }
}

extension PlayOptions {
    /// `--save FILE`: writes what the command line plays as a layout, and plays nothing. Returns the exit status.
    func save(to name: String) throws -> Int32 {
        guard let loaded = content.load() else { return ExitStatus.usage }
        var layout = loaded.layout
        try apply(to: &layout)
        let (target, path) = (WorkingFolder.current.absolute(name), loaded.name.map(WorkingFolder.current.absolute))
        if target != path, let reason = LayoutToSave.reasonNotToReplace(target) {
            throw Failure("--save \(reason)", status: ExitStatus.unwritten)
        }
        // A wall that does not play, for the same text as that of `layout-save`.
        let saved = LayoutToSave(Wall(layout: layout, pipelines: layout.pipelineCount))
        do {
            try FileReplacement.write(try saved.bytes(from: path, to: target, self), to: target)
            return ExitStatus.done
        } catch {
            throw Failure("--save \(name): \(error)", status: ExitStatus.unwritten)
        }
    }
}
