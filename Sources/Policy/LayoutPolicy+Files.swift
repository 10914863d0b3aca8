import Base
import Commands
import Feeds
import Layout

// Layouts' files, and the folders and songs that a layout names.
extension LayoutPolicy {
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
        // A song's own file has its lyrics, too.
        return [.forgetFacts(of: path)] + (sources.concerns(path) ? [.onFiles(.sourceSaved(path))] : [])
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
        (shown, sources) = (ShownLayout(layout: layout, name: name), files)
        return news.map { .printLine($0) }
            + [.apply(LayoutToShow(layout: next, cause: cause, began: moment.time)), .watch]
    }
}
