import Media
import Threads
import WallCore

/// What a router asks of the program around the wall. Any thread may call it; a call takes microseconds, and `answer`
/// comes once, at once or later.
public protocol ControlledProgram: Sendable {
    func carryOut(_ request: CommandRequest.ProgramRequest, answer: @escaping CommandRouter.Answer)
    var facts: ProgramFacts { get }
    /// A text to the clients of the socket.
    func message(_ words: [String])
    /// What tiles play may be other files than before.
    func sourcesChanged()
    /// As a layout's source, ready to be opened; nil: it is none.
    func resolved(_ source: String) -> String?
}

/// What is known of the program around the wall.
public struct ProgramFacts: Sendable {
    /// Absolute; nil: the wall plays no layout's file.
    public var layoutPath: String?
    public var isFullscreen = false
    public var version: String

    public init(version: String) { self.version = version }
}

/// Brings commands and properties, whoever sent them, to the wall or to the program. Any thread may call any method;
/// the wall's lock makes one of them follow the other.
public final class CommandRouter: ControlTarget {
    public typealias Answer = @Sendable (Result<PropertyValue?, ControlError>) -> Void

    let runner: WallRunner
    let program: any ControlledProgram
    /// By key: the text command that somebody bound to it.
    private let bindings = Monitor<[KeyPress: String]>([:])

    public init(_ runner: WallRunner, _ program: any ControlledProgram) {
        (self.runner, self.program) = (runner, program)
    }

    public let eventNames = ["item-start", "item-end", "seam", "trouble", "reload"]

    // MARK: commands

    public func run(_ command: ControlCommand, answer: @escaping Answer) {
        guard command.name == "tile" else { return run(command, of: nil, .group, answer: answer) }
        var words = command.arguments
        guard command.named.isEmpty, words.count >= 2, let id = words.removeFirst().asText else {
            return answer(.failure(.invalidParameter))
        }
        guard let tile = runner.change({ wall, _ in wall.tile(named: id) }) else {
            return answer(.failure(.commandError))
        }
        var scope = Command.Scope.group
        if words.first == .text("alone") {
            scope = .tileAlone
            words.removeFirst()
        }
        guard !words.isEmpty, let name = words.removeFirst().asText, name != "tile" else {
            return answer(.failure(.invalidParameter))
        }
        run(ControlCommand(name, words, client: command.client), of: tile, scope, answer: answer)
    }

    private func run(
        _ command: ControlCommand, of tile: TileID?, _ scope: Command.Scope, answer: @escaping Answer
    ) {
        guard let request = CommandTable.request(command.name, command.arguments, named: command.named) else {
            return answer(.failure(.invalidParameter))
        }
        switch request {
        case .nothing: answer(.success(nil))
        case .program(.press(let name)): press(name, answer: answer)
        case .program(.bind(let name, let text)):
            guard let key = KeyPress(name: name) else { return answer(.failure(.invalidParameter)) }
            bindings.locked { $0[key] = text }
            answer(.success(nil))
        case .program(let request): program.carryOut(request, answer: answer)
        case .property(let name, let change):
            let error = self.change(name, change, of: tile, scope)
            answer(error.map { .failure($0) } ?? .success(nil))
        case .wall(let command):
            let isDone = runner.change { wall, now in wall.carryOut(command.scoped(scope), on: tile, at: now) }
            answer(isDone ? .success(nil) : .failure(.commandError))
        case .onTile(let id, let request):
            let isDone = runner.change { wall, now -> Bool in
                guard let tile = wall.tile(named: id) else { return false }
                return wall.carryOut(request.command(tile), on: tile, at: now)
            }
            answer(isDone ? .success(nil) : .failure(.commandError))
        case .load(let source, let loading): load(source, loading, of: tile, answer: answer)
        }
    }

    private func load(
        _ source: String, _ loading: CommandRequest.Loading, of tile: TileID?, answer: @escaping Answer
    ) {
        guard let location = program.resolved(source) else { return answer(.failure(.loadingFailed)) }
        let items = [Item(pieces: [Item.Piece(source: location)])]
        let entry = runner.change { wall, now -> PropertyValue in
            if wall.focus == nil, tile == nil {
                wall.addTile(playing: items, at: now)
            } else {
                let change: Command.SequenceChange =
                    switch loading {
                    case .replace: .replace(items)
                    case .append: .append(items)
                    case .appendAndPlay: .appendAndPlay(items)
                    case .insertNext: .insertNext(items)
                    }
                wall.carryOut(.sequence(change), on: tile, at: now)
            }
            return (try? wall.property("playlist-count", of: tile, at: now).get()) ?? .null
        }
        program.sourcesChanged()
        answer(.success(.object([PropertyField("playlist_entry_id", entry)])))
    }

    // MARK: keys

    /// A key of the keyboard: what somebody bound to it, else what the table says.
    public func press(_ key: Key, _ modifiers: Modifiers, isRepeated: Bool) {
        if let text = binding(of: KeyPress(key, modifiers)) {
            if !isRepeated { run(text: text) }
        } else if let command = KeyTable.command(for: key, modifiers, isRepeated: isRepeated) {
            runner.change { wall, now in _ = wall.carryOut(command, at: now) }
        }
    }

    public func isBound(_ key: Key, _ modifiers: Modifiers) -> Bool { binding(of: KeyPress(key, modifiers)) != nil }

    private func binding(of press: KeyPress) -> String? { bindings.locked { $0.isEmpty ? nil : $0[press] } }

    private func press(_ name: String, answer: @escaping Answer) {
        guard let key = KeyPress(name: name) else { return answer(.failure(.invalidParameter)) }
        press(key.key, key.modifiers, isRepeated: false)
        answer(.success(nil))
    }

    private func run(text: String) {
        for request in TextCommands.parse(Array(text.utf8)) ?? [] {
            guard case .command(let name, let arguments) = request.content else { continue }
            if name == "script-message" {
                program.message(arguments.compactMap(\.asText))
            } else {
                run(ControlCommand(name, arguments, client: "keys")) { _ in }
            }
        }
    }
}

extension CommandRequest.TileRequest {
    fileprivate func command(_ tile: TileID) -> Command {
        switch self {
        case .focus: .focus(.tile(tile))
        case .zoom: .zoom(.to(tile))
        case .nudge(let by): .nudge(by: by)
        }
    }
}

extension Command {
    /// The same, for the tile alone where it is about time.
    fileprivate func scoped(_ scope: Scope) -> Command {
        switch self {
        case .pause(let switching, _): .pause(switching, scope)
        case .step(let by, _): .step(by: by, scope)
        case .seek(let seek, _): .seek(seek, scope)
        case .home(_): .home(scope)
        case .rate(let change, _): .rate(change, scope)
        default: self
        }
    }
}
