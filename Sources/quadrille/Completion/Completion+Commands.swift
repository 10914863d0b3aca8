import Base
import Commands
import Control
import Feeds
import Player
import Tools

// Names of the control socket, and the arguments of its commands.
extension Completion {
    static let commands = Answer(
        candidates: CommandTable.specs.map { Candidate(text: $0.name, help: $0.help) })

    private static let propertySpecs = Wall.properties.specs + ProgramProperty.specs

    /// Properties by their names as clients write them, without those of a tile or a group that has to be named.
    static let properties = named(propertySpecs)
    private static let settableProperties = named(propertySpecs.filter(\.isSettable))

    private static func named(_ specs: [PropertySpec]) -> Answer {
        Answer(candidates: specs.filter { $0.path == $0.name }.map { Candidate(text: $0.name, help: $0.help) })
    }

    static let events = Answer(candidates: EventName.allCases.map { Candidate(text: $0.text, help: $0.help) })

    /// Candidates for a word of a command. `words`: the command before it. `more`: words that only the subcommand takes.
    func command(
        _ words: [String], _ word: String, more: [CtlOptions.Word], _ line: CompletedLine
    ) -> Answer {
        guard let name = words.first else {
            let others = more.map { Candidate(text: $0.name, help: $0.help) }
            let known = Set(more.map(\.name))
            return Answer(candidates: others + Self.commands.candidates.filter { !known.contains($0.text) })
        }
        let place = words.count - 1
        guard let spec = CommandTable.specs.first(where: { $0.name == name }) else {
            guard place == 0, let short = more.first(where: { $0.name == name }) else { return Answer() }
            return names(short.names, word, line)
        }
        if place < spec.arguments.count { return argument(place, of: spec, words, word, line) }
        guard spec.takesMore, let kind = spec.moreNames else { return Answer() }
        let rest = Array(words.dropFirst(1 + spec.arguments.count))
        if kind == .command { return command(rest, word, more: [], line) }
        guard rest.isEmpty else { return Answer() }
        return kind == .property ? Self.settableProperties : names(kind, word, line)
    }

    private func argument(
        _ place: Int, of spec: CommandSpec, _ words: [String], _ word: String, _ line: CompletedLine
    ) -> Answer {
        switch spec.arguments[place].names {
        case .property?: return Self.settableProperties
        case let kind?: return names(kind, word, line)
        case nil: break
        }
        // The value after a property's name.
        guard place == 1, spec.arguments[0].names == .property, spec.name == "set",
            let last = words[1].split(separator: "/").last,
            let property = Self.propertySpecs.first(where: { $0.name == last })
        else { return Answer() }
        return Answer(names: property.takes?.choices ?? [])
    }
}

extension Subcommand {
    /// True if the operands are a command of the control socket.
    var takesCommand: Bool { if case .command = help.operands { true } else { false } }
}
