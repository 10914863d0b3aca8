import Analysis
import Base
import Commands
import Console
import Engine
import Feeds
import Files
import Glibc
import Layout
import Player
import Policy
import Threads

/// Keeps the files of a wall's layouts: reads them, has `LayoutPolicy` decide, applies what follows, and writes changes
/// into the file of the layout that is shown.
///
/// - The main thread calls `init` and `start`. The thread that ends the program calls `stop`.
/// - The thread "files" reads and writes: only its tasks call `load`, `reload`, `save`, `uses` and `items`, and only they
///   decide changes that need files. It calls `watchFiles`, which `start` calls for the first layout.
/// - The thread "watch" reports changed files. The thread "schedule" reports that an instant has come, and switches the
///   display without waiting for the thread "files".
/// - Any thread may call `path` and `resolved`.
///
/// Each thread hands its changes to the policy with the lock held, and carries out the answers without it. The state is
/// in one `Locked`.
final class LayoutKeeper: Sendable {
    private let wall: WallThreads
    private let options: PlayOptions
    let printLine: @Sendable (String) -> Void
    private let files: TaskQueue
    private let record: @Sendable ([Event]) -> Void
    private let setDisplay: @Sendable (DisplayPower) -> Void
    private let state: Locked<State>

    private struct State {
        var policy: LayoutPolicy
        /// nil before `start` and after `stop`, and if the system has no thread for it.
        var watch: FileWatch?
        /// nil before `start` and after `stop`.
        var timer: CalendarTimer?
        var shortage = ShortageMessage()
    }

    /// `first`: the layout that `wall` plays. `files`: queue of the tasks that may wait for files. `record` takes
    /// events, `printLine` lines for the user, `setDisplay` the power of the display. Any thread may call these.
    init(
        _ wall: WallThreads, _ options: PlayOptions, _ first: FirstLayout, files: TaskQueue,
        record: @escaping @Sendable ([Event]) -> Void,
        printLine: @escaping @Sendable (String) -> Void, setDisplay: @escaping @Sendable (DisplayPower) -> Void
    ) {
        (self.wall, self.options, self.files) = (wall, options, files)
        (self.record, self.printLine, self.setDisplay) = (record, printLine, setDisplay)
        let policy = LayoutPolicy(
            first.loaded, scheduled: first.scheduled, refused: first.refused, shown: first.written,
            sources: first.sources.files, saves: options.run.watchesLayout ? .followed : .ignored)
        state = Locked(State(policy: policy))
        first.sources.files.lacks.forEach(printLine)
    }

    // MARK: start and stop

    /// Starts to watch files and to follow the schedule of the loaded layout. `layout`: the layout that is shown.
    func start(_ layout: Layout) {
        reportShortage(layout)
        if let watch = try? FileWatch(changed: { [self] in handle(.fileChanged($0, $1)) }) {
            state.locked { $0.watch = watch }
            watchFiles()
        } else {
            printLine("quadrille: files are not watched: the system has no thread for it")
        }
        let timer = CalendarTimer("schedule") { [self] in handle(.instantCame) }
        state.locked { $0.timer = timer }
        handle(.started)
    }

    /// Stops the timer and the watch. Returns the names of the threads that have not ended in time.
    func stop() -> [String] {
        let (watch, timer) = state.locked { state in
            defer { (state.watch, state.timer) = (nil, nil) }
            return (state.watch, state.timer)
        }
        return (timer?.stop() ?? []) + (watch?.stop(within: 1_000_000_000) ?? [])
    }

    // MARK: names

    /// Absolute path of the layout that is shown; nil if the wall plays no layout's file.
    var path: String? { shownName.map(WorkingFolder.current.absolute) }

    private var shownName: String? { state.locked { $0.policy.shownName } }

    /// Resolves a source as it is written in the layout, or without a layout as on the command line. nil if no file has
    /// this name.
    func resolved(_ source: String) -> String? { SourceName.resolved(source, besideLayout: shownName) }

    /// Returns the items of a source, as in a sequence.
    func items(of location: String) -> [Item] {
        var layout = Layout.ofMedia([location])
        CompoundSources(expanding: &layout).files.lacks.forEach(printLine)
        return layout.tiles[0].play
    }

    /// Returns true if the file is a layout of the wall, or one that the wall reads.
    func uses(_ name: String) -> Bool {
        guard let file = FileIdentity(path: name) else { return false }
        let played = wall.runner.read { wall, now in wall.snapshot(at: now).files.union(wall.layout.files) }
        return (state.locked { $0.policy.playedNames } + played).contains { FileIdentity(path: $0) == file }
    }

    // MARK: commands

    /// Loads another layout's file in place of the loaded one. Returns nil if that succeeds.
    func load(_ name: String) -> ControlError? { handle(.loadAsked(name)) }

    /// Reads the loaded layout and the one that is shown again. Returns nil if that succeeds.
    func reload() -> ControlError? { handle(.reloadAsked) }

    /// Writes changes by hand and command-line options into the layout's file, or a copy with them into file `name`.
    /// Returns nil if this succeeds.
    func save(to name: String?) -> ControlError? {
        let path = path
        guard let target = name.map(WorkingFolder.current.absolute) ?? path else {
            return ControlError(
                .commandError, because: "no layout file is loaded; layout-save FILE writes one")
        }
        if target != path, let reason = LayoutToSave.reasonNotToReplace(target) {
            return ControlError(.commandError, because: reason)
        }
        let saved = wall.runner.read { wall, _ in LayoutToSave(wall) }
        do {
            let layout = try saved.bytes(from: path, to: target, options)
            let file = try FileReplacement.write(layout, to: target) { file in
                state.locked { $0.watch }?.ignore(file)
            }
            noteSaved(file, at: target, layout)
            return nil
        } catch {
            let isEmpty = path == nil && error is LayoutPatchTrouble
            let detail = isEmpty ? "the wall plays nothing that a layout could hold" : "\(target): \(error)"
            printLine("quadrille: layout-save \(detail)")
            return ControlError(.commandError, because: detail)
        }
    }

    /// Watches the files that the wall plays now.
    func watchFiles() {
        guard let watch = state.locked({ $0.watch }) else { return }
        let played = wall.runner.read { wall, now in wall.snapshot(at: now).files }
        let folder = WorkingFolder.current
        watch.watch(state.locked { $0.policy.watchedFiles(playing: played, in: folder) })
    }

    /// Notes that a layout was written to the file at `path`, which is absolute.
    private func noteSaved(_ file: FileIdentity, at path: String, _ bytes: [UInt8]) {
        let folder = WorkingFolder.current
        let name = state.locked { $0.policy.loadedName(at: path, in: folder) }
        var layout: Layout?
        if let name, case .layout(let saved) = LayoutReader.read(bytes, path: name) { layout = saved }
        handle(.writtenByProgram(path, file, layout: layout))
    }

    // MARK: decisions

    /// Decides a change, and carries out what follows. Returns the error for a command that has failed.
    @discardableResult
    private func handle(_ change: LayoutChange) -> ControlError? {
        // The schedule is followed in the system's present time zone. Reading it may wait for a file.
        if change.needsFiles { SystemTime.followZone() }
        var error: ControlError?
        for action in decide(change) {
            if case .fail(let reason) = action { error = reason }
            carryOut(action)
        }
        return error
    }

    /// Reads all that the policy needs for a decision, with nothing locked.
    private func decide(_ change: LayoutChange) -> [LayoutAction] {
        let began = Time.now
        var read = LayoutRead()
        while true {
            let moment = LayoutPolicy.Moment(SystemTime.now, .here, began, in: .current)
            let decision = state.locked { state in
                Result { () throws(LayoutRead.Missing) in try state.policy.decide(change, read, at: moment) }
            }
            switch decision {
            case .success(let actions): return actions
            case .failure(let missing): take(missing, &read)
            }
        }
    }

    private func take(_ missing: LayoutRead.Missing, _ read: inout LayoutRead) {
        switch missing {
        case .layout(let name):
            let (result, file) = LayoutFile.read(name)
            read.note(result, file, of: name)
        case .identity(let path): read.note(FileIdentity(path: path), of: path)
        case .sources(var layout, let name):
            let sources = CompoundSources(expanding: &layout, quiet: LayoutPolicy.mediaQuiet)
            read.note(layout, sources.files, of: name)
        case .source(let paths, .folder):
            read.note(paths.contains { MediaFolder(path: $0, depth: 0) != nil }, among: paths)
        case .source(let paths, .folderOrSong):
            read.note(paths.contains(where: CompoundSources.isMadeOfFiles), among: paths)
        }
    }

    private func carryOut(_ action: LayoutAction) {
        switch action {
        case .apply(let layout, let cause, let began): apply(layout, because: cause, began: began)
        case .watch: watchFiles()
        case .wake(let instant): setTimer(to: instant)
        case .setDisplay(let power): setDisplay(power)
        case .playBreak(let name): wall.runner.change { wall, now in _ = wall.apply(.breakIsDue(name), at: now) }
        case .forgetFacts(let path): wall.runner.change { wall, now in wall.fileChanged(path, at: now) }
        case .printLine(let line): printLine(line)
        case .emit(let what): emit(what)
        case .fail: break
        case .onFiles(let change): _ = files.add { [self] in handle(change) }
        }
    }

    private func apply(_ next: Layout, because cause: ItemBeginning, began: Time) {
        var layout = next
        options.apply(toLater: &layout)
        let diff = wall.apply(layout, pipelines: layout.pipelineCount, cores: layout.coresForPipelines, because: cause)
        emit(.reload(diff, milliseconds: Double((Time.now - began).nanoseconds) / 1e6))
        reportShortage(layout)
    }

    /// Prints how many tiles of the layout have to wait for others.
    private func reportShortage(_ layout: Layout) {
        let pipelines = wall.pipelineCount
        let message = state.locked { $0.shortage.next(layout, pipelines: pipelines) }
        if let message, options.report.loudness != .quiet { printLine("quadrille: \(message)") }
    }

    /// Sets the timer with the lock held: `stop` takes the timer from the state first, so a stopped timer is never
    /// reported as one without a thread.
    private func setTimer(to instant: Int?) {
        if state.locked({ $0.timer?.set(instant) }) == false {
            printLine("quadrille: the schedule is not followed: the system has no thread for it")
        }
    }

    private func emit(_ what: Event.What) { record([Event(at: Time.now, what: what)]) }
}

extension WorkingFolder {
    /// The working folder, by the path that it has now.
    static var current: WorkingFolder { WorkingFolder(workingFolder()) }
}
