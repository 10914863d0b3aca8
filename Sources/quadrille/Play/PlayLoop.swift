import Base
import Commands
import Console
import Control
import Engine
import Layout
import Player
import Scene
import Screen
import Threads

/// The main thread while the wall plays: presents due frames, handles events, sleeps in between.
final class PlayLoop {
    /// Layout that the window was last set up for.
    private var layout: Layout
    private let options: PlayOptions
    private let window: Window
    private let runner: WallRunner
    private let ending: Ending
    /// Prints a line on standard error.
    private let report: @Sendable (String) -> Void
    /// nil if there is no trace.
    private let recordSums: (() -> Void)?
    private var nextSums: Time?
    private let router: CommandRouter
    private let program: PlayingProgram
    private let mainTasks: MainTasks
    /// Serial number of the layout that the window was last set up for.
    private var layoutSerial = 0
    private var shownText: (text: String, until: Time)?
    private let keys: KeyTable
    private var controls: Controls
    private let pip: PictureInPicture
    /// True if a binding handled the key that is down: the character that it types is then ignored.
    private var isKeyBound = false
    private var presentedSize: Size?
    private var pointer = PointerRest()
    private var marksVisibility = MarksVisibility()
    private var skips = PresentBudget()
    private var hiding: Hiding
    private let display: DisplaySwitch
    private var end: Time?
    private var status: Int32?
    /// The window stays empty until the first frames are complete, or until this time.
    private var firstPresent: FirstPresent

    private enum FirstPresent { case waiting(until: Time), done }

    init(
        layout: Layout, options: PlayOptions, window: Window, router: CommandRouter, program: PlayingProgram,
        mainTasks: MainTasks, runner: WallRunner, ending: Ending, report: @escaping @Sendable (String) -> Void,
        recordSums: (() -> Void)?
    ) {
        self.report = report
        (self.recordSums, nextSums) = (recordSums, recordSums.map { _ in Time.now + Self.sumsInterval })
        (self.router, self.program, self.mainTasks) = (router, program, mainTasks)
        (self.layout, self.options, self.window) = (layout, options, window)
        (self.runner, self.ending) = (runner, ending)
        keys = runner.read { wall, _ in wall.keys }
        controls = Controls(input: layout.window.input, keys: keys)
        pip = PictureInPicture(window: window, runner: runner)
        hiding = Hiding(layout.hidden)
        display = DisplaySwitch(window, runner, report: report)
        firstPresent = .waiting(until: Time.now + .milliseconds(150))
    }

    /// Returns the exit status.
    func run() -> Int32 {
        let refresh = Time(nanoseconds: window.refreshInterval)
        let size = window.pixelSize
        runner.change { wall, now in
            wall.player.setRefreshInterval(refresh)
            wall.player.resize(to: size, at: now)
            wall.player.begin(at: now)
        }
        end = options.length.map { Time.now + $0 }
        if let end { ending.expect(by: end.nanoseconds) }
        if layout.window.fullscreen == .whilePlaying { window.setMode(.fullscreen) }
        if layout.window.input == .none { window.setPointer(.hidden) }
        defer { display.end() }
        mainTasks.run(on: self)
        while true {
            let began = Time.now
            let next = present()
            if let status { return status }
            let rest = skips.rest(after: began, until: Time.now)
            let deadline = [next, end, nextSums, pointer.hidesAt, pip.deadline, display.deadline, shownText?.until]
                .compactMap { $0 }.min()
            for event in window.wait(untilNanoseconds: deadline?.nanoseconds) { take(event) }
            let soonest = min(rest, deadline ?? .distantFuture)
            if Time.now < soonest {
                Threads.sleep(until: soonest.nanoseconds)
                for event in window.wait(untilNanoseconds: soonest.nanoseconds) { take(event) }
            }
            mainTasks.run(on: self)
            carryOutWindowCommands()
            program.note(isFullscreen: window.mode == .fullscreen)
            if window.isGone { replaceWindow() }
            pip.look()
            display.look(&hiding)
            if pointer.isToHide(at: Time.now) { window.setPointer(.hidden) }
            if let asked = ending.status { status = status ?? asked }
            noteSums()
            if let end, Time.now >= end { status = status ?? ExitStatus.done }
            if let status { return status }
        }
    }

    /// Interval of the counts in the trace; a power cut loses no more than this.
    private static let sumsInterval = Time.seconds(600)

    private func noteSums() {
        guard let due = nextSums, Time.now >= due else { return }
        recordSums?()
        nextSums = Time.now + Self.sumsInterval
    }

    /// Presents what is due. Returns the time of the next present, or nil if only an event calls for one.
    private func present() -> Time? {
        followLayout()
        if display.isDark { return presentBlack() }
        var (scene, next, outlook, isMoving, instant) = runner.change { wall, now in
            var (scene, next) = wall.scene(at: now)
            let (visible, change) = marksVisibility.visibility(at: now)
            let marked = wall.mark(&scene, visible, at: now)
            next = [next, change, marked].compactMap { $0 }.min()
            let report = OutlookReport(wall.player.snapshot(at: now))
            return (scene, next, report.outlook, report.isMoving, now)
        }
        if let (text, until) = shownText {
            if Time.now >= until { shownText = nil } else { scene.showNotice(text) }
        }
        if outlook == .barren, givesUp() { return nil }
        if case .waiting(let until) = firstPresent {
            if outlook == .incomplete, Time.now < until { return until }
            firstPresent = .done
        }
        if outlook == .over, layout.window.fullscreen == .whilePlaying, window.mode == .fullscreen {
            window.setMode(.windowed)
        }
        window.setScreensaver(isMoving ? .held : .allowed)
        guard window.present(scene) != .lost else { return Time.now + .milliseconds(10) }
        runner.change { wall, now in wall.player.presented(at: now) }
        pip.presented(presentedSize == scene.size ? .same : .resized)
        display.presented()
        presentedSize = scene.size
        guard let change = window.lyricsChange else { return next }
        // Sung words advance up to sixty times a second, or at the display's refresh rate if that is lower.
        let soon = instant + max(change, max(Time(nanoseconds: window.refreshInterval), Self.lyricsInterval))
        return next.map { min($0, soon) } ?? soon
    }

    private static let lyricsInterval = Time(ticks: Time.ticksPerSecond / 60)

    /// Presents black while the schedule has switched the screen off.
    private func presentBlack() -> Time? {
        window.setScreensaver(.allowed)
        let isShown = window.present(Scene(size: window.pixelSize, background: .black, views: [])) != .lost
        return isShown ? nil : Time.now + .milliseconds(10)
    }

    func setDisplay(_ power: DisplaySwitch.Power) {
        switch power {
        case .off(let cec): display.switchOff(cec: cec, &hiding)
        case .on: display.switchOn(&hiding)
        }
        runner.change { wall, now in wall.player.noteDisplay(isOff: power != .on, at: now) }
    }

    /// Shows a text over the wall.
    func show(_ text: String, for length: Time) { shownText = (text, Time.now + length) }

    /// Returns only once the display has answered.
    func confirmDisplay() { window.confirmDisplay() }

    /// Size and pixels of the canvas.
    func pixels() -> (Size, [UInt32]) { window.snapshot() }

    /// Applies a new layout to the window, where the layout's window settings differ from those of the layout before.
    private func followLayout() {
        let changed = runner.read { [layoutSerial] wall, _ in
            wall.player.layoutSerial == layoutSerial ? nil : (wall.player.layoutSerial, wall.layout)
        }
        guard let (serial, new) = changed, !pip.isOn || layoutSerial == 0 else { return }
        defer { (layout, layoutSerial) = (new, serial) }
        if layoutSerial == 0 { return }
        let (before, after) = (layout.window, new.window)
        if layout.title != new.title { window.setTitle(new.title) }
        if before.input != after.input {
            controls = Controls(input: after.input, keys: keys)
            window.setPointer(after.input == .all ? .shown : .hidden)
        }
        hiding.policy = new.hidden
        let border = WindowFit.Border(after)
        if before.isBorderless != after.isBorderless { window.setBorder(border) }
        if before.fullscreen != after.fullscreen { window.setMode(after.fullscreen == .off ? .windowed : .fullscreen) }
        guard window.mode == .windowed else { return }
        let fit = window.fit(after.size, border, onDisplay: after.display)
        if before.size != after.size {
            window.resize(to: fit)
            if let remark = fit.sizeRemark { report(remark) }
        }
        if before.position != after.position || before.display != after.display {
            window.move(to: after.position, fit)
            if before.display != after.display, let remark = fit.displayRemark { report(remark) }
        }
    }

    /// Handles a window that was destroyed from outside, like a close request.
    private func replaceWindow() {
        guard pip.isOn else {
            status = ExitStatus.done
            return
        }
        do throws(ScreenTrouble) { try pip.windowIsGone() } catch {
            printLine("quadrille: \(error)")
            status = ExitStatus.failed
        }
    }

    /// True if nothing could be played and all sources are on this machine. Reports that and sets the exit status.
    private func givesUp() -> Bool {
        let sources = layout.playingTiles.flatMap { $0.play.flatMap { $0.segments.map(\.source) } }
        // Only the layout that the wall was started with counts, not layouts loaded later.
        guard !options.waitsForSources, !options.isIdle, layoutSerial == 1,
            !sources.contains(where: { SourceName.path(of: $0) == nil })
        else { return false }
        printLine("quadrille: nothing could be played; with --wait the program keeps trying")
        status = ExitStatus.failed
        return true
    }

    private func take(_ event: InputEvent) {
        if case .window(.resized(let size)) = event {
            runner.change { wall, now in wall.player.resize(to: size, at: now) }
        }
        switch event {
        case .displayIsGone: status = ExitStatus.displayGone
        case .window(.minimised), .window(.hidden):
            let wasPlaying = runner.change { wall, now in
                defer { hiding.hide(&wall, at: now) }
                return OutlookReport(wall.player.snapshot(at: now)).isMoving
            }
            if wasPlaying { pip.wallWasMinimised() }
        case .window(.restored), .window(.shown):
            runner.change { wall, now in hiding.show(&wall, at: now) }
        case .pointerMoved(let point), .pointerDown(let point, _, _):
            let stir = pointer.pointer(at: point, Time.now)
            if stir == .cameBack, layout.window.input == .all { window.setPointer(.shown) }
            if stir != .none, layout.window.input == .all {
                marksVisibility.touched(at: Time.now)
                marksVisibility.pointer = point
            }
        case .window(.pointerLeft): marksVisibility.pointer = nil
        default: break
        }
        if pip.take(event) { return }
        // Bound keys also work where the layout locks every other key.
        switch event {
        case .keyDown(let key, let modifiers, let press):
            isKeyBound = router.runBinding(of: KeyPress(key, modifiers), isRepeated: press == .repeated)
            if isKeyBound { return }
        case .typed(let key, let by, let press):
            if isKeyBound, by != nil { return }
            if router.runBinding(of: KeyPress(key, []), isRepeated: press == .repeated) { return }
        default: break
        }
        for command in controls.commands(for: event) { carryOut(command) }
    }

    /// Handles a key press sent over the control socket, even where the layout locks the keyboard.
    func take(_ press: KeyPress, within chain: KeyChain) {
        if router.runBinding(of: press, within: chain) { return }
        if let command = keys.command(for: press.key, press.modifiers, isRepeated: false) { carryOut(command) }
    }

    private func carryOut(_ command: Command) {
        marksVisibility.commanded(at: Time.now)
        switch command {
        // The small window shows one tile, and stays small.
        case .focus where pip.isOn: return
        case .window(.escape) where marksVisibility.closeHelp() == .closed: return
        default: runner.change { wall, now in _ = wall.carryOut(command, at: now) }
        }
        carryOutWindowCommands()
    }

    /// Carries out the commands for the window, from the keyboard, the mouse and the control socket.
    private func carryOutWindowCommands() {
        for command in runner.takeWindowCommands() {
            switch command {
            case .quit(let status): self.status = Int32(clamping: status)
            case .fullscreen where pip.isOn: break
            case .fullscreen(let switching):
                window.setMode(switching.applied(to: window.mode == .fullscreen) ? .fullscreen : .windowed)
            case .escape: window.setMode(.windowed)
            case .pictureInPicture: pip.toggle()
            case .info: marksVisibility.toggleInfo()
            case .help: marksVisibility.toggleHelp()
            case .showText(let text, let length): show(text, for: length)
            case .screenshot: program.takeScreenshot(of: self)
            case .saveLayout: program.saveLayout()
            }
        }
    }
}
