import Base
import Commands
import Console
import Engine
import Files
import Glibc
import Layout
import Player
import Threads

/// The layouts of a wall that plays: the one that was loaded, and the one that is shown, which its schedule may name.
/// Loads and rereads layouts, and writes changes into the file of the one that is shown. Calls wait for files. They
/// come from one thread at a time, and never from the main thread.
final class LayoutKeeper: Sendable {
    let wall: RunningWall
    let options: PlayOptions
    private let record: @Sendable ([Event]) -> Void
    let printLine: @Sendable (String) -> Void
    let setDisplay: @Sendable (DisplaySwitch.Power) -> Void
    let layouts: Monitor<Layouts>
    let watch = Monitor<FileWatch?>(nil)
    let timer = Monitor<CalendarTimer?>(nil)

    struct Layouts {
        var loaded: LoadedLayout
        /// Scheduled layout that is shown; nil while the loaded one is.
        var scheduled: ScheduledLayout?
        /// Scheduled layout that could not be shown; nil if there is none.
        var refused: ScheduledLayout?
        /// True if the wall has played the loaded layout, and no other, since it was loaded.
        var isLoadedShown: Bool
        var reported = ScheduleChange.none
        /// Power of the display; nil until it was set once.
        var display: DisplaySwitch.Power?

        /// Layout that is shown, as it is written: with its folders and songs not yet read.
        var shown: Layout
        /// Name of the file of the layout that is shown; nil if it has none. The loaded layout may not be shown yet.
        var name: String?
        /// Time at which breaks were last looked for, in seconds since 1970; nil until then.
        var lookedAt: Int?
        /// Folders that are played, missing paths that may become folders, and songs.
        var folders: Set<String> = []
        /// Identities of these when the layout was read. Missing paths have none.
        var identities: [String: FileIdentity] = [:]
        /// Folders that the system did not open.
        var unopened: Set<String> = []
        /// Files to play once they are there: files that are being copied into folders, and files that songs lack.
        var unfinished: Set<String> = []
        /// Lines on what songs lack, as they were printed last.
        var lacks: Set<String> = []

    }

    /// A saved layout is read when nothing has been written to it for this time, in nanoseconds.
    static let layoutQuiet: Int64 = 100_000_000
    /// The same for media, which are copied slowly.
    static let mediaQuiet: Int64 = 2_000_000_000

    /// `first`: the layout that `wall` plays. `record` takes events, `printLine` lines for the user, `setDisplay` the
    /// power of the display. Any thread may call them.
    init(
        _ wall: RunningWall, _ options: PlayOptions, _ first: FirstLayout,
        record: @escaping @Sendable ([Event]) -> Void,
        printLine: @escaping @Sendable (String) -> Void, setDisplay: @escaping @Sendable (DisplaySwitch.Power) -> Void
    ) {
        (self.wall, self.options, self.record, self.printLine) = (wall, options, record, printLine)
        self.setDisplay = setDisplay
        layouts = Monitor(
            Layouts(
                loaded: first.loaded, scheduled: first.scheduled, refused: first.refused,
                isLoadedShown: first.scheduled == nil, shown: first.written,
                name: first.scheduled?.path ?? first.loaded.name))
        note(first.sources)
    }

    /// Absolute path of the layout that is shown; nil if the wall plays no layout's file.
    var path: String? { name.map(absolute) }

    private var name: String? { layouts.locked { $0.name } }

    /// Resolves a source as it is written in the layout, or without a layout as on the command line. nil if no file has
    /// this name.
    func resolved(_ source: String) -> String? { SourceName.resolved(source, besideLayout: name) }

    /// Returns the items of a source, as in a sequence.
    func items(of location: String) -> [Item] {
        var layout = Layout.ofMedia([location]), sources = PlayedSources(quiet: 0)
        let item = layout.tiles.first?.play ?? []
        sources.expand(&layout)
        sources.troubles.forEach(printLine)
        return layout.tiles.first?.play ?? item
    }

    // MARK: reading

    /// Loads another layout's file in place of the loaded one. Returns nil if that succeeds.
    func load(_ name: String) -> ControlError? { load(named: alike(name)) }

    private func load(named name: String, isAgain: Bool = false) -> ControlError? {
        let began = monotonicNanoseconds()
        let (layout, file, wasRead) = read(name, isAgain: isAgain)
        guard let layout else {
            // A wrong file is not read again until it changes.
            layouts.locked { if $0.loaded.name == name { ($0.loaded.file, $0.loaded.wasRead) = (file, wasRead) } }
            setTimer()
            return complaint(about: name)
        }
        layouts.locked { layouts in
            (layouts.loaded, layouts.isLoadedShown) = (LoadedLayout(name: name, file: file, layout: layout), false)
        }
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
        layouts.locked { layouts in
            layouts.scheduled?.file = file
            layouts.scheduled?.wasRead = wasRead
        }
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
        let (loaded, scheduled, unopened) = layouts.locked { ($0.loaded, $0.scheduled, $0.unopened) }
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
        layouts.locked { ($0.shown, $0.name) = (layout, name) }
        var layout = layout
        sources.expand(&layout)
        note(sources)
        options.apply(toLater: &layout)
        let diff = wall.apply(
            layout, pipelines: options.pipelineCount(for: layout), cores: options.cores(for: layout), because: cause)
        emit(.reload(diff, milliseconds: Double(monotonicNanoseconds() - began) / 1e6))
        watchFiles()
    }

    /// Notes the files of the layout's sources. Prints once what songs lack.
    private func note(_ sources: PlayedSources) {
        let lacks = sources.troubles
        let unreported = layouts.locked { layouts -> [String] in
            (layouts.folders, layouts.identities) = (sources.watched, sources.identities)
            layouts.unopened = sources.unopened
            layouts.unfinished = sources.unfinished
            defer { layouts.lacks = Set(lacks) }
            return lacks.filter { !layouts.lacks.contains($0) }
        }
        unreported.forEach(printLine)
    }

    /// Reads folders and songs again after one of them, or a file that was copied into a folder, has changed. A path
    /// that was missing before may lead to neither.
    func readFolders(because path: String) {
        guard layouts.locked({ $0.unfinished.contains(path) }) || PlayedSources.isMadeOfFiles(path) else { return }
        showAgain()
    }

    /// Shows the same layout, with its folders and songs read anew.
    func showAgain() {
        let (layout, name) = layouts.locked { ($0.shown, $0.name) }
        show(layout, from: name, because: .command, since: monotonicNanoseconds())
        setTimer()
    }

    /// Returns a path that is relative to the working folder or absolute, like the name of the layout that plays. A
    /// film in both layouts thus has one name.
    private func alike(_ other: String) -> String {
        let (path, folder) = (absolute(other), absolute(".") + "/")
        let isRelative = name.map { !$0.hasPrefix("/") } ?? true
        return isRelative && path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
    }

    func emit(_ what: Event.What) { record([Event(at: Time.now, what: what)]) }

    /// Stops the timer and the watch. Returns the names of the threads that have not ended in time.
    func stop() -> [String] {
        let watch = watch.locked { watch in
            defer { watch = nil }
            return watch
        }
        let timer = timer.locked { timer in
            defer { timer = nil }
            return timer
        }
        return (timer?.stop() == .stillRunning ? ["schedule"] : [])
            + (watch?.stop(within: 1_000_000_000) == .stillRunning ? ["watch"] : [])
    }
}

/// Returns an absolute path. A relative one is taken from the working folder.
func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return path == "." ? String(cString: folder) : String(cString: folder) + "/" + path
}
