import Base
import Commands
import Console
import Engine
import Files
import Layout
import Player
import Threads

// Reading layouts, and showing them.
extension LayoutKeeper {
    /// Loads another layout's file in place of the loaded one. Returns nil if that succeeds.
    func load(_ name: String) -> ControlError? { load(named: alike(name)) }

    private func load(named name: String, isAgain: Bool = false) -> ControlError? {
        let began = monotonicNanoseconds()
        let (layout, file, wasRead) = read(name, isAgain: isAgain)
        guard let layout else {
            layouts.locked { $0.noteFailure(of: name, file, wasRead: wasRead) }
            setTimer()
            return complaint(about: name)
        }
        layouts.locked { $0.load(LoadedLayout(name: name, file: file, layout: layout)) }
        followSchedule(since: began)
        // The loaded layout may not be the one that is shown.
        watchFiles()
        return nil
    }

    /// Reads the loaded layout and the one that is shown again.
    func reload() -> ControlError? {
        let (loaded, scheduled) = layouts.locked { ($0.loaded.name, $0.scheduled) }
        guard let loaded else { return ControlError(.commandError, because: "the wall plays no layout's file") }
        defer { watchFiles() }
        let error = load(named: loaded)
        guard let scheduled, layouts.locked({ $0.scheduled }) == scheduled else { return error }
        return reload(scheduled) ?? error
    }

    /// Reads the scheduled layout that is shown again, after it was saved.
    private func reload(_ scheduled: ScheduledLayout, isAgain: Bool = false) -> ControlError? {
        let began = monotonicNanoseconds()
        let (layout, file, wasRead) = read(scheduled.path, isAgain: isAgain)
        layouts.locked { $0.noteScheduled(file, wasRead: wasRead) }
        guard let layout else {
            setTimer()
            return complaint(about: scheduled.path)
        }
        show(layout, from: scheduled.path, because: .command, since: began)
        // The breaks of the layout may come at other times.
        followSchedule(since: began)
        return nil
    }

    /// Reads a layout's file again after it was saved. Other layouts may be loaded and shown by now.
    func readAgain(_ path: String) {
        let (loaded, scheduled) = layouts.locked { ($0.loaded.name, $0.scheduled) }
        if let loaded, absolute(loaded) == path {
            _ = load(named: loaded)
        } else if layouts.locked({ $0.refused.map { absolute($0.path) } }) == path {
            followSchedule()
        }
        guard let scheduled, absolute(scheduled.path) == path, layouts.locked({ $0.scheduled }) == scheduled else {
            return
        }
        _ = reload(scheduled)
    }

    /// Retries files and folders that the system refused at the last attempt. The file watch does not report that they
    /// can be read now.
    func readRefusedAgain() {
        let (loaded, scheduled, unopened) = layouts.locked { ($0.loaded, $0.scheduled, $0.folders.unopened) }
        if !loaded.wasRead, let name = loaded.name { _ = load(named: name, isAgain: true) }
        if let scheduled, !scheduled.wasRead, layouts.locked({ $0.scheduled }) == scheduled {
            _ = reload(scheduled, isAgain: true)
        }
        if unopened.contains(where: { MediaFolder(path: $0) != nil }) { showAgain() }
    }

    /// Reads a layout. The layout is nil if it is wrong or can't be read, which has been printed then. `wasRead`: false
    /// if it can't be read. `isAgain`: true if that was printed before.
    func read(_ name: String, isAgain: Bool = false) -> (layout: Layout?, file: FileIdentity?, wasRead: Bool) {
        let (reading, file) = Input.layout(at: name)
        switch reading {
        case .layout(let layout): return (layout, file, true)
        case .mistakes(let mistakes, let path):
            mistakes.lines(path: path).forEach(printLine)
            emit(.reloadFailed(mistakes: mistakes.count))
        case .unreadable(let text) where !isAgain:
            printLine("quadrille: \(text)")
            emit(.reloadFailed(mistakes: 1))
        case .unreadable: break
        }
        return (nil, file, reading.wasRead)
    }

    /// Returns the error for a file that was no layout when it was read just now.
    private func complaint(about name: String) -> ControlError {
        switch Input.layout(at: name).reading {
        case .layout: .loadingFailed
        case .mistakes(let mistakes, let path):
            ControlError(
                .loadingFailed,
                because: (mistakes.listed.first?.rendered(path: path) ?? path)
                    + (mistakes.count > 1 ? " (and \(mistakes.count - 1) more)" : ""))
        case .unreadable(let text): ControlError(.loadingFailed, because: text)
        }
    }

    /// Shows a layout. `name`: name of its file.
    func show(_ layout: Layout, from name: String?, because cause: ItemBeginning, since began: Int64) {
        var sources = PlayedSources(quiet: Self.mediaQuiet)
        layouts.locked { $0.show(layout, from: name) }
        var layout = layout
        sources.expand(&layout)
        note(sources)
        options.apply(toLater: &layout)
        let diff = wall.apply(
            layout, pipelines: layout.pipelineCount, cores: layout.coresForPipelines, because: cause)
        emit(.reload(diff, milliseconds: Double(monotonicNanoseconds() - began) / 1e6))
        watchFiles()
    }

    /// Notes the files of the layout's sources. Prints once what songs lack.
    func note(_ sources: PlayedSources) {
        let unreported = layouts.locked { $0.folders.note(sources) }
        unreported.forEach(printLine)
    }

    /// Reads folders and songs again after one of them, or a file that was copied into a folder, has changed. A path
    /// that was missing before may lead to neither.
    func readFolders(because path: String) {
        guard layouts.locked({ $0.folders.unfinished.contains(path) }) || PlayedSources.isMadeOfFiles(path) else {
            return
        }
        showAgain()
    }

    /// Shows the same layout, with its folders and songs read anew.
    func showAgain() {
        let shown = layouts.locked { $0.shown }
        show(shown.layout, from: shown.name, because: .command, since: monotonicNanoseconds())
        setTimer()
    }

    /// Returns a path that is relative to the working folder or absolute, like the name of the layout that plays. A
    /// film in both layouts thus has one name.
    private func alike(_ other: String) -> String {
        let (path, folder) = (absolute(other), absolute(".") + "/")
        let isRelative = name.map { !$0.hasPrefix("/") } ?? true
        return isRelative && path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
    }
}
