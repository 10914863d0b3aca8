import Glibc
import Media
import Threads
import WallCore

/// The layout's file of a wall that plays: loads another, reads it again. Its calls wait for files; they come on one
/// thread at a time, and never on the main thread.
final class LayoutKeeper: Sendable {
    private let wall: RunningWall
    private let options: PlayOptions
    private let record: @Sendable ([Event]) -> Void
    private let say: @Sendable (String) -> Void
    private let loaded: Monitor<Loaded>

    private struct Loaded {
        /// nil: media without a layout, or standard input.
        var path: String?
    }

    /// `record` takes events, `say` lines for the user; any thread may call either.
    init(
        _ wall: RunningWall, _ options: PlayOptions, record: @escaping @Sendable ([Event]) -> Void,
        say: @escaping @Sendable (String) -> Void
    ) {
        (self.wall, self.options, self.record, self.say) = (wall, options, record, say)
        var path: String?
        if case .layout(let name) = options.input, name != "-" { path = absolute(name) }
        loaded = Monitor(Loaded(path: path))
    }

    /// Absolute; nil: the wall plays no layout's file.
    var path: String? { loaded.locked { $0.path } }

    /// A source, as it is written in the layout; without one, as on the command line. nil: its scheme is none that is
    /// opened.
    func resolved(_ source: String) -> String? { SourceName.resolved(source, besideLayout: path) }

    /// Another layout's file takes the place of the one that plays; nil: done.
    func load(_ name: String) -> ControlError? {
        let path = absolute(name)
        guard let error = apply(path) else {
            loaded.locked { $0.path = path }
            return nil
        }
        return error
    }

    func reload() -> ControlError? { path.map(apply) ?? .commandError }

    private func apply(_ path: String) -> ControlError? {
        let began = monotonicNanoseconds()
        switch Input.layout(path).read() {
        case .layout(var layout):
            options.apply(toLater: &layout)
            let diff = wall.apply(layout, pipelines: options.pipelineCount(for: layout))
            tell(.reload(diff, milliseconds: Double(monotonicNanoseconds() - began) / 1e6))
            return nil
        case .mistakes(let mistakes, let path):
            for mistake in mistakes { say(mistake.rendered(path: path)) }
            tell(.reloadFailed(mistakes: mistakes.count))
            return .loadingFailed
        case .unreadable(let text):
            say("quadrille: \(text)")
            tell(.reloadFailed(mistakes: 1))
            return .loadingFailed
        }
    }

    private func tell(_ what: Event.What) { record([Event(at: WallRunner.now(), what: what)]) }

    func save(to name: String?) -> ControlError? { .notSupported }
}

/// From the working folder where it is relative.
private func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
}
