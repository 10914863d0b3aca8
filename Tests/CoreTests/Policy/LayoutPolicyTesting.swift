import Commands

@testable import Base
@testable import Layout
@testable import Player
@testable import Policy

/// The shell of a layout policy without threads and files: files are a table, and time is set.
struct PolicyShell {
    /// Content of a file, with the number of its version.
    enum File {
        case layout(Layout, Int64)
        case wrong(Int64)
        /// The system refuses the file.
        case locked(Int64)
    }

    private(set) var policy: LayoutPolicy
    var files: [String: File] = [:]
    /// Missing songs and folders of the layout that is read next, and folders that can be opened.
    var sources = SourceFiles()
    var openable: Set<String> = []
    /// Seconds since 1970. Local time is UTC.
    var now: Int
    /// True while the thread that reads files is held up.
    var isWorkerStuck = false
    private(set) var wake: Int?
    /// Everything the policy asked for since the last `take`, except `wake` and `watch`.
    private(set) var told: [String] = []
    /// Changes for the thread that reads files.
    private var later: [LayoutChange] = []

    static let folder = WorkingFolder("/walls")

    /// The wall plays the layout of `wall.json`, or the scheduled one that is due.
    init(
        _ layout: Layout, at now: Int, scheduled: ScheduledLayout? = nil, shown: Layout? = nil,
        saves: LayoutPolicy.Saves = .followed
    ) {
        let loaded = LoadedLayout(name: "wall.json", file: Self.identity(1), layout: layout)
        policy = LayoutPolicy(
            loaded, scheduled: scheduled, refused: nil, shown: shown ?? layout, sources: SourceFiles(), saves: saves)
        (files["wall.json"], self.now) = (.layout(layout, 1), now)
        _ = send(.started)
        told = []
    }

    static func identity(_ version: Int64) -> FileIdentity {
        FileIdentity(device: 1, inode: 1, size: 1, modified: version)
    }

    /// Hands a change in. Returns the error for the client that asked.
    mutating func send(_ change: LayoutChange) -> ControlError? {
        let error = handle(change)
        if !isWorkerStuck { takeLater() }
        return error
    }

    /// Lets the thread that reads files go on. Returns what was told.
    mutating func releaseWorker() -> [String] {
        isWorkerStuck = false
        takeLater()
        return take()
    }

    private mutating func takeLater() { while !later.isEmpty { _ = handle(later.removeFirst()) } }

    /// Sets the time, and calls the policy if it asked for a call by then. Returns what was told.
    mutating func pass(to instant: Int) -> [String] {
        now = instant
        if let due = wake, now >= due {
            wake = nil
            _ = send(.instantCame)
        }
        return take()
    }

    /// Writes a file, and reports it as the watch does. Returns what was told.
    mutating func save(_ file: File, at name: String) -> [String] {
        files[name] = file
        _ = send(.fileChanged(Self.folder.absolute(name), Self.identity(file.version)))
        return take()
    }

    /// Returns and clears what was told.
    mutating func take() -> [String] {
        defer { told = [] }
        return told
    }

    func known(_ path: String) -> WatchedFile.Known? {
        policy.watchedFiles(playing: [], in: Self.folder).first { $0.path == path }?.known
    }

    private mutating func handle(_ change: LayoutChange) -> ControlError? {
        var error: ControlError?
        for action in decide(change) {
            if case .fail(let reason) = action { error = reason }
            carryOut(action)
        }
        return error
    }

    private mutating func decide(_ change: LayoutChange) -> [LayoutAction] {
        let moment = LayoutPolicy.Moment(now, LocalTime { _ in 0 }, .seconds(Int64(now)), in: Self.folder)
        var read = LayoutRead()
        for _ in 0..<Self.mostReads {
            do throws(LayoutRead.Missing) { return try policy.decide(change, read, at: moment) } catch {
                self.read(error, &read)
            }
        }
        preconditionFailure("the policy asks for one file again and again")
    }

    private static let mostReads = 10

    private mutating func read(_ missing: LayoutRead.Missing, _ read: inout LayoutRead) {
        switch missing {
        case .layout(let name):
            told.append("read \(name)")
            read.note(result(of: name), files[name].map { Self.identity($0.version) }, of: name)
        case .identity(let name): read.note(files[name].map { Self.identity($0.version) }, of: name)
        case .sources(let layout, let name): read.note(layout, sources, of: name)
        case .source(let paths, _): read.note(!paths.isDisjoint(with: openable), among: paths)
        }
    }

    private mutating func carryOut(_ action: LayoutAction) {
        switch action {
        case .apply(let layout, let cause, _):
            told.append("apply \(layout.tiles[0].play[0].segments[0].source) \(cause)")
        case .wake(let instant): wake = instant
        case .setDisplay(let power): told.append("display \(power)")
        case .playBreak(let name): told.append("break \(name)")
        case .forgetFacts(let path): told.append("forget \(path)")
        case .printLine(let line): told.append("print \(line)")
        case .emit(.reloadFailed(let mistakes)): told.append("reload failed: \(mistakes)")
        case .emit(.schedule(let change)):
            told.append("schedule \(change.entry ?? "-")\(change.isDone ? "" : ", not shown")")
        case .emit, .watch, .fail: break
        case .onFiles(let change): later.append(change)
        }
    }

    private func result(of name: String) -> LayoutFileResult {
        switch files[name] {
        case .layout(let layout, _): .layout(layout)
        case .wrong:
            .mistakes(
                Mistakes(
                    listed: [Mistake(at: TextPosition(line: 1, column: 2), place: "tiles", text: "wrong")], count: 3),
                path: name)
        case .locked: .unreadable("\(name): locked")
        case nil: .unreadable("\(name): gone")
        }
    }
}

extension PolicyShell.File {
    var version: Int64 {
        switch self {
        case .layout(_, let version), .wrong(let version), .locked(let version): version
        }
    }
}

extension Layout {
    /// Returns a layout that plays one film, with a schedule or breaks.
    static func playing(_ film: String, _ entries: [Schedule.Entry] = [], breaks: [BreakLayout] = []) -> Layout {
        var layout = Layout.ofMedia([film])
        layout.schedule = entries.isEmpty ? nil : Schedule(entries: entries)
        layout.breaks = breaks
        return layout
    }
}

extension Schedule.Entry {
    static func night(_ from: Int, _ to: Int, _ shows: Schedule.Shows = .layout("night.json")) -> Schedule.Entry {
        Schedule.Entry(name: "night", from: from, to: to, shows: shows)
    }
}
