import Files
import Glibc
import Media
import Threads
import WallCore

/// The layout's file of a wall that plays: loads another, reads it again, writes into it. Its calls wait for files; they
/// come from one thread at a time, and never from the main thread.
final class LayoutKeeper: Sendable {
    private let wall: RunningWall
    private let options: PlayOptions
    private let record: @Sendable ([Event]) -> Void
    private let say: @Sendable (String) -> Void
    private let loaded: Monitor<Loaded>

    private struct Loaded {
        /// As it was written, so that its sources are called what they were; nil: media without a layout, or standard
        /// input.
        var name: String?
        /// Which file was read last, so that a change of it is noticed.
        var file: FileIdentity?
        var watch: FileWatch?
    }

    /// A layout that was saved is read when nothing has been written to it for so long.
    private static let layoutQuiet: Int64 = 100_000_000
    /// Films are copied slowly.
    private static let mediaQuiet: Int64 = 2_000_000_000

    /// `record` takes events, `say` lines for the user; any thread may call either.
    init(
        _ wall: RunningWall, _ options: PlayOptions, record: @escaping @Sendable ([Event]) -> Void,
        say: @escaping @Sendable (String) -> Void
    ) {
        (self.wall, self.options, self.record, self.say) = (wall, options, record, say)
        var written: String?
        if case .layout(let name) = options.input, name != "-" { written = name }
        loaded = Monitor(Loaded(name: written, file: options.layoutFile))
    }

    /// Absolute; nil: the wall plays no layout's file.
    var path: String? { name.map(absolute) }

    private var name: String? { loaded.locked { $0.name } }

    /// A source, as it is written in the layout; without one, as on the command line. nil: no file has this name.
    func resolved(_ source: String) -> String? { SourceName.resolved(source, besideLayout: name) }

    // MARK: reading

    /// Another layout's file takes the place of the one that plays; nil: done.
    func load(_ name: String) -> ControlError? {
        let name = alike(name)
        guard let error = apply(name) else {
            loaded.locked { $0.name = name }
            watchFiles()
            return nil
        }
        return error
    }

    func reload() -> ControlError? {
        guard let name else { return .commandError }
        defer { watchFiles() }
        return apply(name)
    }

    /// From the working folder, or from the root, as the layout that plays: the same film in both is the same then.
    private func alike(_ other: String) -> String {
        let (path, folder) = (absolute(other), absolute(".") + "/")
        let isRelative = name.map { !$0.hasPrefix("/") } ?? true
        return isRelative && path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
    }

    private func apply(_ name: String) -> ControlError? {
        let began = monotonicNanoseconds()
        let (reading, file) = Input.layout(at: name)
        if name == self.name { loaded.locked { $0.file = file } }
        switch reading {
        case .layout(var layout):
            options.apply(toLater: &layout)
            let diff = wall.apply(
                layout, pipelines: options.pipelineCount(for: layout), cores: options.cores(for: layout))
            loaded.locked { $0.file = file }
            tell(.reload(diff, milliseconds: Double(monotonicNanoseconds() - began) / 1e6))
            return nil
        case .mistakes(let mistakes, let path):
            mistakes.lines(path: path).forEach(say)
            tell(.reloadFailed(mistakes: mistakes.count))
        case .unreadable(let text):
            say("quadrille: \(text)")
            tell(.reloadFailed(mistakes: 1))
        }
        return .loadingFailed
    }

    private func tell(_ what: Event.What) { record([Event(at: WallRunner.now(), what: what)]) }

    // MARK: writing

    /// What was changed by hand into the layout's file, or that with it into another; nil: done.
    func save(to name: String?) -> ControlError? {
        let (path, watch) = (path, loaded.locked { $0.watch })
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
            if target == path { loaded.locked { $0.file = file } }
            return nil
        } catch {
            say("quadrille: layout-save \(target): \(error)")
            return .commandError
        }
    }

    /// The file is the layout, or one that it reads.
    func uses(_ name: String) -> Bool {
        guard let file = FileIdentity(path: name) else { return false }
        let used = wall.runner.read { wall, _ in wall.files.union(wall.layout.files) } + (path.map { [$0] } ?? [])
        return used.contains { FileIdentity(path: $0) == file }
    }

    // MARK: watching

    /// From now on changes of files are noticed: of the layout where that is asked for, of what plays always.
    func startWatching(_ queue: TaskQueue) {
        let watch = try? FileWatch { [self] path, _ in
            if path == self.path {
                _ = queue.add { [self] in _ = reload() }
            } else {
                wall.runner.change { wall, now in wall.fileChanged(path, at: now) }
            }
        }
        guard let watch else { return say("quadrille: files are not watched: the system has no thread for it") }
        loaded.locked { $0.watch = watch }
        watchFiles()
    }

    /// What plays may be other files than before.
    func watchFiles() {
        let path = path
        let (file, watch) = loaded.locked { ($0.file, $0.watch) }
        guard let watch else { return }
        var files = wall.runner.read { wall, _ in wall.files }.sorted().map {
            WatchedFile($0, quiet: Self.mediaQuiet)
        }
        if options.watchesLayout, let path {
            let known: WatchedFile.Known = file.map { .file($0) } ?? .absent
            files.append(WatchedFile(path, quiet: Self.layoutQuiet, known: known))
        }
        watch.watch(files)
    }

    /// Names the thread if it is not back in time.
    func stop() -> [String] {
        let watch = loaded.locked { loaded in
            defer { loaded.watch = nil }
            return loaded.watch
        }
        return watch?.stop(within: 1_000_000_000) == .stillRunning ? ["watch"] : []
    }
}

/// From the working folder where it is relative.
private func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return path == "." ? String(cString: folder) : String(cString: folder) + "/" + path
}

/// Without links.
private func real(_ folder: String) -> String {
    guard let path = realpath(folder, nil) else { return folder }
    defer { free(path) }
    return String(cString: path)
}
