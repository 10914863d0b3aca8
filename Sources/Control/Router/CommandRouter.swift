import Base
import Commands
import Engine
import Feeds
import Layout
import Player
import Threads

/// The program around the wall, as the router sees it. Any thread may call; a call takes microseconds. `answer` is
/// called once, during the call or later.
public protocol ControlledProgram: Sendable {
    /// `tile`: the tile that the command named; nil if it named none.
    func carryOut(_ request: Change.ProgramRequest, of tile: TileID?, answer: @escaping CommandRouter.Answer)
    /// Handles a key as if it were pressed in the window.
    func press(_ press: KeyPress, within chain: KeyChain, answer: @escaping CommandRouter.Answer)
    /// Reports that a command failed which no client waits for. `cause`: the key or the event that it belongs to, in
    /// words.
    func commandFailed(_ cause: String, _ error: ControlError)
    /// Reports that a dropped source is not played.
    func dropFailed(_ source: String, _ error: ControlError)
    var facts: ProgramFacts { get }
    /// Called when a command asks the program to quit, even if the main thread hangs.
    func quitRequested(status: Int)
    /// Sends a `client-message` to the clients of the socket.
    func message(_ words: [String])
    /// Called when tiles may play other files than before.
    func sourcesChanged()
    /// Resolves a source to items: one for a film, one with its parts for a song, and one for each media file of a
    /// folder. `take` is called once, during this call or later, on any thread. `take` gets an error if no source has
    /// this name.
    func items(of source: String, _ take: @escaping @Sendable (Result<[Item], ControlError>) -> Void)
    /// Resolves the name of a file of subtitles, or its URL. `take` is called as that of `items`, and gets an error if
    /// no file has this name.
    func file(called name: String, _ take: @escaping @Sendable (Result<String, ControlError>) -> Void)
}

/// Facts of the program around the wall.
public struct ProgramFacts: Sendable {
    /// Absolute path; nil if the wall plays no layout file.
    public var layoutPath: String?
    public var isFullscreen = false
    public var version: String

    public init(version: String) { self.version = version }
}

/// Routes commands and properties from keys and socket clients to the wall or to the program. Any thread may call any
/// method; the wall's lock serializes them.
public final class CommandRouter: ControlTarget {
    public typealias Answer = @Sendable (Result<PropertyValue?, ControlError>) -> Void

    let runner: LockedWall
    let program: any ControlledProgram
    /// Commands that `keybind` has bound, by key. `stated`: the layout's command for the key when `keybind` ran; nil if
    /// the layout had none. If the layout's command changes later, it replaces the one of `keybind`.
    private let bindings = Locked<[KeyPress: (command: KeyCommand, stated: KeyCommand?)]>([:])
    /// The user's own keys, for all walls.
    private let userKeys: [KeyPress: KeyCommand]

    public init(_ runner: LockedWall, _ program: any ControlledProgram, userKeys: [KeyPress: KeyCommand] = [:]) {
        (self.runner, self.program, self.userKeys) = (runner, program, userKeys)
    }

    public let eventNames = EventName.sentWhole.map(\.text)

    // MARK: commands

    public func run(_ command: ControlCommand, answer: @escaping Answer) {
        run(command, for: .focused, .group, within: KeyChain(), answer: answer)
    }

    private func target(of owner: AddressedCommand.Owner) throws(ControlError) -> Target {
        try runner.read { wall, now -> Result<Target, ControlError> in
            let report = WallReport(wall, at: now)
            switch owner {
            case .tile(let name):
                if let tile = wall.tile(named: name) { return .success(.tile(tile)) }
                return .failure(ControlError(.commandError, because: report.complaint(aboutTile: name)))
            case .group(let name):
                let tiles = wall.snapshot(at: now).tiles(inGroup: name)
                if !tiles.isEmpty { return .success(.tiles(tiles)) }
                return .failure(ControlError(.commandError, because: report.complaint(aboutGroup: name)))
            }
        }.get()
    }

    /// `target`, `scope`: of a command that names no tile and no group itself.
    private func run(
        _ command: ControlCommand, for target: Target, _ scope: Change.Scope, within chain: KeyChain,
        answer: @escaping Answer
    ) {
        do throws(ControlError) {
            let addressed = try AddressedCommand(command), command = addressed.command
            let target = if let owner = addressed.owner { try self.target(of: owner) } else { target }
            let scope = addressed.isAlone ? .tileAlone : addressed.owner == nil ? scope : .group
            if let words = words(onProperty: command.name) { throw ControlError(.invalidParameter, because: words) }
            let change = try CommandTable.change(command.name, command.arguments, named: command.named)
            try apply(change.scoped(scope), to: target, scope, within: chain, answer: answer)
            if case .window(.quit(let status)) = change { program.quitRequested(status: status) }
        } catch { answer(.failure(error)) }
    }

    /// Makes a change for which no client waits, such as that of a key.
    public func apply(_ change: Change) { try? apply(change, to: .focused, .group, within: KeyChain()) { _ in } }

    /// Has the wall or the program make a change. `scope`: that of a key press, which the change itself lacks. Throws
    /// errors that are known at once; `answer` is not called then.
    private func apply(
        _ change: Change, to target: Target, _ scope: Change.Scope, within chain: KeyChain, answer: @escaping Answer
    ) throws(ControlError) {
        switch change {
        case .nothing: break
        case .program(.press(let name)):
            guard let press = KeyPress(name: name) else {
                throw ControlError(.commandError, because: KeyPress.complaint(about: name))
            }
            try chain.countPress()
            if target.tile == nil, scope == .group { return program.press(press, within: chain, answer: answer) }
            self.press(press, of: target.tile, scope, within: chain)
        case .program(.bind(let name, let text)):
            guard let key = KeyPress(name: name) else {
                throw ControlError(.invalidParameter, because: KeyPress.complaint(about: name))
            }
            let command = try KeyCommand(text.isEmpty ? "ignore" : text)
            let stated = runner.read { wall, _ in wall.layout.keys[key] }
            bindings.locked { $0[key] = (command, stated) }
        case .program(let request): return program.carryOut(request, of: target.tile, answer: answer)
        case .property(let name, let step, let scope):
            if let error = self.change(name, step, for: target, scope) {
                // mpv reports every failed command with this word, whatever the cause.
                let detail = error.detail ?? reason(error, of: name, on: target.firstTile)
                throw ControlError(.commandError, because: detail)
            }
        case .load(let source, let loading):
            return forEachTile(of: target, answer) { load(source, loading, of: $0, answer: $1) }
        case .addSubtitles(let file, let selecting):
            return forEachTile(of: target, answer) { addSubtitles(file, selecting, to: $0, answer: $1) }
        default: if let error = applyToWall(change, target) { throw error }
        }
        answer(.success(nil))
    }

    func applyToWall(_ change: Change, _ target: Target) -> ControlError? {
        runner.change { wall, now in wall.apply(change, to: target, at: now) }
    }

    /// Calls `body` with each tile of a target, the first one last: its answer counts.
    private func forEachTile(of target: Target, _ answer: @escaping Answer, _ body: (Target, @escaping Answer) -> Void)
    {
        guard case .tiles(let tiles) = target else { return body(target, answer) }
        for tile in tiles.dropFirst() { body(.tile(tile)) { _ in } }
        body(.tile(tiles[0]), answer)
    }

    private func load(_ source: String, _ loading: Change.Loading, of target: Target, answer: @escaping Answer) {
        program.items(of: source) { [self] items in answer(items.map { load($0, loading, of: target) }) }
    }

    private func addSubtitles(
        _ file: String, _ selecting: Change.SubtitleChange.Selecting, to target: Target, answer: @escaping Answer
    ) {
        program.file(called: file) { [self] found in
            answer(
                found.flatMap { location in
                    applyToWall(.subtitles(.add(location, selecting)), target).map { .failure($0) } ?? .success(nil)
                })
        }
    }

    private func load(_ items: [Item], _ loading: Change.Loading, of target: Target) -> PropertyValue? {
        let entry = runner.change { wall, now -> PropertyValue in
            if wall.focus == nil, target.tile == nil {
                wall.addTiles(playing: [items], at: now)
            } else {
                wall.apply(loading.change(items), to: target, at: now)
            }
            return (try? WallReport(wall, at: now).value(at: "playlist-count", of: target.tile).get()) ?? .null
        }
        program.sourcesChanged()
        return ["playlist_entry_id": entry]
    }

    // MARK: dropped sources

    /// Plays sources that were dropped on the window: in the tile at `point`, or else in the focused one. A wall without
    /// tiles gets a tile for each. A layout takes the place of the wall's.
    public func drop(_ sources: [String], at point: Point?, appending isAppending: Bool) {
        if let layout = sources.first(where: { $0.hasSuffix(".json") }) {
            return program.carryOut(.loadLayout(layout), of: nil) { [program] in
                if case .failure(let error) = $0 { program.dropFailed(layout, error) }
            }
        }
        findItems(of: sources[...], found: []) { [self] found in
            guard !found.isEmpty else { return }
            let tile = runner.read { wall, _ in point.flatMap { wall.tile(at: $0) } ?? wall.focus }
            if let tile {
                let items = found.flatMap { $0 }
                let error = applyToWall(.sequence(isAppending ? .append(items) : .replace(items)), .tile(tile))
                if let error { program.dropFailed(sources[0], error) }
            } else {
                runner.change { wall, now in wall.addTiles(playing: found, at: now) }
            }
            program.sourcesChanged()
        }
    }

    /// Resolves each source to items, in their order. Reports those that name nothing, and leaves them out.
    private func findItems(
        of sources: ArraySlice<String>, found: [[Item]], _ take: @escaping @Sendable ([[Item]]) -> Void
    ) {
        guard let source = sources.first else { return take(found) }
        program.items(of: source) { [self] result in
            var found = found
            switch result {
            case .success(let items): found.append(items)
            case .failure(let error): program.dropFailed(source, error)
            }
            findItems(of: sources.dropFirst(), found: found, take)
        }
    }

    // MARK: keys

    /// The bindings that a key press may use.
    public enum KeySources: Sendable {
        case all
        /// Bindings of `keybind` and of the layout. They hold also where the layout allows no input.
        case ofWall
    }

    /// Runs the command that `keybind`, the layout or the user has bound to a key. Returns false if there is none, or
    /// if that command is running already: then the key has its default meaning. `tile`: has the focus for the command;
    /// nil for the tile that has it.
    public func runBinding(
        of press: KeyPress, from sources: KeySources = .all, isRepeated: Bool = false,
        for tile: TileID? = nil, _ scope: Change.Scope = .group, within chain: KeyChain = KeyChain()
    ) -> Bool {
        guard let (key, command) = binding(of: press, from: sources), let inner = chain.entering(key) else {
            return false
        }
        if isRepeated, !command.repeats { return true }
        for text in command.commands where !inner.isSpent {
            run(text, because: "key \(key.name)", tile, scope, within: inner)
        }
        return true
    }

    /// Runs commands that the layout states for an event. `cause`: the event, in words.
    public func run(_ command: KeyCommand, because cause: String) {
        for text in command.commands { run(text, because: cause, nil, .group, within: KeyChain()) }
    }

    /// Returns true if a command is bound to the key with exactly its modifiers.
    public func isBound(_ press: KeyPress, from sources: KeySources) -> Bool {
        exactBinding(of: press, from: sources) != nil
    }

    /// A key that is bound without Shift has that command with Shift, too, unless the key with Shift has a command of
    /// its own.
    private func binding(of press: KeyPress, from sources: KeySources) -> (KeyPress, KeyCommand)? {
        if let binding = exactBinding(of: press, from: sources) { return binding }
        guard let plain = press.withoutShift, let binding = exactBinding(of: plain, from: sources),
            !runner.read({ wall, _ in wall.keys.distinguishesShift(press) })
        else { return nil }
        return binding
    }

    private func exactBinding(of press: KeyPress, from sources: KeySources) -> (KeyPress, KeyCommand)? {
        for keys in sources == .all ? [keysOfWall, userKeys] : [keysOfWall] {
            for reading in press.readings {
                if let command = keys[reading] { return (reading, command) }
            }
        }
        return nil
    }

    /// Commands that `keybind` or the layout has bound.
    private var keysOfWall: [KeyPress: KeyCommand] {
        let stated = runner.read { wall, _ in wall.layout.keys }
        let bound = bindings.locked { $0 }.filter { $1.stated == stated[$0] }
        return stated.merging(bound.mapValues(\.command)) { $1 }
    }

    /// All keys with their commands, by precedence.
    func boundKeys() -> [(press: KeyPress, text: String, source: String)] {
        let (keys, stated) = runner.read { wall, _ in (wall.keys.commands, wall.layout.keys) }
        let bound = bindings.locked { $0 }.filter { $1.stated == stated[$0] }
        var all = keys.mapValues { (text: $0, source: "default") }
        for (press, command) in userKeys { all[press] = (command.text, "keys.conf") }
        for (press, command) in stated { all[press] = (command.text, "layout") }
        for (press, binding) in bound { all[press] = (binding.command.text, "keybind") }
        return all.map { ($0.key, $0.value.text, $0.value.source) }.sorted { $0.press.name < $1.press.name }
    }

    /// Handles a key as if `tile`, if it is not nil, had the focus.
    private func press(_ press: KeyPress, of tile: TileID?, _ scope: Change.Scope, within chain: KeyChain) {
        if runBinding(of: press, for: tile, scope, within: chain) { return }
        let keys = runner.read { wall, _ in wall.keys }
        guard let change = keys.change(for: press.key, press.modifiers, isRepeated: false) else { return }
        let scoped = scope == .tileAlone ? change.scoped(scope) : change
        let target = tile.map { Target.inHand($0) } ?? .focused
        try? apply(scoped, to: target, .group, within: chain) { _ in }
    }

    private func run(
        _ text: TextCommand, because cause: String, _ tile: TileID?, _ scope: Change.Scope, within chain: KeyChain
    ) {
        var expansion = PropertyExpansion { [self] in property($0) }
        let words = text.arguments.map { text.prefixes.contains(.raw) ? $0 : expansion.expanded($0) }
        let command = ControlCommand(text, words)
        if command.name == "script-message" { return program.message(words) }
        run(command, for: tile.map { .tile($0) } ?? .focused, scope, within: chain) { [program] in
            if case .failure(let error) = $0 { program.commandFailed(cause, error) }
        }
    }
}

extension Target {
    /// The first of the tiles that were named; nil for the focused one.
    fileprivate var firstTile: TileID? { if case .tiles(let tiles) = self { tiles.first } else { tile } }

    /// True if a property may be the wall's or the program's.
    var isOfWall: Bool {
        switch self {
        case .focused, .inHand: true
        case .tile, .named, .tiles, .clock: false
        }
    }
}
