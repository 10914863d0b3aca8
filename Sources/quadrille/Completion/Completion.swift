import Base
import Commands
import Console
import Files
import Layout
import Screen
import Socket
import Tools

/// Answers of `quadrille --complete`: what the last word of a command line can be. The shells' scripts in
/// assets/completions call it and add files.
///
/// All names come from the tables that the program uses: options, commands, properties, events, subcommands. The rest,
/// which differs by machine and line, comes from the three functions.
struct Completion: Sendable {
    /// Reads a layout's file; nil if it can't be read or has mistakes.
    let layout: @Sendable (_ path: String) -> Layout?
    /// Names of the connected displays, in the order of their numbers.
    let displays: @Sendable () -> [String]
    /// The layout of a running wall; nil if none answers. `socket`: its path; nil for the one wall of this user.
    let runningLayout: @Sendable (_ socket: String?) -> Layout?

    struct Candidate: Equatable {
        /// The whole word.
        let text: String
        let help: String
    }

    /// Files that the shell adds.
    struct Files: Equatable {
        /// The line that asks for them.
        let line: String

        static let any = Files(line: ":files")
        static let folders = Files(line: ":folders")
        static let layouts = endings(["json"])
        static let media = endings(MediaFolder.playedEndings)
        static let layoutsAndMedia = endings(["json"] + MediaFolder.playedEndings)

        /// Folders, and files with these endings. Without such a file, any file.
        static func endings(_ endings: [String]) -> Files {
            Files(line: ":files " + endings.joined(separator: " "))
        }
    }

    struct Answer: Equatable {
        var candidates: [Candidate] = []
        /// nil if no file is wanted.
        var files: Files?

        /// Lines of the output, with their cells. The line about files comes last and has one cell.
        var rows: [[String]] {
            // A name that can't be printed can't be typed either.
            let lines = candidates.filter { $0.text == $0.text.printable && !$0.text.isEmpty }.map {
                [$0.text, $0.help]
            }
            return lines + (files.map { [[$0.line]] } ?? [])
        }
    }

    /// `words`: the command line after the program's name. The last word is completed; it may be empty.
    func answer(to words: some Collection<String>) -> Answer {
        guard let first = words.first else { return answer(to: [""]) }
        guard words.count > 1 else { return firstWord(first) }
        let named = Subcommand(rawValue: first), subcommand = named ?? .play
        var line = CompletedLine(
            Array(words.dropFirst(named == nil ? 0 : 1)), subcommand.help.options,
            takesCommand: subcommand.help.operands == .command)
        let word = line.word
        if let option = line.pending { return value(of: option, word, line) }
        guard !line.optionsEnded, word.hasPrefix("-") else {
            return operand(word, of: subcommand, line).starting(with: word)
        }
        guard let equals = word.firstIndex(of: "=") else {
            return Answer(candidates: Self.options(line.specs)).starting(with: word)
        }
        let name = word[..<equals].dropFirst(2), start = word[...equals]
        guard let option = line.specs.first(where: { $0.name == name && $0.value != nil }) else { return Answer() }
        line.word = String(word[word.index(after: equals)...])
        var answer = value(of: option, line.word, line)
        answer.candidates = answer.candidates.map { Candidate(text: start + $0.text, help: $0.help) }
        return answer
    }

    private func firstWord(_ word: String) -> Answer {
        guard word.hasPrefix("-") else {
            return Answer(candidates: Self.subcommands, files: .layoutsAndMedia).starting(with: word)
        }
        guard !word.contains("=") else { return answer(to: [Subcommand.play.rawValue, word]) }
        let alone = [
            Candidate(text: "--registry", help: "names of options, commands, properties and fields, as JSON"),
            Candidate(text: "--schema", help: "the JSON Schema of layouts"),
        ]
        return Answer(candidates: Self.options(Subcommand.play.help.options) + alone).starting(with: word)
    }

    private static let subcommands = Subcommand.allCases.map { Candidate(text: $0.rawValue, help: $0.help.summary) }

    private static func options(_ specs: [OptionSpec]) -> [Candidate] {
        specs.flatMap { spec in
            [Candidate(text: "--\(spec.name)", help: spec.help)]
                + (spec.short.map { [Candidate(text: "-\($0)", help: spec.help)] } ?? [])
        }
    }

    private func value(of option: OptionSpec, _ word: String, _ line: CompletedLine) -> Answer {
        guard let value = option.value else { return Answer() }
        var answer = value.words.isEmpty ? names(value.names, word, line) : Answer(names: value.words)
        if value.kind == .list {
            let before = word.lastIndex(of: ",").map { word[...$0] } ?? ""
            if before.isEmpty { answer.candidates.append(Candidate(text: "all", help: "all of them")) }
            answer.candidates = answer.candidates.map { Candidate(text: before + $0.text, help: $0.help) }
        }
        return answer.starting(with: word)
    }

    private func operand(_ word: String, of subcommand: Subcommand, _ line: CompletedLine) -> Answer {
        switch subcommand.help.operands {
        case .command: command(line.operands, word, more: CtlCommand.words, line)
        case .subcommand where !line.operands.isEmpty, .folder where !line.operands.isEmpty: Answer()
        // A layout is played alone.
        case .layoutOrMedium where !line.operands.isEmpty: line.layout == nil ? Answer(files: .media) : Answer()
        case let kind: names(kind, word, line)
        }
    }

    /// Names of a kind. `line`: the command line that names the layout.
    func names(_ kind: NameKind?, _ word: String, _ line: CompletedLine) -> Answer {
        switch kind {
        case nil: Answer()
        case .tile: Answer(names: layout(of: line)?.tiles.map(\.id) ?? [])
        case .group: Answer(names: layout(of: line)?.groups.map(\.name) ?? [])
        case .break: Answer(names: layout(of: line)?.breaks.map(\.name) ?? [])
        case .display: Answer(candidates: displays().enumerated().map { Candidate(text: String($0), help: $1) })
        case .event: Self.events
        case .property: properties(Self.propertySpecs, word, line)
        case .command: Self.commands
        case .key: Answer(names: KeyNames.table.map(\.name).filter { !$0.contains(" ") })
        case .file: Answer(files: .any)
        case .folder: Answer(files: .folders)
        case .layout: Answer(files: .layouts)
        case .medium: Answer(files: .media)
        case .layoutOrMedium: Answer(files: .layoutsAndMedia)
        case .subcommand: Answer(candidates: Self.subcommands)
        }
    }

    // MARK: the layout that a line is about

    /// The layout that a command line is about: the one that it names, the one that its media make, or that of the wall
    /// to which its command goes.
    func layout(of line: CompletedLine) -> Layout? {
        if line.takesCommand { return runningLayout(line.values["ipc"] ?? line.values["input-ipc-server"]) }
        if let path = line.layout { return layout(path) }
        return line.operands.isEmpty ? nil : Layout.ofMedia(line.operands)
    }

    static let system = Completion(
        layout: { read($0) }, displays: { ConnectedDisplays.names() }, runningLayout: { layout(ofWallAt: $0) })

    /// Nanoseconds within which a running wall replies.
    private static let longestWait: Int64 = 200_000_000

    private static func layout(ofWallAt socket: String?) -> Layout? {
        let sockets = socket.map { [$0] } ?? RuntimeFolder.ofUser?.entries.map(\.socket) ?? []
        let walls = sockets.compactMap { try? WallConnection(to: $0) }
        guard walls.count == 1 else { return nil }
        let path = PropertyValue.text("layout-path")
        let reply = try? walls[0].reply(to: [.text("get_property"), path], within: longestWait)
        return reply?["data"]?.asText.flatMap(read)
    }

    /// A shell hands on a tilde as it was typed.
    private static func read(_ path: String) -> Layout? {
        let home = path.hasPrefix("~/") ? environment("HOME") : nil
        let file = home.map { $0 + path.dropFirst() } ?? path
        // A pipe would block, and must not be emptied.
        return isFile(file) ? LayoutFile.read(file).result.written : nil
    }
}

extension Completion.Answer {
    init(names: [String]) { candidates = names.map { Completion.Candidate(text: $0, help: "") } }

    /// The answer without candidates that do not begin with `word`.
    func starting(with word: String) -> Self {
        var answer = self
        answer.candidates.removeAll { !$0.text.hasPrefix(word) }
        return answer
    }
}

/// A command line whose last word is completed. Mistakes in it are skipped.
struct CompletedLine {
    let specs: [OptionSpec]
    /// True if the operands are a command of the control socket, whose words may begin with a dash.
    let takesCommand: Bool
    /// Operands before the word.
    private(set) var operands: [String] = []
    /// Values of options before the word, by the options' names.
    private(set) var values: [String: String] = [:]
    /// The option whose value the word is; nil if it is none.
    private(set) var pending: OptionSpec?
    /// True if a word that begins with a dash is an operand.
    let optionsEnded: Bool
    var word: String

    init(_ words: [String], _ specs: [OptionSpec], takesCommand: Bool = false) {
        (self.specs, self.takesCommand, word) = (specs, takesCommand, words.last ?? "")
        var reader = Arguments(words.dropLast(), specs: specs)
        var isOver = false
        while !isOver, !takesCommand || operands.isEmpty {
            // A mistake is skipped.
            do throws(UsageMistake) {
                switch try reader.next() {
                case .operand(let text)?: operands.append(text)
                case .option(let place, let value?)?: values[specs[place].name] = value
                case .option(let place, nil)?: pending = specs[place]
                case nil: isOver = true
                }
            } catch {}
        }
        optionsEnded = reader.optionsEnded || !isOver
        operands += reader.rest
    }

    /// The layout's file among the operands; nil if there is none.
    var layout: String? { operands.first { $0.hasSuffix(".json") } }
}
