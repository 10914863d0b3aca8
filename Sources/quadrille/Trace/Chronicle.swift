import Glibc
import Threads
import WallCore

/// Writes down what happened: the trace to its file, troubles to standard error.
///
/// Any thread may record; that only stores. A thread of its own writes, since a file or a pipe can block.
final class Chronicle: Sendable {
    private let state: Monitor<State>
    private let bell = Bell()
    private let worker: Worker

    private struct State {
        var lines: [String] = []
        var messages: [String] = []
        var isStopping = false
        /// So that a reader that hangs costs lines, not memory.
        static let most = 100_000
    }

    private let file: Int32?
    private let events: TraceEvents
    private let loudness: PlayOptions.Loudness
    private let tiles: [String]
    private let start: Time

    /// `file` is closed at the end.
    init(file: Int32?, events: TraceEvents, loudness: PlayOptions.Loudness, tiles: [String], start: Time) {
        let state = Monitor(State())
        let bell = bell
        (self.state, self.file, self.events, self.loudness) = (state, file, events, loudness)
        (self.tiles, self.start) = (tiles, start)
        worker = Worker("chronicle") {
            while let (lines, messages) = Chronicle.next(state, bell) {
                for message in messages { say(message) }
                if let file, !lines.isEmpty {
                    writeAll(Array((lines.joined(separator: "\n") + "\n").utf8), to: file)
                }
            }
        }
    }

    private static func next(_ state: Monitor<State>, _ bell: Bell) -> ([String], [String])? {
        state.wait(on: bell) { state in
            if !state.lines.isEmpty || !state.messages.isEmpty {
                defer { (state.lines, state.messages) = ([], []) }
                return .done((state.lines, state.messages))
            }
            return state.isStopping ? .done(nil) : .again(deadline: nil)
        }
    }

    func record(_ happened: [Event]) {
        var lines: [String] = []
        var messages: [String] = []
        for event in happened {
            if file != nil {
                let line = TraceLine.of(event.what, tiles: tiles, since: start)
                if events.contains(line.name) { lines.append(line.rendered(at: event.at, since: start)) }
            }
            if let message = message(of: event.what) { messages.append(message) }
        }
        add(lines, messages)
    }

    func record(_ line: TraceLine, at wall: Time) {
        if file != nil, events.contains(line.name) { add([line.rendered(at: wall, since: start)], []) }
    }

    func record(message: String) { add([], [message]) }

    private func add(_ lines: [String], _ messages: [String]) {
        guard !lines.isEmpty || !messages.isEmpty else { return }
        state.locked { state in
            if state.lines.count < State.most { state.lines += lines }
            if state.messages.count < State.most { state.messages += messages }
        }
        bell.ring()
    }

    private func message(of what: Event.What) -> String? {
        switch what {
        case .trouble(let tile, let source, let item, let pts, let trouble) where loudness != .quiet:
            let place = pts.map { " at \(fixed($0.seconds, 3)) s" } ?? ""
            let who = tile.map { "\(tiles[$0]), item \(item + 1)" } ?? "the bed"
            return "quadrille: \(who): \(source)\(place): \(trouble.what) (\(trouble.kind.rawValue))"
        case .seam(let tile, let run, _, let late, let reason?) where loudness == .verbose:
            return
                "quadrille: \(tiles[tile]), item \(run.item + 1): \(fixed(late.seconds * 1000, 1)) ms late: \(reason)"
        case .seat(let tile, let has) where loudness == .verbose:
            return "quadrille: \(tiles[tile]) \(has ? "takes" : "gives up") its seat"
        case .giveWay(let tile, let step) where loudness == .verbose:
            return "quadrille: \(tiles[tile]) leaves out \(step.words)"
        default:
            return nil
        }
    }

    /// Writes what is left, at most so long.
    func stop(within limit: Int64 = 500_000_000) {
        state.locked { $0.isStopping = true }
        bell.ring()
        if worker.join(within: limit) == .joined, let file { close(file) }
    }
}
