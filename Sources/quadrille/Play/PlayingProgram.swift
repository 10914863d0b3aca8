import Base
import Commands
import Console
import Control
import Glibc
import Layout
import Threads

/// The program around a playing wall, for the control services and the keys: its layout's file and its window.
final class PlayingProgram: ControlledProgram {
    private let keeper: LayoutKeeper
    private let mainTasks: MainTasks
    private let files: TaskQueue
    private let services: ControlServices
    private let state: Locked<State>

    private struct State {
        var facts = ProgramFacts(version: version)
        var end: (@Sendable (Int32) -> Void)?
    }

    init(keeper: LayoutKeeper, mainTasks: MainTasks, files: TaskQueue, services: ControlServices) {
        (self.keeper, self.mainTasks, self.files, self.services) = (keeper, mainTasks, files, services)
        state = Locked(State())
    }

    var facts: ProgramFacts {
        var facts = state.locked { $0.facts }
        facts.layoutPath = keeper.path
        return facts
    }

    /// Runs the tasks that other threads have for the main thread.
    func runTasks(on loop: PlayLoop) { mainTasks.run(on: loop) }

    func note(isFullscreen: Bool) {
        let isNew = state.locked { state in
            defer { state.facts.isFullscreen = isFullscreen }
            return state.facts.isFullscreen != isFullscreen
        }
        if isNew { services.propertiesChanged() }
    }

    /// Notes which input the layout allows.
    func note(_ input: WindowInput) { services.allow(input) }

    /// Notes whether a tile plays, or will play after a jump.
    func note(isPlaying: Bool) { services.note(isPlaying: isPlaying) }

    /// Sets the callback for a request to end the program. It takes the exit status.
    func onEnd(_ end: (@Sendable (Int32) -> Void)?) { state.locked { $0.end = end } }

    func quitRequested(status: Int) { state.locked { $0.end }?(Int32(clamping: status)) }

    func items(of source: String, _ take: @escaping @Sendable (Result<[Item], ControlError>) -> Void) {
        guard let location = keeper.resolved(source) else {
            let detail = SourceName.complaint(aboutSchemeOf: source) ?? "no file can be called \(source.quoted)"
            return take(.failure(ControlError(.loadingFailed, because: detail)))
        }
        // A source made of several files is read on the thread "files", which may block.
        guard PlayedSources.mayBeMadeOfFiles(location) else {
            return take(.success([Item(source: location)]))
        }
        let isTaken = files.add { [keeper] in take(.success(keeper.items(of: location))) }
        if !isTaken { take(.failure(ControlError(.loadingFailed, because: Self.ending))) }
    }

    private static let ending = "the program is ending"

    func sourcesChanged() { _ = files.add { [keeper] in keeper.watchFiles() } }

    func carryOut(_ request: CommandRequest.ProgramRequest, answer: @escaping CommandRouter.Answer) {
        switch request {
        case .loadLayout(let path): onFiles(answer) { [keeper] in keeper.load(path) }
        case .reloadLayout: onFiles(answer) { [keeper] in keeper.reload() }
        case .saveLayout(let path): onFiles(answer) { [keeper] in keeper.save(to: path) }
        case .screenshot(let path): takeScreenshot(path, answer: answer)
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

    func keyFailed(_ press: KeyPress, _ error: ControlError) {
        keeper.printLine("quadrille: key \(press.name): \(error.detail ?? error.word.rawValue)")
    }

    func dropFailed(_ source: String, _ error: ControlError) {
        let line = "\(SourceName.fileName(of: source)): \(error.detail ?? error.word.rawValue)"
        keeper.printLine("quadrille: \(line)")
        show(line)
    }

    private func onFiles(_ answer: @escaping CommandRouter.Answer, _ body: @escaping @Sendable () -> ControlError?) {
        let isTaken = files.add { answer(body().map { .failure($0) } ?? .success(nil)) }
        if !isTaken { answer(.failure(ControlError(.commandError, because: Self.ending))) }
    }

    private func takeScreenshot(_ path: String, answer: @escaping CommandRouter.Answer) {
        mainTasks.add { [self] loop in
            let (size, pixels) = loop.pixels()
            onFiles(answer) { [keeper] in
                // The source that plays must not be overwritten.
                if keeper.uses(path) {
                    return ControlError(.commandError, because: "\(path.quoted) is in use; another name would be right")
                }
                if FrameFile.write(size, pixels, to: path) { return nil }
                return ControlError(.commandError, because: "\(path.quoted) could not be written")
            }
        }
    }

    // MARK: keys

    /// Writes a screenshot to the working folder, under an unused name, and shows that name over the wall.
    func takeScreenshot(of loop: PlayLoop) {
        let (size, pixels) = loop.pixels()
        _ = files.add { [self] in
            let name = FrameFile.freeName()
            let isWritten = name.map { FrameFile.write(size, pixels, to: $0) } ?? false
            show(name.map { isWritten ? $0 : "\($0) could not be written" } ?? "no name for an image is free")
        }
    }

    func saveLayout() {
        _ = files.add { [self] in
            let error = keeper.save(to: nil)
            let name = keeper.path.map { SourceName.fileName(of: $0) }
            show(
                name.map { error == nil ? "saved to \($0)" : "\($0) could not be saved" }
                    ?? "no layout yet; quadrille ctl layout-save FILE writes one")
        }
    }

    private func show(_ text: String) { mainTasks.add { $0.show(text, for: .seconds(2)) } }

    // MARK: events

    func message(_ words: [String]) {
        services.post(ControlEvent(.clientMessage, [PropertyField("args", .list(words.map { .text($0) }))]))
    }
}
