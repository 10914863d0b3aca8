import Files
import Glibc
import Media
import Threads
import WallCore

/// The layouts of a wall that plays: the one that was loaded, and the one that is shown, which its schedule may name.
/// Loads another, reads them again, writes into the one that is shown. Its calls wait for files; they come from one
/// thread at a time, and never from the main thread.
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
        /// nil: the loaded one is shown.
        var scheduled: ScheduledLayout?
        /// What was to be shown and could not be.
        var refused: ScheduledLayout?
        /// The wall has played the loaded layout since it was loaded, and no other.
        var isLoadedShown: Bool
        var reported = ScheduleChange.none
        /// nil: nobody has said it yet.
        var display: DisplaySwitch.Power?

        /// What is shown, as it is written; its folders are read.
        var shown: Layout
        /// Its file; nil: it has none. What is loaded may have to wait for its time.
        var name: String?
        /// When the schedule was looked at last, in seconds since 1970.
        var lookedAt: Int?
        /// Folders that are played, what is missing and may be one, and songs.
        var folders: Set<String> = []
        /// What they were when the layout was read; nothing of what was not there.
        var identities: [String: FileIdentity] = [:]
        /// Folders that the system did not open.
        var unopened: Set<String> = []
        /// What is to be played when it is there: files of the folders that are being copied, and files that songs lack.
        var unfinished: Set<String> = []
        /// What songs lack, as it was said.
        var lacks: Set<String> = []

    }

    /// A layout that was saved is read when nothing has been written to it for so long.
    static let layoutQuiet: Int64 = 100_000_000
    /// Films are copied slowly.
    static let mediaQuiet: Int64 = 2_000_000_000

    /// `first` is what `wall` plays. `record` takes events, `printLine` lines for the user, `setDisplay` what becomes of the
    /// screen; any thread may call them.
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

    /// Of the layout that is shown, absolute; nil: the wall plays no layout's file.
    var path: String? { name.map(absolute) }

    private var name: String? { layouts.locked { $0.name } }

    /// A source, as it is written in the layout; without one, as on the command line. nil: no file has this name.
    func resolved(_ source: String) -> String? { SourceName.resolved(source, besideLayout: name) }

    /// A source as it stands in a sequence.
    func items(of location: String) -> [Item] {
        var layout = Layout.ofMedia([location]), sources = PlayedSources(quiet: 0)
        let item = layout.tiles.first?.play ?? []
        sources.expand(&layout)
        sources.troubles.forEach(printLine)
        return layout.tiles.first?.play ?? item
    }

    // MARK: reading

    /// Another layout's file takes the place of the one that was loaded; nil: done.
    func load(_ name: String) -> ControlError? { load(named: alike(name)) }

    private func load(named name: String, isAgain: Bool = false) -> ControlError? {
        let began = monotonicNanoseconds()
        let (layout, file, wasRead) = read(name, isAgain: isAgain)
        guard let layout else {
            // A file that is as wrong as before is not read again.
            layouts.locked { if $0.loaded.name == name { ($0.loaded.file, $0.loaded.wasRead) = (file, wasRead) } }
            setTimer()
            return complaint(about: name)
        }
        layouts.locked { layouts in
            (layouts.loaded, layouts.isLoadedShown) = (LoadedLayout(name: name, file: file, layout: layout), false)
        }
        followSchedule(since: began)
        // It may not be the one that is shown.
        watchFiles()
        return nil
    }

    /// The loaded layout, and the one that is shown.
    func reload() -> ControlError? {
        let (loaded, scheduled) = layouts.locked { ($0.loaded.name, $0.scheduled) }
        guard let loaded else { return ControlError(.commandError, because: "the wall plays no layout's file") }
        defer { watchFiles() }
        let error = load(named: loaded)
        guard let scheduled, layouts.locked({ $0.scheduled }) == scheduled else { return error }
        return reload(scheduled) ?? error
    }

    /// What is shown was saved.
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
        // Its breaks may come at other times.
        followSchedule(since: began)
        return nil
    }

    /// A layout's file was saved. Others may be loaded and shown by now.
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

    /// What the system refused when it was read last. Its files are watched as they are now.
    func readRefusedAgain() {
        let (loaded, scheduled, unopened) = layouts.locked { ($0.loaded, $0.scheduled, $0.unopened) }
        if !loaded.wasRead, let name = loaded.name { _ = load(named: name, isAgain: true) }
        if let scheduled, !scheduled.wasRead, layouts.locked({ $0.scheduled }) == scheduled {
            _ = reload(scheduled, isAgain: true)
        }
        if unopened.contains(where: { MediaFolder(path: $0) != nil }) { showAgain() }
    }

    /// No layout: it is wrong, or can't be read (`wasRead` says which), and that is said by then. `isAgain`: that it
    /// can't be read was said before.
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

    /// Why a file was no layout when it was read just now.
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

    /// `name`: of its file.
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

    /// What the layout's sources were made of; what songs lack is said once.
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

    /// A folder that is played, a file that was copied into one, or a song is another. What was missing and has come
    /// may be none of them.
    func readFolders(because path: String) {
        guard layouts.locked({ $0.unfinished.contains(path) }) || PlayedSources.isMadeOfFiles(path) else { return }
        showAgain()
    }

    /// What is shown; its folders and songs are read anew.
    func showAgain() {
        let (layout, name) = layouts.locked { ($0.shown, $0.name) }
        show(layout, from: name, because: .command, since: monotonicNanoseconds())
        setTimer()
    }

    /// From the working folder, or from the root, as the layout that plays: the same film in both is the same then.
    private func alike(_ other: String) -> String {
        let (path, folder) = (absolute(other), absolute(".") + "/")
        let isRelative = name.map { !$0.hasPrefix("/") } ?? true
        return isRelative && path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
    }

    func emit(_ what: Event.What) { record([Event(at: WallRunner.now(), what: what)]) }

    /// Names the threads that are not back in time.
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

/// From the working folder where it is relative.
func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return path == "." ? String(cString: folder) : String(cString: folder) + "/" + path
}
