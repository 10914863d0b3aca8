import Base
import Commands

/// One command of a client, as parsed from its line.
struct ControlRequest: Hashable {
    /// The command's name, as the client wrote it.
    var name: String
    /// Arguments by position; empty if they are named.
    var arguments: [PropertyValue]
    /// Arguments by name; nil if they are given by position.
    var named: [PropertyField]?
    /// True for a JSON array without prefixes. The session may handle the command itself, such as `get_property`.
    var mayBeVerb = false
    /// `request_id`, which the reply repeats; nil for a text command.
    var id: PropertyValue?
    var wait = Wait.untilAnswered
    /// True if `${properties}` in text arguments are expanded.
    var expandsProperties = false

    enum Wait: Hashable {
        /// The client's next request waits for the answer.
        case untilAnswered
        /// `"async": true`: the next request runs at once, and the reply follows the answer.
        case not
        /// The prefix `async`: the reply confirms only that the command was started.
        case notEvenReply
    }

    /// A line that is refused before anything is run, with the id for the reply and the reason.
    struct Refusal: Error {
        var id: PropertyValue
        var detail: String

        var error: ControlError { ControlError(.invalidParameter, because: detail) }
    }

    /// Parses a line that begins with "{" and ends with a zero byte.
    init(json line: [UInt8]) throws(Refusal) {
        guard let message = try? JSONParser.parse(leniently: line) else {
            throw Refusal(id: .integer(0), detail: "the line is no JSON object; a request is one line")
        }
        let id = message["request_id"] ?? .integer(0)
        var isAsync = false
        switch message["async"] {
        case nil: break
        case .flag(let flag): isAsync = flag
        // mpv checks "async" before it checks the type of the id.
        default: throw Refusal(id: .integer(0), detail: "\"async\" must be true or false")
        }
        if isAsync {
            guard case .integer = id else {
                throw Refusal(id: id, detail: "with \"async\", \"request_id\" must be a whole number")
            }
        }
        switch message["command"] {
        case .list(let words): try self.init(words: words, id: id)
        case .object(let fields): try self.init(fields: fields, id: id)
        default:
            throw Refusal(
                id: id, detail: "\"command\" must be a list such as [\"seek\", 5], or an object with \"name\"")
        }
        if isAsync { wait = .not }
    }

    private init(words: [PropertyValue], id: PropertyValue) throws(Refusal) {
        var words = words[...]
        var prefixes: [CommandPrefix] = []
        while case .text(let word) = words.first, let prefix = CommandPrefix(rawValue: word) {
            prefixes.append(prefix)
            words.removeFirst()
        }
        guard case .text(let name) = words.popFirst() else {
            throw Refusal(id: id, detail: "the first element of \"command\" must be a command's name")
        }
        self.init(name, Array(words), id, prefixes)
        mayBeVerb = prefixes.isEmpty
    }

    private init(fields: [PropertyField], id: PropertyValue) throws(Refusal) {
        // mpv of 2023 knows only `name`; newer ones prefer `_name`, so that an argument may be called `name`.
        let nameKey = if case .text = fields["_name"] { "_name" } else { "name" }
        guard case .text(let name) = fields[nameKey] else {
            throw Refusal(id: id, detail: "\"name\" must be a command's name")
        }
        var prefixes: [CommandPrefix] = []
        if let flags = fields["_flags"] {
            guard case .list(let words) = flags else { throw Refusal(id: id, detail: "\"_flags\" must be a list") }
            for word in words {
                guard case .text(let word) = word, let prefix = CommandPrefix(rawValue: word) else {
                    throw Refusal(id: id, detail: "\"_flags\" may contain only command prefixes, such as no-osd")
                }
                prefixes.append(prefix)
            }
        }
        self.init(name, [], id, prefixes)
        named = fields.filter { ![nameKey, "_name", "_flags"].contains($0.name) }
    }

    /// Parses the commands of a text line.
    static func commands(inText line: [UInt8]) throws(ControlError) -> [ControlRequest] {
        try TextCommands.parse(line).map {
            ControlRequest($0.name, $0.arguments.map { .text($0) }, nil, expands: true, $0.prefixes)
        }
    }

    private init(
        _ name: String, _ arguments: [PropertyValue], _ id: PropertyValue?, expands: Bool = false,
        _ prefixes: [CommandPrefix]
    ) {
        (self.name, self.arguments, self.id, expandsProperties) = (name, arguments, id, expands)
        for prefix in prefixes {
            switch prefix {
            case .async: wait = .notEvenReply
            case .sync: wait = .untilAnswered
            case .raw: expandsProperties = false
            case .expandProperties: expandsProperties = true
            default: break
            }
        }
    }
}
