import Media
import Threads
import WallCore

/// What a router asks of the program around the wall. Any thread may call it; a call takes microseconds, and `answer`
/// comes once, at once or later.
public protocol ControlledProgram: Sendable {
    func carryOut(_ request: CommandRequest.ProgramRequest, answer: @escaping CommandRouter.Answer)
    var facts: ProgramFacts { get }
    /// Also where the main thread does not come to it.
    func endIsAsked(status: Int)
    /// A text to the clients of the socket.
    func message(_ words: [String])
    /// What tiles play may be other files than before.
    func sourcesChanged()
    /// What a source is in a sequence: a film one item, a song what it is made of, a folder its media. `take` is called
    /// once, in this call or later, on any thread; with nil where nothing has this name.
    func items(of source: String, _ take: @escaping @Sendable ([Item]?) -> Void)
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

    public let eventNames = ["item-start", "item-end", "seam", "trouble", "reload", "take"]

    // MARK: commands

    public func run(_ command: ControlCommand, answer: @escaping Answer) {
        guard command.name == "tile" else { return run(command, of: nil, .group, answer: answer) }
        var words = command.arguments
        guard command.named.isEmpty, words.count >= 2, let id = words.removeFirst().asText else {
            return answer(.failure(.invalidParameter))
        }
        guard let tile = runner.read({ wall, _ in wall.tile(named: id) }) else {
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
        case .program(.press(let name)) where KeyPress(name: name) == nil: answer(.failure(.commandError))
        case .program(.press(let name)) where tile != nil:
            if let press = KeyPress(name: name) { self.press(press, of: tile, scope) }
            answer(.success(nil))
        case .program(.bind(let name, let text)):
            guard let key = KeyPress(name: name) else { return answer(.failure(.invalidParameter)) }
            bindings.locked { $0[key] = text }
            answer(.success(nil))
        case .program(let request): program.carryOut(request, answer: answer)
        case .property(let name, let change):
            // As mpv says it of a command, whatever was wrong.
            let error = self.change(name, change, of: tile, scope)
            answer(error == nil ? .success(nil) : .failure(.commandError))
        case .wall(let command):
            let isDone = runner.change { wall, now in wall.carryOut(command.scoped(scope), on: tile, at: now) }
            answer(isDone ? .success(nil) : .failure(.commandError))
            if case .window(.quit(let status)) = command { program.endIsAsked(status: status) }
        case .onTile(let id, let request):
            let isDone = runner.change { wall, now -> Bool in
                guard let tile = wall.tile(named: id), let command = request.command(tile, wall.tile(named:)) else {
                    return false
                }
                return wall.carryOut(command, on: tile, at: now)
            }
            answer(isDone ? .success(nil) : .failure(.commandError))
        case .load(let source, let loading): load(source, loading, of: tile, answer: answer)
        }
    }

    private func load(
        _ source: String, _ loading: CommandRequest.Loading, of tile: TileID?, answer: @escaping Answer
    ) {
        program.items(of: source) { [self] items in
            guard let items else { return answer(.failure(.loadingFailed)) }
            load(items, loading, of: tile, answer: answer)
        }
    }

    private func load(
        _ items: [Item], _ loading: CommandRequest.Loading, of tile: TileID?, answer: @escaping Answer
    ) {
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

    /// Does what somebody bound to a key; false: nobody did.
    public func runBinding(of press: KeyPress) -> Bool { runBinding(of: press, tile: nil, .group) }

    private func runBinding(of press: KeyPress, tile: TileID?, _ scope: Command.Scope) -> Bool {
        guard let text = bindings.locked({ $0.isEmpty ? nil : $0[press] }) else { return false }
        run(text: text, of: tile, scope)
        return true
    }

    /// As if the tile had the focus.
    private func press(_ press: KeyPress, of tile: TileID?, _ scope: Command.Scope) {
        if runBinding(of: press, tile: tile, scope) { return }
        let keys = runner.read { wall, _ in wall.keys }
        guard let command = keys.command(for: press.key, press.modifiers, isRepeated: false) else { return }
        let scoped = scope == .tileAlone ? command.scoped(scope) : command
        runner.change { wall, now in _ = wall.carryOut(scoped, on: tile, at: now) }
    }

    private func run(text: String, of tile: TileID?, _ scope: Command.Scope) {
        for request in TextCommands.parse(Array(text.utf8)) ?? [] {
            guard case .command(let name, let arguments) = request.content else { continue }
            if name == "script-message" {
                program.message(arguments.compactMap(\.asText))
            } else {
                let command = ControlCommand(name, arguments, client: "keys")
                // A binding may name its tile itself.
                if name == "tile" { run(command) { _ in } } else { run(command, of: tile, scope) { _ in } }
            }
        }
    }
}

extension CommandRequest.TileRequest {
    /// nil: it names a tile that is not there.
    fileprivate func command(_ tile: TileID, _ named: (String) -> TileID?) -> Command? {
        switch self {
        case .focus: .focus(.tile(tile))
        case .zoom: .zoom(.to(tile))
        case .nudge(let by): .nudge(by: by)
        case .record: .record(.on)
        case .useTake: .useTake
        case .compare(let other, let mode): named(other).map { .compare(.tiles(tile, $0, mode)) }
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
        case .seekToKeyPicture(let seek, _): .seekToKeyPicture(near: seek, scope)
        case .home(_): .home(scope)
        case .end(_): .end(scope)
        case .rate(let change, _): .rate(change, scope)
        case .passage(let change, _): .passage(change, scope)
        default: self
        }
    }
}
