import Base
import Commands
import Control
import Feeds
import Layout
import Player
import Tools

// Names of the control socket, and the arguments of its commands.
extension Completion {
    static let commands = Answer(
        candidates: CommandTable.specs.map { Candidate(text: $0.name, help: $0.help) })

    static let propertySpecs = Wall.properties.specs + ProgramProperty.specs

    private static let settableSpecs = propertySpecs.filter(\.isSettable)

    /// Owners of properties that clients name by paths, which begin with `start`.
    private static let owners:
        [(
            start: String, help: String, scopes: [PropertySpec.Scope], names: @Sendable (Layout) -> [String]
        )] = [
            ("tiles/", "tiles/ID/NAME: a property of a tile", [.tile, .namedTile], { $0.tiles.map(\.id) }),
            ("groups/", "groups/NAME/NAME: a property of a group", [.group], { $0.groups.map(\.name) }),
        ]

    /// Properties by their names as clients write them: tiles/ID/NAME and groups/NAME/NAME in steps. A candidate that
    /// ends with a slash is continued.
    func properties(_ specs: [PropertySpec], _ word: String, _ line: CompletedLine) -> Answer {
        for owner in Self.owners where word.hasPrefix(owner.start) {
            let names = layout(of: line).map(owner.names) ?? []
            // The name of a tile may contain a slash.
            guard let name = names.first(where: { word.hasPrefix("\(owner.start)\($0)/") }) else {
                return Answer(names: names.map { "\(owner.start)\($0)/" })
            }
            return Answer(
                candidates: specs.filter { owner.scopes.contains($0.scope) }.map {
                    Candidate(text: "\(owner.start)\(name)/\($0.name)", help: $0.help)
                })
        }
        return Answer(
            candidates: specs.filter { $0.path == $0.name }.map { Candidate(text: $0.name, help: $0.help) }
                + Self.owners.map { Candidate(text: $0.start, help: $0.help) })
    }

    static let events = Answer(candidates: EventName.allCases.map { Candidate(text: $0.text, help: $0.help) })

    /// Candidates for a word of a command. `words`: the command before it. `more`: words that only the subcommand takes.
    func command(
        _ words: [String], _ word: String, more: [CtlCommand.Word], _ line: CompletedLine
    ) -> Answer {
        guard let name = words.first else {
            let others = more.map { Candidate(text: $0.name, help: $0.help) }
            let known = Set(more.map(\.name))
            return Answer(candidates: others + Self.commands.candidates.filter { !known.contains($0.text) })
        }
        let place = words.count - 1
        guard let spec = CommandTable.specs.first(where: { $0.name == name }) else {
            guard place == 0, let short = more.first(where: { $0.name == name }) else { return Answer() }
            return short.option.map { Answer(names: [$0]) } ?? names(short.names, word, line)
        }
        if place < spec.arguments.count { return argument(place, of: spec, words, word, line) }
        guard spec.takesMore, let kind = spec.moreNames else { return Answer() }
        let rest = Array(words.dropFirst(1 + spec.arguments.count))
        if kind == .command { return command(rest, word, more: [], line) }
        guard rest.isEmpty else { return Answer() }
        return kind == .property ? properties(Self.settableSpecs, word, line) : names(kind, word, line)
    }

    private func argument(
        _ place: Int, of spec: CommandSpec, _ words: [String], _ word: String, _ line: CompletedLine
    ) -> Answer {
        switch spec.arguments[place].names {
        case .property?: return properties(Self.settableSpecs, word, line)
        case let kind?: return names(kind, word, line)
        case nil: break
        }
        // The value after a property's name.
        guard place == 1, spec.arguments[0].names == .property, spec.name == "set",
            let last = words[1].split(separator: "/").last,
            let property = Self.propertySpecs.first(where: { $0.name == last })
        else { return Answer() }
        let others = Answer(names: property.takes?.choices ?? [])
        guard case .tile? = property.takes else { return others }
        return Answer(candidates: names(.tile, word, line).candidates + others.candidates)
    }
}
