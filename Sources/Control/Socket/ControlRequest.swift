import WallCore

/// One command of a client, as its line said it.
struct ControlRequest: Hashable {
    var content: Content
    /// What the reply repeats; nil: a text command, which has none.
    var id: PropertyValue?
    var wait = Wait.untilAnswered
    /// Texts among the arguments may name `${properties}`.
    var expandsProperties = false

    enum Content: Hashable {
        /// A word that the session itself may know, in a JSON array without prefixes: `get_property` and the like.
        case verb(String, [PropertyValue])
        case command(String, [PropertyValue])
        case named(String, [PropertyField])
    }

    enum Wait: Hashable {
        /// The client's next request waits for the answer.
        case untilAnswered
        /// `"async": true`: one reply when it is answered; the next request goes ahead.
        case not
        /// The prefix `async`: the reply says that it was begun.
        case notEvenReply
    }

    /// A line that is refused before anything is run, and what the reply repeats.
    struct Refusal: Error { var id: PropertyValue }

    /// Of a line that begins with "{" and ends with a zero byte.
    init(json line: [UInt8]) throws(Refusal) {
        guard let message = try? LenientJSON.parse(line) else { throw Refusal(id: .integer(0)) }
        let id = message["request_id"] ?? .integer(0)
        var isAsync = false
        switch message["async"] {
        case nil: break
        case .flag(let flag): isAsync = flag
        // mpv looks at it before it looks at the number.
        default: throw Refusal(id: .integer(0))
        }
        if isAsync {
            guard case .integer = id else { throw Refusal(id: id) }
        }
        switch message["command"] {
        case .list(let words): try self.init(words: words, id: id)
        case .object(let fields): try self.init(fields: fields, id: id)
        default: throw Refusal(id: id)
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
        guard case .text(let name) = words.popFirst() else { throw Refusal(id: id) }
        content = prefixes.isEmpty ? .verb(name, Array(words)) : .command(name, Array(words))
        self.id = id
        apply(prefixes)
    }

    private init(fields: [PropertyField], id: PropertyValue) throws(Refusal) {
        // mpv of 2023 knows only `name`; newer ones prefer `_name`, so that an argument may be called `name`.
        let nameKey = if case .text = fields["_name"] { "_name" } else { "name" }
        guard case .text(let name) = fields[nameKey] else { throw Refusal(id: id) }
        var prefixes: [CommandPrefix] = []
        if let flags = fields["_flags"] {
            guard case .list(let words) = flags else { throw Refusal(id: id) }
            for word in words {
                guard case .text(let word) = word, let prefix = CommandPrefix(rawValue: word) else {
                    throw Refusal(id: id)
                }
                prefixes.append(prefix)
            }
        }
        content = .named(name, fields.filter { ![nameKey, "_name", "_flags"].contains($0.name) })
        self.id = id
        apply(prefixes)
    }

    /// Of a text command. nil: it consists of prefixes only.
    init?(text words: [String]) {
        let prefixes = words.prefix { CommandPrefix(rawValue: $0) != nil }
        let rest = words.dropFirst(prefixes.count)
        guard let name = rest.first, !name.isEmpty else { return nil }
        content = .command(name, rest.dropFirst().map { .text($0) })
        id = nil
        expandsProperties = true
        apply(prefixes.compactMap { CommandPrefix(rawValue: $0) })
    }

    private mutating func apply(_ prefixes: [CommandPrefix]) {
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

/// What mpv allows before a command's name. Those that choose the on-screen display and the repeating of keys are taken
/// and change nothing.
private enum CommandPrefix: String {
    case async, sync, raw, repeatable
    case expandProperties = "expand-properties"
    case noOSD = "no-osd"
    case osdBar = "osd-bar"
    case osdMessage = "osd-msg"
    case osdMessageBar = "osd-msg-bar"
    case osdAuto = "osd-auto"
    case nonRepeatable = "nonrepeatable"
    case nonScalable = "nonscalable"
}
