import Base
import Commands
import Feeds
import Layout

// Layouts' files, and the folders and songs that a layout names.
extension LayoutPolicy {
    func load(_ name: String, _ attempt: LayoutFileRequest.Attempt, at moment: Moment) -> [LayoutAction] {
        [.read(LayoutFileRequest(name: name, use: .load, attempt: attempt, began: moment.time))]
    }

    /// Reads the loaded layout again, and the scheduled layout if one is shown.
    func reload(at moment: Moment) -> [LayoutAction] {
        guard let name = loaded.name else {
            return [.fail(ControlError(.commandError, because: "no layout file is loaded"))]
        }
        return load(name, .first, at: moment)
            + (scheduled.map { [.then(.readScheduled($0, .first))] } ?? []) + [.watch]
    }

    /// Reads the scheduled layout again, unless another one is shown by now.
    func read(
        _ layout: ScheduledLayout, _ attempt: LayoutFileRequest.Attempt, at moment: Moment
    ) -> [LayoutAction] {
        guard scheduled == layout else { return [] }
        return [.read(LayoutFileRequest(name: layout.path, use: .showAgain, attempt: attempt, began: moment.time))]
    }

    /// Reads a layout's file again after it was saved. Other layouts may be loaded and shown by now.
    func readChanged(_ path: String, at moment: Moment) -> [LayoutAction] {
        var actions: [LayoutAction] = []
        if let name = loadedName(at: path, in: moment.folder) {
            actions = load(name, .first, at: moment)
        } else if let refused, moment.folder.absolute(refused.path) == path {
            actions = [.then(.showDue(began: nil))]
        }
        if let scheduled, moment.folder.absolute(scheduled.path) == path {
            actions.append(.then(.readScheduled(scheduled, .first)))
        }
        return actions
    }

    /// Retries files and folders that the system refused at the last attempt. The file watch does not report that they
    /// can be read now.
    func catchUp(at moment: Moment) -> [LayoutAction] {
        var actions: [LayoutAction] = []
        if !loaded.wasRead, let name = loaded.name { actions = load(name, .retry, at: moment) }
        if let scheduled, !scheduled.wasRead { actions.append(.then(.readScheduled(scheduled, .retry))) }
        if !sources.unopened.isEmpty { actions.append(.look(sources.unopened, for: .folder)) }
        return actions + [.then(.showDue(began: nil))]
    }

    mutating func takeResult(
        of request: LayoutFileRequest, _ result: LayoutFileResult, _ file: FileIdentity?, at moment: Moment
    ) -> [LayoutAction] {
        var report: [LayoutAction] = []
        // Report a failure if the file was read, since its content is new; otherwise only at the first attempt.
        if let failure = result.failure, result.wasRead || request.attempt == .first {
            report = failure.lines.map { .printLine($0) } + [.emit(.reloadFailed(mistakes: failure.mistakes))]
        }
        switch request.use {
        case .load:
            guard let layout = result.written else {
                // A wrong file is not read again until it changes.
                if loaded.name == request.name { (loaded.file, loaded.wasRead) = (file, result.wasRead) }
                return report + [wake(after: moment), .fail(result.error)]
            }
            loaded = LoadedLayout(name: request.name, file: file, layout: layout)
            isLoadedShown = false
            // The loaded layout may not be the one that is shown.
            return [.then(.showDue(began: request.began)), .watch]
        case .show(let change):
            let found = ScheduledLayout(path: request.name, file: file, wasRead: result.wasRead)
            guard let layout = result.written else {
                refused = found
                return report + [.watch, .then(.carryOutDue(change.failed))]
            }
            (scheduled, refused, isLoadedShown) = (found, nil, false)
            return [
                show(layout, from: request.name, because: .schedule, since: request.began),
                .then(.carryOutDue(change)),
            ]
        case .showAgain:
            scheduled?.file = file
            scheduled?.wasRead = result.wasRead
            guard let layout = result.written else { return report + [wake(after: moment), .fail(result.error)] }
            // The breaks of the layout may come at other times.
            return [
                show(layout, from: request.name, because: .command, since: request.began),
                .then(.showDue(began: request.began)),
            ]
        }
    }

    /// Notes that the program has written a layout. The watch does not report the program's own writes.
    mutating func noteSaved(
        _ file: FileIdentity, at path: String, _ layout: Layout?, in folder: WorkingFolder
    ) -> [LayoutAction] {
        if loadedName(at: path, in: folder) != nil {
            loaded.file = file
            // The loaded layout may be shown again after a scheduled one.
            if let layout { loaded.layout = layout }
        }
        if let scheduled, folder.absolute(scheduled.path) == path { self.scheduled?.file = file }
        return []
    }

    // MARK: changed files

    mutating func fileChanged(
        _ path: String, _ identity: FileIdentity, in folder: WorkingFolder
    ) -> [LayoutAction] {
        sources.noteChange(of: path, to: identity)
        if (playedNames + [refused?.path].compactMap { $0 }).contains(where: { folder.absolute($0) == path }) {
            return [.onWorker(.readChangedLayout(path))]
        }
        // A song's own file has its lyrics, too.
        return [.forgetFacts(of: path)] + (sources.concerns(path) ? [.onWorker(.readChangedSource(path))] : [])
    }

    /// Shows the same layout, with its folders and songs read anew.
    mutating func showAgain(at moment: Moment) -> [LayoutAction] {
        [show(shown.layout, from: shown.name, because: .command, since: moment.time), .then(.setWake)]
    }

    /// Takes over the files of a layout's sources. Prints what songs lack, unless that was printed before.
    mutating func takeSources(_ files: SourceFiles, _ next: LayoutToShow) -> [LayoutAction] {
        let news = files.lacks.filter { !sources.lacks.contains($0) }
        sources = files
        return news.map { .printLine($0) } + [.apply(next), .watch]
    }
}
