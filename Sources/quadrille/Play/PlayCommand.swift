import Analysis
import Base
import Commands
import Console
import Control
import Engine
import Feeds
import Glibc
import Layout
import Media
import Player
import Policy
import Screen
import Socket
import Threads
import Tools

/// `quadrille play`: a wall in a window, from the first thread to the last.
///
/// At the start, sources are opened while the window comes up. At the end it stops, in this order: the socket, the file
/// watch and the file tasks, the sound, the wall's threads, the texts, the event log, the window, the signals. It waits
/// for each at most a second; threads that are not joined by then are reported and left behind.
struct PlayCommand {
    private let options: PlayOptions
    private let start: Time
    private let test: Test?

    /// A test that the wall runs. Its keys reveal nothing, no others are added, and nothing else controls it.
    struct Test {
        /// Begins the test on the new wall.
        let begin: @Sendable (inout Wall, Time) -> Void
        /// Takes the wall with the results and the exit status, and returns the exit status to end with. Called once,
        /// by any thread.
        let end: @Sendable (LockedWall, Int32) -> Int32
    }

    init(_ options: PlayOptions, start: Int64, test: Test? = nil) {
        (self.options, self.start, self.test) = (options, Time(nanoseconds: start), test)
    }

    func run() -> Int32 {
        Failure.status {
            try Failure.checkLimits(withSound: options.hasSound)
            AddressSpace.awaitSoundServer(options.hasSound)
            shareMemoryBetweenThreads()
            let ending = try Ending()
            defer { ending.stop() }
            let signals = try Signals { _ in ending.request(status: ExitStatus.done) }
            defer { signals.stop() }
            return try run(ending)
        }
    }

    private func run(_ ending: Ending) throws -> Int32 {
        guard let first = options.content.load().map(FirstLayout.init) else { return ExitStatus.usage }
        var layout = first.layout
        if first.scheduled == nil { try options.apply(to: &layout) } else { options.apply(toLater: &layout) }
        let trace = try options.report.openTrace(
            besides: FilesInUse(layout, options.content, first.loaded.layout.schedule, songs: first.sources.songs))
        let playLog = try options.report.openLog().map { try PlayLog($0) }
        do throws(NoThread) { return try play(layout, first, trace, playLog, ending) } catch {
            _ = playLog?.stop()
            throw error
        }
    }

    private func play(
        _ layout: Layout, _ first: FirstLayout, _ trace: TraceOutput?, _ log: PlayLog?, _ ending: Ending
    ) throws(NoThread) -> Int32 {
        let eventLog = try EventLog(
            trace: trace, events: options.report.events, loudness: options.report.loudness, start: start)
        let services = ControlServices(test == nil ? options.control.reach : .none)
        let record: @Sendable ([Event]) -> Void = { events in
            eventLog.record(events)
            log?.record(events)
            guard services.mailbox.hasListeners else { return }
            events.flatMap(ControlEvent.of).forEach(services.mailbox.post)
        }
        let wall: WallThreads
        do throws(NoThread) {
            wall = try WallThreads(
                layout: layout, pipelines: layout.pipelineCount, cores: layout.coresForPipelines,
                start: Clock.Start(position: options.wall.start, rate: options.wall.rate, motion: options.run.motion),
                formats: options.window.canvas.frameFormats, record: record)
        } catch {
            eventLog.stop()
            throw error
        }
        if let test { wall.runner.change(test.begin) }
        let (files, mainTasks) = (TaskQueue("files"), MainTasks())
        wall.runner.listen { $0.layout = { mainTasks.add { $0.layoutChanged() } } }
        let keeper = LayoutKeeper(
            wall, options, first, files: files, record: record, printLine: { eventLog.record(message: $0) },
            setDisplay: { power in mainTasks.add { $0.setDisplay(power) } })
        let program = PlayingProgram(
            keeper: keeper, mainTasks: mainTasks, files: files, services: services,
            screenshots: Screenshots(runner: wall.runner, folder: options.folders.screenshots))
        let userKeys = test == nil ? UserKeys.read { eventLog.record(message: $0) } : [:]
        wall.runner.change { wall, _ in wall.boundKeys = userKeys }
        let router = CommandRouter(wall.runner, program, userKeys: userKeys)
        let wallSound = WallSound(wall.runner) { eventLog.record(message: $0) }
        wallSound.start(layout, options)
        let texts = TextMaker { ending.wake() }
        texts.lyrics.onTrouble { [runner = wall.runner] source, trouble in
            runner.change { wall, now in wall.lyricsFailed(source, trouble, at: now) }
        }
        let service = try? ServiceNotifier(wall.runner, mainTasks)
        let (start, test) = (start, test)
        let recordCounts: @Sendable (EventName) -> Void = { name in
            let (tiles, departed, mostOpen) = wall.runner.read { wall, _ in
                (wall.health, wall.healthOfDeparted, wall.mostOpen)
            }
            eventLog.record(
                .counts(name, tiles, departed: departed, mostOpen: mostOpen, programStart: start), at: Time.now)
        }
        // Ends everything but the window, on the thread that ends the program: the main thread or "ending".
        let end: @Sendable (Int32) -> (status: Int32, isWhole: Bool) = { status in
            if status == ExitStatus.displayGone { eventLog.record(message: "quadrille: the display has gone away") }
            mainTasks.onTask(nil)
            ending.onRequest(nil)
            program.onEnd(nil)
            wall.runner.listen { ($0.screen, $0.change, $0.layout) = (nil, nil, nil) }
            var missing = services.stop() + (service?.stop() ?? []) + keeper.stop() + files.stop()
            wall.runner.note(.ends)
            texts.lyrics.onTrouble(nil)
            missing += wallSound.stop() + wall.stop() + texts.stop()
            recordCounts(.end)
            XErrors.onOthers(nil)
            let logged = log?.stop() ?? .whole
            if logged == .notBack { missing.append("log") }
            for name in missing { eventLog.record(message: "quadrille: did not end in time: \(name)") }
            let isLost = (eventLog.stop() == .incomplete || logged != .whole) && status == ExitStatus.done
            let last = isLost ? ExitStatus.unwritten : status
            return (test?.end(wall.runner, last) ?? last, missing.isEmpty)
        }
        ending.prepare { end($0).status }
        // The deadline also covers a display that hangs, for which the window never opens.
        if let length = options.run.length {
            ending.expect(by: (Time.now + length + Self.longestStart).nanoseconds)
        }
        program.onEnd { ending.request(status: $0) }
        XErrors.onOthers { eventLog.record(message: $0) }
        XErrors.onLoss { ending.displayIsGone() }
        var status = ExitStatus.failed
        var window: Window?
        let loudness = options.report.loudness
        let report: @Sendable (String) -> Void = { remark in
            if loudness != .quiet { eventLog.record(message: "quadrille: \(remark)") }
        }
        do {
            try services.start(options, layout.window.input, router, wall.runner) { remark in
                if loudness == .verbose { report(remark) }
            }
            let layout = shaped(layout, wall.runner)
            let opened = try Window(
                title: layout.title, layout.window, canvas: options.window.canvas, texts: texts)
            window = opened
            let wake = opened.waker
            ending.onRequest { wake.wake() }
            wall.runner.listen { $0.screen = { wake.wake() } }
            mainTasks.onTask { wake.wake() }
            wallSound.wallIsShown()
            eventLog.record(
                .start(canvas: opened.canvasName, tiles: layout.tiles.map(\.id), pipelines: wall.pipelineCount),
                at: Time.now)
            if let remark = opened.fit.displayRemark { report(remark) }
            let statesSize = !options.wall.leavesSizeToFilms(options.content) && layout.window.fullscreen != .on
            if statesSize, let remark = opened.fit.sizeRemark { report(remark) }
            if let notice = noticeOfShortage(layout, wall) {
                wall.runner.change { wall, now in wall.show(notice, for: Self.noticeLength, at: now) }
            }
            keeper.start(layout)
            let loop = PlayLoop(
                layout: layout, options: options, window: opened, router: router, program: program,
                runner: wall.runner, ending: ending, report: report,
                recordSums: options.report.trace == nil ? nil : { recordCounts(.sums) })
            status = loop.run()
        } catch {
            printLine("quadrille: \(error)")
        }
        ending.leaveToMainThread()
        let (last, isWhole) = end(status)
        if !isWhole { _exit(last) }
        // The window is closed last: other threads wake SDL by a message to the window, and all of them have ended now.
        ending.last(status: last) {
            withExtendedLifetime(window) {}
            window = nil
        }
        return last
    }

    private static let longestStart = Time.seconds(10)
    private static let noticeLength = Time.seconds(5)

    /// Text about films that wait for a decoder, for the wall. A layout that lets tiles take turns does so on purpose.
    private func noticeOfShortage(_ layout: Layout, _ wall: WallThreads) -> String? {
        guard case .media = options.content, options.report.loudness != .quiet else { return nil }
        return PipelineShortage(layout, pipelines: wall.pipelineCount).notice
    }

    /// Waits briefly for the films' sizes. Sizes that become known later do not resize the window.
    private func shaped(_ layout: Layout, _ runner: LockedWall) -> Layout {
        guard options.wall.leavesSizeToFilms(options.content), layout.window.fullscreen != .on else { return layout }
        var layout = layout
        let deadline = Time.now + Self.longestWaitForShapes
        _ = runner.wait(until: deadline.nanoseconds) { wall, now in
            wall.snapshot(at: now).awaitsShapes ? nil : true
        }
        if let size = runner.change({ wall, _ in wall.shapeWindow() }) { layout.window.size = size }
        return layout
    }

    private static let longestWaitForShapes = Time.milliseconds(300)
}

/// Layout with which a wall begins: the loaded one, or the one that its schedule states now.
struct FirstLayout {
    let loaded: LoadedLayout
    /// The layout as it is written.
    private(set) var written: Layout
    /// The layout with its folders read.
    private(set) var layout: Layout
    let sources: CompoundSources
    private(set) var scheduled: ScheduledLayout?
    /// Scheduled layout that is wrong or missing; nil if there is none. Its mistakes have been printed.
    private(set) var refused: ScheduledLayout?

    init(_ loaded: LoadedLayout) {
        (self.loaded, written) = (loaded, loaded.layout)
        if let schedule = loaded.layout.schedule, let due = schedule.entry(at: SystemTime.now, .here),
            case .layout(let path) = schedule.entries[due].shows
        {
            let (result, file) = LayoutFile.read(path)
            if let read = result.layoutPrintingMistakes() {
                (written, scheduled) = (read, ScheduledLayout(path: path, file: file))
            } else {
                refused = ScheduledLayout(path: path, file: file, wasRead: result.wasRead)
            }
        }
        layout = written
        // Files that are there before the wall plays count as complete.
        sources = CompoundSources(expanding: &layout)
    }
}
