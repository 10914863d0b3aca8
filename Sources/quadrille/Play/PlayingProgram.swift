import Base
import Commands
import Console
import Control
import Feeds
import Glibc
import Layout
import Threads

/// The program around a playing wall, for the control services and the keys: its layout's file and its window.
final class PlayingProgram: ControlledProgram {
    private let keeper: LayoutKeeper
    let mainTasks: MainTasks
    private let files: TaskQueue
    let services: ControlServices
    private let screenshots: Screenshots
    private let state = Locked(State())

    private struct State {
        var facts = ProgramFacts(version: version)
        var end: (@Sendable (Int32) -> Void)?
    }

    init(
        keeper: LayoutKeeper, mainTasks: MainTasks, files: TaskQueue, services: ControlServices,
        screenshots: Screenshots
    ) {
        (self.keeper, self.mainTasks, self.files, self.services) = (keeper, mainTasks, files, services)
        self.screenshots = screenshots
    }

    var facts: ProgramFacts {
        var facts = state.locked { $0.facts }
        facts.layoutPath = keeper.path
        return facts
    }

    func note(isFullscreen: Bool) {
        let was = state.locked { exchange(&$0.facts.isFullscreen, with: isFullscreen) }
        if was != isFullscreen { services.mailbox.propertiesChanged() }
    }

    /// Sets the callback for a request to end the program. It takes the exit status.
    func onEnd(_ end: (@Sendable (Int32) -> Void)?) { state.locked { $0.end = end } }

    func quitRequested(status: Int) { state.locked { $0.end }?(Int32(clamping: status)) }

    func items(of source: String, _ take: @escaping @Sendable (Result<[Item], ControlError>) -> Void) {
        guard let location = keeper.resolved(source) else { return take(.failure(Self.complaint(about: source))) }
        // A source made of several files is read on the thread "files", which may block.
        guard CompoundSources.mayBeMadeOfFiles(location) else { return take(.success([Item(source: location)])) }
        onFiles(.loadingFailed, take) { [keeper] in keeper.items(of: location) }
    }

    func file(called name: String, _ take: @escaping @Sendable (Result<String, ControlError>) -> Void) {
        guard let location = keeper.resolved(name) else { return take(.failure(Self.complaint(about: name))) }
        guard let path = SourceName.path(of: location) else { return take(.success(location)) }
        onFiles(.loadingFailed, take) { () throws(ControlError) in
            if access(path, R_OK) == 0 { return location }
            throw ControlError(.loadingFailed, because: "there is no file \(path.quoted), or it can't be read")
        }
    }

    /// Returns why a source can't be resolved.
    private static func complaint(about source: String) -> ControlError {
        let detail = SourceName.complaint(aboutSchemeOf: source) ?? "no file can be called \(source.quoted)"
        return ControlError(.loadingFailed, because: detail)
    }

    func sourcesChanged() { _ = files.add { [keeper] in keeper.watchFiles() } }

    func carryOut(
        _ request: Change.ProgramRequest, of tile: TileID?, answer: @escaping CommandRouter.Answer
    ) {
        switch request {
        case .loadLayout(let path): onFiles(answer) { [keeper] in keeper.load(path) }
        case .reloadLayout: onFiles(answer) { [keeper] in keeper.reload() }
        case .saveLayout(let path): onFiles(answer) { [keeper] in keeper.save(to: path) }
        case .screenshot(.wall, let path) where tile == nil:
            mainTasks.add { [self] loop in
                let picture = loop.window.snapshot()
                save(of: nil, to: path, answer) { picture }
            }
        case .screenshot(_, let path):
            // The frame of the tile, or of the focused one, in its own size.
            guard let tile = tile ?? screenshots.runner.read({ wall, _ in wall.focus }) else {
                return answer(.failure(ControlError(.commandError, because: "no tile has the focus")))
            }
            save(of: tile, to: path, answer) { [screenshots] () throws(ControlError) in
                try screenshots.picture(of: tile)
            }
        case .escape:
            mainTasks.add { loop in
                loop.escape()
                answer(.success(nil))
            }
        // The router carries these out.
        case .press, .bind: answer(.failure(.notSupported))
        }
    }

    func press(_ press: KeyPress, within chain: KeyChain, answer: @escaping CommandRouter.Answer) {
        mainTasks.add { loop in
            loop.take(press, within: chain)
            answer(.success(nil))
        }
    }

    func commandFailed(_ cause: String, _ error: ControlError) {
        keeper.printLine("quadrille: \(cause): \(error.detail ?? error.word.rawValue)")
    }

    func dropFailed(_ source: String, _ error: ControlError) {
        let line = "\(SourceName.fileName(of: source)): \(error.detail ?? error.word.rawValue)"
        keeper.printLine("quadrille: \(line)")
        show(line)
    }

    private func onFiles(_ answer: @escaping CommandRouter.Answer, _ body: @escaping @Sendable () -> ControlError?) {
        onFiles(.commandError, answer) { () throws(ControlError) in
            if let error = body() { throw error }
            return nil
        }
    }

    /// Has the thread "files" make an answer. `word`: kind of the error if the program is ending.
    private func onFiles<Made>(
        _ word: ControlError.Word, _ answer: @escaping @Sendable (Result<Made, ControlError>) -> Void,
        _ make: @escaping @Sendable () throws(ControlError) -> Made
    ) {
        let isTaken = files.add { answer(Result(catching: make)) }
        if !isTaken { answer(.failure(ControlError(word, because: "the program is ending"))) }
    }

    // MARK: screenshots

    /// `path`: nil for a new file among the user's pictures, whose path is shown.
    private func save(
        of tile: TileID?, to path: String?, _ answer: @escaping CommandRouter.Answer,
        _ take: @escaping @Sendable () throws(ControlError) -> Screenshots.Picture
    ) {
        onFiles(.commandError, answer) { [self] () throws(ControlError) in
            if let path {
                // The source that plays must not be overwritten.
                let words = "\(path.quoted) is in use; another name would be right"
                if keeper.uses(path) { throw ControlError(.commandError, because: words) }
                try screenshots.write(try take(), to: path)
                return nil
            }
            do throws(ControlError) {
                let file = try screenshots.save(try take(), of: tile)
                show(file)
                return .object([PropertyField("filename", .text(file))])
            } catch {
                show("no screenshot: \(error.detail ?? error.word.rawValue)")
                throw error
            }
        }
    }

    // MARK: keys

    func saveLayout() {
        _ = files.add { [self] in
            let error = keeper.save(to: nil)
            let name = keeper.path.map { SourceName.fileName(of: $0) }
            show(
                name.map { error == nil ? "saved to \($0)" : "\($0) could not be saved" }
                    ?? "no layout yet; quadrille ctl layout-save FILE writes one")
        }
    }

    private func show(_ text: String) {
        screenshots.runner.change { wall, now in wall.show(text, for: .seconds(2), at: now) }
    }

    // MARK: events

    func message(_ words: [String]) {
        services.mailbox.post(ControlEvent(.clientMessage, [PropertyField("args", .list(words.map { .text($0) }))]))
    }
}

/// Queue of tasks for the main thread, which owns the window. Any thread may add; the main thread runs them.
final class MainTasks: Sendable {
    private let state = Locked(State())

    private struct State {
        var tasks: [@Sendable (PlayLoop) -> Void] = []
        var wake: (@Sendable () -> Void)?
    }

    /// Sets the callback that wakes the main thread when a task was added; nil once the main loop has ended.
    func onTask(_ wake: (@Sendable () -> Void)?) { state.locked { $0.wake = wake } }

    func add(_ task: @escaping @Sendable (PlayLoop) -> Void) {
        state.locked { state in
            state.tasks.append(task)
            return state.wake
        }?()
    }

    func run(on loop: PlayLoop) {
        for task in state.locked({ exchange(&$0.tasks, with: []) }) { task(loop) }
    }
}
