import Control
import Files
import Glibc
import Media
import Screen
import Threads
import WallCore

/// `quadrille play`: a wall in a window, from the first thread to the last.
///
/// Start: sources are being opened while the window comes up. End, in this order: the socket, the watch and what was
/// asked of files, the sound, the wall's threads, the texts, the window, the chronicle, the signals. None of them is
/// waited for longer than a second; what is not back by then is named and left behind.
struct PlayCommand {
    private var options: PlayOptions
    private let start: Time

    init(_ options: PlayOptions, start: Int64) {
        (self.options, self.start) = (options, Time(nanoseconds: start))
    }

    mutating func run() -> Int32 {
        if case .layout(let path) = options.input, path != "-" { options.layoutFile = FileIdentity(path: path) }
        guard var layout = options.input.layout() else { return ExitStatus.usage }
        do throws(UsageMistake) {
            try options.apply(to: &layout)
        } catch {
            say("quadrille: \(error.text)")
            return ExitStatus.usage
        }
        var trace: Int32?
        if let path = options.trace {
            let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
            guard file >= 0 else {
                say("quadrille: --trace \(path): \(String(cString: strerror(errno)))")
                return ExitStatus.usage
            }
            trace = file
        }
        do throws(NoStart) {
            return try play(layout, trace: trace)
        } catch {
            say("quadrille: \(error.what)")
            return ExitStatus.failed
        }
    }

    private func play(_ layout: Layout, trace: Int32?) throws(NoStart) -> Int32 {
        try NoStart.checkLimits()
        shareMemoryBetweenThreads()
        let ending = Monitor(EndRequest())
        let signals = try Signals {
            ending.locked { state -> (@Sendable () -> Void)? in
                state.isAsked = true
                return state.wake
            }?()
        }
        defer { signals.stop() }
        let chronicle = try NoStart.wrapping { () throws(NoThread) in
            try Chronicle(
                file: trace, events: options.traceEvents, loudness: options.loudness, start: start)
        }
        XErrors.onOthers { chronicle.record(message: $0) }
        let (status, missing) = play(layout, chronicle, ending)
        XErrors.onOthers(nil)
        for name in missing { chronicle.record(message: "quadrille: not waited for: \(name)") }
        chronicle.stop()
        if !missing.isEmpty { _exit(status) }
        return status
    }

    /// The exit status, and the threads that were not back in time.
    private func play(
        _ layout: Layout, _ chronicle: Chronicle, _ ending: Monitor<EndRequest>
    ) -> (status: Int32, missing: [String]) {
        let sounding = Sounding { chronicle.record(message: $0) }
        let control = Monitor<PlayingProgram?>(nil)
        let record: @Sendable ([Event]) -> Void = { events in
            chronicle.record(events)
            guard let program = control.locked({ $0 }), program.hasListeners else { return }
            for event in events.flatMap(ControlEvent.of) { program.post(event) }
        }
        let wall: RunningWall
        do throws(NoThread) {
            wall = try RunningWall(
                layout: layout, pipelines: options.pipelineCount(for: layout), cores: options.cores(for: layout),
                start: Clock.Start(position: options.start, rate: options.rate, motion: options.motion),
                formats: options.canvas.pictureFormats, record: record)
        } catch {
            say("quadrille: \(error)")
            return (ExitStatus.failed, [])
        }
        let (files, mainTasks) = (TaskQueue("files"), MainTasks())
        let keeper = LayoutKeeper(wall, options, record: record, say: { chronicle.record(message: $0) })
        let program = PlayingProgram(keeper: keeper, mainTasks: mainTasks, files: files)
        control.locked { $0 = program }
        let router = CommandRouter(wall.runner, program)
        sounding.start(layout, options, wall.runner)
        let texts = TextMaker { ending.locked({ $0.wake })?() }
        var status = ExitStatus.failed
        var window: Window?
        do {
            try serve(router, program, wall.runner)
            let opened = try Window(
                spec: WindowSpec(layout.window, title: layout.title), canvas: options.canvas, texts: texts)
            window = opened
            let wake = opened.waker
            ending.locked { $0.wake = { wake.wake() } }
            wall.runner.onScreenChange { wake.wake() }
            mainTasks.onTask { wake.wake() }
            sounding.wallIsShown()
            chronicle.record(
                .start(canvas: opened.canvasName, tiles: layout.tiles.map(\.id), pipelines: wall.pipelineCount),
                at: WallRunner.now())
            keeper.startWatching(files)
            let loop = PlayLoop(
                layout: layout, options: options, window: opened, router: router, program: program,
                mainTasks: mainTasks, runner: wall.runner, isEndAsked: { ending.locked { $0.isAsked } })
            status = loop.run()
            mainTasks.onTask(nil)
            ending.locked { $0.wake = nil }
            wall.runner.onScreenChange {}
        } catch {
            say("quadrille: \(error)")
        }
        wall.runner.onChange(nil)
        control.locked { $0 = nil }
        var missing = program.stop() == .stillRunning ? ["control"] : []
        missing += keeper.stop()
        if files.stop() == .stillRunning { missing.append("files") }
        missing += sounding.stop() + wall.stop()
        if texts.stop() == .stillRunning { missing.append("texts") }
        // The window goes only now: SDL wakes it by a message to it, and nobody is left who might send one.
        withExtendedLifetime(window) {}
        window = nil
        let (tiles, departed, mostOpen) = wall.runner.change { wall, _ in
            (wall.health, wall.healthOfDeparted, wall.mostOpen)
        }
        chronicle.record(
            .end(tiles, departed: departed, mostOpen: mostOpen, programStart: start), at: WallRunner.now())
        return (status, missing)
    }

    /// The control socket, where one is asked for.
    private func serve(
        _ router: CommandRouter, _ program: PlayingProgram, _ runner: WallRunner
    ) throws(ControlSocketTrouble) {
        guard let path = options.ipc else { return }
        program.serve(try ControlSocket(path: path, target: router))
        runner.onChange { if program.hasListeners { program.propertiesChanged() } }
    }

    private struct EndRequest {
        var isAsked = false
        var wake: (@Sendable () -> Void)?
    }
}

extension WindowSpec {
    init(_ layout: WindowLayout, title: String) {
        self.init(title: title, size: layout.size)
        (position, display) = (layout.position, layout.display)
        mode = layout.fullscreen == .on ? .fullscreen : .windowed
        frame = layout.isBorderless ? .borderless : .decorated
    }
}
