import Base
import Console
import Engine
import Files
import Player
import Threads

// Changes of files: of layouts, and of what they play.
extension LayoutKeeper {
    /// Starts to watch files: those of layouts if the options ask for it, those of sources always.
    func startWatching(_ queue: TaskQueue) {
        let watch = try? FileWatch { [self] path, identity in
            let names = layouts.locked { layouts in
                layouts.folders.noteChange(of: path, to: identity)
                return layouts.names
            }
            switch path {
            case _ where names.contains { absolute($0) == path }: _ = queue.add { [self] in readAgain(path) }
            case let path where layouts.locked({ $0.folders.concerns(path) }):
                // A song's own file has its lyrics, too.
                wall.runner.change { wall, now in wall.fileChanged(path, at: now) }
                _ = queue.add { [self] in readFolders(because: path) }
            default: wall.runner.change { wall, now in wall.fileChanged(path, at: now) }
            }
        }
        guard let watch else { return printLine("quadrille: files are not watched: the system has no thread for it") }
        self.watch.locked { $0 = watch }
        watchFiles()
    }

    /// Watches the files that the wall plays now.
    func watchFiles() {
        guard let watch = watch.locked({ $0 }) else { return }
        let layouts = layouts.locked { $0 }
        let played = wall.runner.read { wall, now in OutlookReport(wall.player.snapshot(at: now)).files }.union(
            layouts.folders.paths
        )
        .subtracting(layouts.folders.unfinished)
        var files = played.sorted().map {
            WatchedFile($0, quiet: Self.mediaQuiet, known: layouts.folders.known($0))
        }
        func add(_ name: String, _ file: FileIdentity?) {
            let known: WatchedFile.Known = file.map { .file($0) } ?? .absent
            files.append(WatchedFile(absolute(name), quiet: Self.layoutQuiet, known: known))
        }
        if options.run.watchesLayout {
            if let name = layouts.loaded.name { add(name, layouts.loaded.file) }
            if let scheduled = layouts.scheduled { add(scheduled.path, scheduled.file) }
        }
        if let refused = layouts.refused { add(refused.path, refused.file) }
        // A file that was completely copied since its folder was read is reported, too.
        files += layouts.folders.unfinished.map { WatchedFile($0, quiet: Self.mediaQuiet, known: .absent) }
        watch.watch(files)
    }
}
