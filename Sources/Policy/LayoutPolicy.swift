import Base
import Commands
import Feeds
import Layout

/// Decides which layout a wall shows: the loaded one, or the one that its schedule names. Decides when the files of
/// both, and of their folders and songs, are read, and which files are watched.
///
/// A value without files, threads or clocks: `decide` takes a change, the moment at which it comes, and what was read for
/// it, and returns all actions that follow. `LayoutKeeper` reads, and carries the actions out. A layout that is wrong or
/// can't be read changes nothing on the wall.
///
/// `Schedule` returns the entry that applies at an instant, and the time of the next change. `showDue` applies the due
/// entry when the shell's timer calls, or when the system's clock was set. An entry shows the loaded layout, which is
/// kept in memory; or a scheduled file, which is read then; or nothing. A file that could not be shown is watched, and
/// tried again when it changes. A layout or a folder that the system refused to open (for example with too many files
/// open) is tried again each minute.
public struct LayoutPolicy: Sendable {
    var loaded: LoadedLayout
    /// Scheduled layout that is shown; nil while the loaded one is.
    var scheduled: ScheduledLayout?
    /// Scheduled layout that could not be shown; nil if there is none. The layout shown before stays until this file
    /// changes, or can be read.
    var refused: ScheduledLayout?
    /// True if the wall has played the loaded layout, and no other, since it was loaded.
    var isLoadedShown: Bool
    /// The layout that is shown, as it is written: with its folders and songs not yet read. `name`: that of its file; nil
    /// if it has none. The loaded layout may not be shown yet.
    var shown: (layout: Layout, name: String?)
    /// Files of the shown layout's folders and songs.
    var sources: SourceFiles
    /// Change by the schedule that was reported last.
    var reported = ScheduleChange.none
    /// Power of the display; nil until it was set once.
    var display: DisplayPower?
    /// Time at which breaks were last looked for, in seconds since 1970; nil until then.
    var lookedAt: Int?
    private let saves: Saves

    /// Treatment of layouts that other programs save.
    public enum Saves: Sendable { case followed, ignored }

    /// A saved layout is read when nothing has been written to it for this time, in nanoseconds.
    static let layoutQuiet: Int64 = 100_000_000
    /// The same for media, which are copied slowly.
    public static let mediaQuiet: Int64 = 2_000_000_000

    /// `shown`: the layout that the wall plays, as it is written. `scheduled`: the file of that layout, if it is not
    /// the loaded layout. `refused`: the layout that would be due, if it could not be read.
    public init(
        _ loaded: LoadedLayout, scheduled: ScheduledLayout?, refused: ScheduledLayout?, shown: Layout,
        sources: SourceFiles, saves: Saves
    ) {
        (self.loaded, self.scheduled, self.refused) = (loaded, scheduled, refused)
        (self.sources, self.saves) = (sources, saves)
        isLoadedShown = scheduled == nil
        self.shown = (shown, scheduled?.path ?? loaded.name)
    }

    /// The moment at which a change is decided.
    public struct Moment: Sendable {
        /// Seconds since 1970.
        let instant: Int
        let zone: LocalTime
        /// Wall time at which the change began.
        let time: Time
        let folder: WorkingFolder

        public init(_ instant: Int, _ zone: LocalTime, _ time: Time, in folder: WorkingFolder) {
            (self.instant, self.zone, self.time, self.folder) = (instant, zone, time, folder)
        }
    }

    /// Returns all that follows from a change, and notes it. Throws what must be read first; nothing is noted then, and
    /// the change is to be decided again.
    public mutating func decide(
        _ change: LayoutChange, _ read: LayoutRead, at moment: Moment
    ) throws(LayoutRead.Missing) -> [LayoutAction] {
        var next = self
        let actions = try next.take(change, read, at: moment)
        self = next
        return actions
    }

    private mutating func take(
        _ change: LayoutChange, _ read: LayoutRead, at moment: Moment
    ) throws(LayoutRead.Missing) -> [LayoutAction] {
        switch change {
        case .started: return start(at: moment)
        case .instantCame: return instantCame(at: moment)
        case .fileChanged(let path, let identity): return fileChanged(path, identity, in: moment.folder)
        case .writtenByProgram(let path, let file, let layout):
            noteSaved(file, at: path, layout, in: moment.folder)
            return []
        case .loadAsked(let name): return try load(alike(name, in: moment.folder), .first, read, at: moment)
        case .reloadAsked: return try reload(read, at: moment)
        case .dueMayDiffer: return try showDue(read, at: moment)
        case .catchUp: return try catchUp(read, at: moment)
        case .layoutSaved(let path): return try readSaved(path, read, at: moment)
        case .sourceSaved(let path):
            if !sources.unfinished.contains(path), try !read.hasSource(among: [path], .folderOrSong) { return [] }
            return try showAgain(read, at: moment)
        }
    }

    // MARK: files in use

    /// Name of the file of the layout that is shown; nil if the wall plays no layout's file.
    public var shownName: String? { shown.name }

    /// Names of the files of the loaded layout and of the scheduled one that is shown.
    public var playedNames: [String] { [loaded.name, scheduled?.path].compactMap { $0 } }

    /// Returns the name of the loaded layout if its file has this absolute path.
    public func loadedName(at path: String, in folder: WorkingFolder) -> String? {
        loaded.name.flatMap { folder.absolute($0) == path ? $0 : nil }
    }

    /// Returns the files to watch while the wall plays `played`. The paths of layouts are absolute.
    public func watchedFiles(playing played: Set<String>, in folder: WorkingFolder) -> [WatchedFile] {
        let media = played.union(sources.watched).subtracting(sources.unfinished)
        var files = media.sorted().map { WatchedFile($0, quiet: Self.mediaQuiet, known: sources.known($0)) }
        func add(_ name: String, _ file: FileIdentity?) {
            let known: WatchedFile.Known = file.map { .file($0) } ?? .absent
            files.append(WatchedFile(folder.absolute(name), quiet: Self.layoutQuiet, known: known))
        }
        if saves == .followed {
            if let name = loaded.name { add(name, loaded.file) }
            if let scheduled { add(scheduled.path, scheduled.file) }
        }
        if let refused { add(refused.path, refused.file) }
        // A file that was completely copied since its folder was read is reported, too.
        return files + sources.unfinished.map { WatchedFile($0, quiet: Self.mediaQuiet, known: .absent) }
    }

    /// Returns a path that is relative to the working folder or absolute, like the name of the layout that plays. A
    /// film in both layouts thus has one name.
    private func alike(_ other: String, in folder: WorkingFolder) -> String {
        let (path, start) = (folder.absolute(other), folder.absolute(".") + "/")
        let isRelative = shown.name.map { !$0.hasPrefix("/") } ?? true
        return isRelative && path.hasPrefix(start) ? String(path.dropFirst(start.count)) : path
    }

    // MARK: layouts' files, and the folders and songs that a layout names

    /// `retry`: the failure of the attempt before was printed, and is not printed again.
    enum Attempt { case first, retry }

    mutating func load(
        _ name: String, _ attempt: Attempt, _ read: LayoutRead, at moment: Moment
    ) throws(LayoutRead.Missing) -> [LayoutAction] {
        let (result, file) = try read.layout(name)
        guard let layout = result.written else {
            // A wrong file is not read again until it changes.
            if loaded.name == name { (loaded.file, loaded.wasRead) = (file, result.wasRead) }
            return report(on: result, attempt) + [wake(after: moment), .fail(result.error)]
        }
        loaded = LoadedLayout(name: name, file: file, layout: layout)
        isLoadedShown = false
        // The loaded layout may not be the one that is shown.
        return try showDue(read, at: moment) + [.watch]
    }

    /// Reads the loaded layout again, and the scheduled layout if one is shown.
    mutating func reload(_ read: LayoutRead, at moment: Moment) throws(LayoutRead.Missing) -> [LayoutAction] {
        guard let name = loaded.name else {
            return [.fail(ControlError(.commandError, because: "no layout file is loaded"))]
        }
        let before = scheduled
        var actions = try load(name, .first, read, at: moment)
        if let before { actions += try readScheduled(before, .first, read, at: moment) }
        return actions + [.watch]
    }

    /// Reads the scheduled layout again, unless another one is shown by now.
    private mutating func readScheduled(
        _ layout: ScheduledLayout, _ attempt: Attempt, _ read: LayoutRead, at moment: Moment
    ) throws(LayoutRead.Missing) -> [LayoutAction] {
        guard scheduled == layout else { return [] }
        let (result, file) = try read.layout(layout.path)
        scheduled?.file = file
        scheduled?.wasRead = result.wasRead
        guard let written = result.written else {
            return report(on: result, attempt) + [wake(after: moment), .fail(result.error)]
        }
        // The breaks of the layout may come at other times.
        return try show(written, from: layout.path, because: .command, read, at: moment) + showDue(read, at: moment)
    }

    /// Reads a layout's file again after it was saved.
    mutating func readSaved(
        _ path: String, _ read: LayoutRead, at moment: Moment
    ) throws(LayoutRead.Missing) -> [LayoutAction] {
        var actions: [LayoutAction] = []
        let before = scheduled
        if let name = loadedName(at: path, in: moment.folder) {
            actions = try load(name, .first, read, at: moment)
        } else if let refused, moment.folder.absolute(refused.path) == path {
            actions = try showDue(read, at: moment)
        }
        if let before, moment.folder.absolute(before.path) == path {
            actions += try readScheduled(before, .first, read, at: moment)
        }
        return actions
    }

    /// Retries files and folders that the system refused at the last attempt.
    mutating func catchUp(_ read: LayoutRead, at moment: Moment) throws(LayoutRead.Missing) -> [LayoutAction] {
        var actions: [LayoutAction] = []
        let (before, unopened) = (scheduled, sources.unopened)
        if !loaded.wasRead, let name = loaded.name { actions = try load(name, .retry, read, at: moment) }
        if let before, !before.wasRead { actions += try readScheduled(before, .retry, read, at: moment) }
        if !unopened.isEmpty, try read.hasSource(among: unopened, .folder) {
            actions += try showAgain(read, at: moment)
        }
        return try actions + showDue(read, at: moment)
    }

    /// Reports a failure if the file was read, since its content is new; otherwise only at the first attempt.
    func report(on result: LayoutFileResult, _ attempt: Attempt) -> [LayoutAction] {
        guard let failure = result.failure, result.wasRead || attempt == .first else { return [] }
        return failure.lines.map { .printLine($0) } + [.emit(.reloadFailed(mistakes: failure.mistakes))]
    }

    /// Notes that the program has written a layout. The watch does not report the program's own writes.
    mutating func noteSaved(_ file: FileIdentity, at path: String, _ layout: Layout?, in folder: WorkingFolder) {
        if loadedName(at: path, in: folder) != nil {
            loaded.file = file
            // The loaded layout may be shown again after a scheduled one.
            if let layout { loaded.layout = layout }
        }
        if let scheduled, folder.absolute(scheduled.path) == path { self.scheduled?.file = file }
    }

    // MARK: changed files

    mutating func fileChanged(_ path: String, _ identity: FileIdentity, in folder: WorkingFolder) -> [LayoutAction] {
        sources.noteChange(of: path, to: identity)
        if (playedNames + [refused?.path].compactMap { $0 }).contains(where: { folder.absolute($0) == path }) {
            return [.onFiles(.layoutSaved(path))]
        }
        let mayChangeSources = sources.watched.contains(path) || sources.unfinished.contains(path)
        // A song's own file has its lyrics, too.
        return [.forgetFacts(of: path)] + (mayChangeSources ? [.onFiles(.sourceSaved(path))] : [])
    }

    /// Shows the same layout, with its folders and songs read anew.
    mutating func showAgain(_ read: LayoutRead, at moment: Moment) throws(LayoutRead.Missing) -> [LayoutAction] {
        try show(shown.layout, from: shown.name, because: .command, read, at: moment) + [wake(after: moment)]
    }

    /// Shows a layout, and takes over the files of its sources. Prints what songs lack, unless that was printed before.
    /// `name`: name of the layout's file.
    mutating func show(
        _ layout: Layout, from name: String?, because cause: ItemBeginning, _ read: LayoutRead, at moment: Moment
    ) throws(LayoutRead.Missing) -> [LayoutAction] {
        let (next, files) = try read.sources(of: layout, named: name)
        let news = files.lacks.filter { !sources.lacks.contains($0) }
        (shown, sources) = ((layout, name), files)
        return news.map { .printLine($0) } + [.apply(next, because: cause, began: moment.time), .watch]
    }
}

/// The working folder of the program, which relative names begin at.
public struct WorkingFolder: Sendable {
    /// nil if the system does not tell it.
    let path: String?

    public init(_ path: String?) { self.path = path }

    public func absolute(_ name: String) -> String {
        guard let path, !name.hasPrefix("/") else { return name }
        return name == "." ? path : path + "/" + name
    }
}
