import Base
import Commands
import Console
import Control
import Engine
import Layout
import Player
import Policy
import Scene
import Screen
import Threads

/// The main thread while the wall plays: presents due frames, handles events, sleeps in between.
final class PlayLoop {
    let window: Window
    private let runner: LockedWall
    private let program: PlayingProgram
    private let router: CommandRouter
    private var setup: WindowSetup
    private var input: UserInput
    private var overlay: Overlay
    private let pip: PictureInPicture
    private let display: DisplaySwitch
    private var budget = PresentBudget()
    private var counts: PeriodicCounts
    private var span: LoopSpan

    /// `report` prints a line on standard error. `recordSums`: nil if there is no trace.
    init(
        layout: Layout, options: PlayOptions, window: Window, router: CommandRouter, program: PlayingProgram,
        runner: LockedWall, ending: Ending, report: @escaping @Sendable (String) -> Void,
        recordSums: (() -> Void)?
    ) {
        (self.window, self.runner, self.program, self.router) = (window, runner, program, router)
        overlay = Overlay(begins: options.content)
        counts = PeriodicCounts(recordSums)
        setup = WindowSetup(layout, window, runner, report: report)
        input = UserInput(layout.window.input, of: window, router) { runner.read { wall, _ in wall.keys } }
        pip = PictureInPicture(window: window, runner: runner)
        display = DisplaySwitch(window, runner, layout.hidden, report: report)
        span = LoopSpan(ending, options.run)
    }

    /// Returns the exit status.
    func run() -> Int32 {
        let refresh = Time(nanoseconds: window.refreshInterval)
        let size = window.pixelSize
        runner.change { wall, now in
            wall.note(.refresh(every: refresh), at: now)
            wall.note(.resized(to: size), at: now)
            wall.note(.began, at: now)
        }
        span.begin()
        if setup.layout.window.fullscreen == .whilePlaying { window.setMode(.fullscreen) }
        input.begin()
        defer { display.end() }
        program.mainTasks.run(on: self)
        // Each pass presents a scene. A wake of the screen only ends the wait.
        while true {
            let began = Time.now
            let next = present()
            if let status = span.status { return status }
            let rest = budget.rest(after: began, until: Time.now)
            let deadline = [
                next, span.endsAt, counts.dueAt, input.pointerHidesAt, pip.deadline, display.deadline,
            ].compactMap { $0 }.min()
            for event in window.wait(untilNanoseconds: deadline?.nanoseconds) { take(event) }
            let soonest = min(rest, deadline ?? .distantFuture)
            if Time.now < soonest {
                Threads.sleep(until: soonest.nanoseconds)
                for event in window.wait(untilNanoseconds: soonest.nanoseconds) { take(event) }
            }
            program.mainTasks.run(on: self)
            carryOutWindowCommands()
            program.note(isFullscreen: window.mode == .fullscreen)
            if window.isGone { replaceWindow() }
            pip.update()
            display.update()
            input.hideRestingPointer()
            counts.update()
            span.update()
            if let status = span.status { return status }
        }
    }

    // MARK: presents

    /// Presents the scene that is due. Returns the time of the next present, or nil if only an event calls for one.
    private func present() -> Time? {
        followLayout()
        if display.isDark { return presentBlack() }
        var (scene, next, outlook, isMoving, instant) = runner.change { wall, now in
            let due = wall.advance(at: now)
            var scene = wall.scene(of: due, at: now)
            var next = due.next
            overlay.mark(&scene, &next, of: &wall, at: now)
            let report = wall.snapshot(at: now)
            return (scene, next, report.outlook, report.isMoving, now)
        }
        if scene.isIdle { overlay.addCard(of: setup.layout, socket: program.services.socketPath, to: &scene) }
        if let until = span.pause(outlook, setup) { return until }
        if outlook == .over, setup.layout.window.fullscreen == .whilePlaying, window.mode == .fullscreen {
            window.setMode(.windowed)
        }
        keepAwake(while: isMoving)
        guard window.present(scene) != .lost else { return Time.now + .milliseconds(10) }
        let gains = window.gains
        runner.change { wall, now in
            wall.note(.presented, at: now)
            if !gains.isEmpty { wall.note(gains: gains) }
        }
        pip.presented(scene.size)
        display.presented()
        guard let change = window.lyricsChange else { return next }
        // Sung words advance up to sixty times a second, or at the display's refresh rate if that is lower.
        let soon = instant + max(change, max(Time(nanoseconds: window.refreshInterval), Self.lyricsInterval))
        return next.map { min($0, soon) } ?? soon
    }

    private static let lyricsInterval = Time(ticks: Time.ticksPerSecond / 60)

    /// Presents black while the schedule has switched the screen off.
    private func presentBlack() -> Time? {
        keepAwake(while: false)
        let isShown = window.present(Scene(size: window.pixelSize, background: .black, views: [])) != .lost
        return isShown ? nil : Time.now + .milliseconds(10)
    }

    /// Holds the display's screensaver and the machine's suspend while a tile plays: the window does the one, logind the
    /// other (`SleepInhibitor`).
    private func keepAwake(while isMoving: Bool) {
        window.setScreensaver(isHeld: isMoving)
        program.services.note(isPlaying: isMoving)
    }

    /// Applies a new layout to the window, where the layout's window settings differ from those of the layout before.
    private func followLayout() {
        guard let (before, after) = setup.takeChange(isSmall: pip.isOn) else { return }
        if before.title != after.title { window.setTitle(after.title) }
        input.allow(after.window.input)
        program.services.allow(after.window.input)
        display.setPolicy(after.hidden)
        setup.arrangeWindow(before: before.window)
    }

    /// Handles a window that was destroyed from outside, like a close request.
    private func replaceWindow() {
        guard pip.isOn else { return span.end(ExitStatus.done) }
        do throws(ScreenTrouble) { try pip.windowIsGone() } catch {
            printLine("quadrille: \(error)")
            span.end(ExitStatus.failed)
        }
    }

    // MARK: tasks of other threads

    /// Notes that the wall has another layout, which the window follows before the next present.
    func layoutChanged() { setup.layoutChanged() }

    func setDisplay(_ power: DisplayPower) {
        display.set(power)
        runner.note(.display(isOff: power != .on))
    }

    /// Handles a key press sent over the control socket, even where the layout locks the keyboard.
    func take(_ press: KeyPress, within chain: KeyChain) {
        if let change = input.handle(press, within: chain) { apply(change) }
    }

    func escape() { apply(.program(.escape)) }

    // MARK: events and commands

    private func take(_ event: InputEvent) {
        if case .window(.resized(let size)) = event {
            runner.note(.resized(to: size))
        }
        switch event {
        case .displayIsGone: span.end(ExitStatus.displayGone)
        case .window(.minimised), .window(.hidden):
            if display.windowIsHidden() { pip.wallWasMinimised() }
        case .window(.restored), .window(.shown): display.windowIsShown()
        case .pointerMoved(let point), .pointerDown(let point, _, _):
            if input.pointerIs(at: point) { overlay.pointerMoved(to: point) }
        case .window(.pointerLeft): overlay.marks.pointer = nil
        default: break
        }
        if pip.take(event) { return }
        let changes = input.handle(event)
        if input.showsMarks { overlay.commanded() }
        for change in changes { apply(change) }
    }

    /// Makes a change that a key or the pointer asks for.
    private func apply(_ change: Change) {
        overlay.commanded()
        switch change {
        // The small window shows one tile, and stays small.
        case .focus where pip.isOn, .property("focus", _, _) where pip.isOn: return
        case .program(.escape):
            if overlay.marks.closeHelp() { return }
            router.apply(.window(.escape))
        default: router.apply(change)
        }
        carryOutWindowCommands()
    }

    /// Carries out the commands for the window, from the keyboard, the mouse and the control socket.
    private func carryOutWindowCommands() {
        for command in runner.takeWindowCommands() {
            switch command {
            case .quit(let status): span.end(Int32(clamping: status))
            case .fullscreen where pip.isOn: break
            case .fullscreen(let switching):
                window.setMode(switching.applied(to: window.mode == .fullscreen) ? .fullscreen : .windowed)
            case .escape: window.setMode(.windowed)
            case .pictureInPicture: pip.toggle()
            case .raise: window.raise()
            case .info: overlay.marks.toggleInfo()
            case .help: overlay.marks.toggleHelp()
            case .saveLayout: program.saveLayout()
            case .run(let command, let cause): router.run(command, because: cause)
            }
        }
    }
}
