import Base
import Commands
import Protocols
import Threads

/// The requests of one client and the output for it. Belongs to the thread "control" and knows no socket.
///
/// A command without an immediate answer holds up the client's next requests and the events that come meanwhile. A
/// reply is sent before the events that the command caused, as in mpv.
final class ControlSession {
    /// Most unanswered `async` commands; further ones are refused.
    static let mostAsync = 1000
    static let mostObservations = 4096

    typealias Reply = Result<PropertyValue?, ControlError>

    let number: Int
    var name: String { "ipc_\(number)" }

    /// Replies, in the order of the requests.
    private(set) var replies: [UInt8] = []
    /// Events and replies to `async` commands. Sent after `replies`, and not while a request waits.
    private(set) var events: [UInt8] = []
    /// Names of the events that the client wants: all until it disables some.
    var wanted: Set<String>
    var logLevel: LogLevel?
    var observations: [Observation] = [] { didSet { hasNewObservations = true } }
    /// True while an observation has not been compared yet.
    private(set) var hasNewObservations = false
    /// Number of observations that were compared in a look that is not complete.
    private var compared = 0

    unowned let hub: ControlHub
    /// The unrun rest of a line of text commands, the next one last.
    private var queue: [ControlRequest] = []
    private var awaited: (answer: PendingAnswer, request: ControlRequest)?
    private var asyncRequests: [ObjectIdentifier: (answer: PendingAnswer, request: ControlRequest)] = [:]

    init(number: Int, hub: ControlHub) { (self.number, self.hub, wanted) = (number, hub, hub.eventNames) }

    /// True while a request has no answer yet. No further request of this client is run then.
    var isWaiting: Bool { awaited != nil }
    /// True if `runNext` must be called before the client's next line is taken.
    var hasQueue: Bool { !queue.isEmpty }

    /// Runs one JSON line, or queues the commands of a text line. `line` has no line feed.
    func take(_ line: ArraySlice<UInt8>) {
        precondition(!isWaiting && !hasQueue, "a line was taken before the one before was done")
        // A zero byte ends the text, as in C.
        let line = line.prefix { $0 != 0 }.drop(while: isSpace)
        switch line.first {
        case nil, UInt8(ascii: "#"): return
        case UInt8(ascii: "{"):
            do throws(ControlRequest.Refusal) {
                run(try ControlRequest(json: line + [0]))
            } catch {
                reply(error.id, .failure(error.error), hasData: false)
            }
        default:
            do throws(ControlError) { queue = try ControlRequest.commands(inText: Array(line)).reversed() } catch {
                reply(nil, .failure(error), hasData: false)
            }
        }
    }

    func runNext() {
        precondition(!isWaiting, "a command was run while another waits")
        if let request = queue.popLast() { run(request) }
    }

    /// Takes a late answer. Ignores those to other sessions.
    func answered(_ answer: PendingAnswer, _ result: Reply) {
        if let (awaitedAnswer, request) = awaited, awaitedAnswer === answer {
            awaited = nil
            finish(request, result)
        } else if let (_, request) = asyncRequests.removeValue(forKey: ObjectIdentifier(answer)) {
            finish(request, result)
        }
    }

    func post(_ line: [UInt8]) { events += line }

    /// Posts the observed properties with other values than those posted last. Stops at `isLate`, and goes on from there
    /// in the next call. Returns true if all were compared.
    @discardableResult
    func look(_ values: PropertyLook, until isLate: () -> Bool = { false }) -> Bool {
        var observations = observations, place = hasNewObservations ? 0 : compared
        while place < observations.count {
            if let line = observations[place].look(values) { post(line) }
            place += 1
            if isLate() { break }
        }
        let isWhole = place >= observations.count
        self.observations = observations
        (hasNewObservations, compared) = (false, isWhole ? 0 : place)
        return isWhole
    }

    /// Returns and removes the output that may be sent now.
    func takeOutput() -> [UInt8] {
        defer { replies = [] }
        guard !isWaiting else { return replies }
        defer { events = [] }
        return replies + events
    }

    private func run(_ request: ControlRequest) {
        if request.mayBeVerb, let outcome = runVerb(request.name, request.arguments) {
            let hasData = if case .success(.some) = outcome { true } else { false }
            return reply(request.id, outcome, hasData: hasData)
        }
        var (arguments, fields) = (request.arguments, request.named ?? [])
        if request.expandsProperties {
            arguments = expanded(arguments)
            fields = zip(fields, expanded(fields.map(\.value))).map { PropertyField($0.name, $1) }
        }
        let command = ControlCommand(ControlCommand.name(of: request.name), arguments, named: fields, client: name)
        hub.noteRun(command)
        let result = hub.runMessage(command, isNamed: request.named != nil)
        if let result { finish(request, result) } else { pass(command, request) }
    }

    private func pass(_ command: ControlCommand, _ request: ControlRequest) {
        if request.wait == .not, asyncRequests.count >= ControlSession.mostAsync {
            let detail = "\(ControlSession.mostAsync) commands of this client wait for their answers already"
            return reply(request.id, .failure(ControlError(.commandError, because: detail)), hasData: true)
        }
        let answer = PendingAnswer(hub.mailbox)
        hub.target.run(command) { answer.give($0) }
        if let result = answer.result() { return finish(request, result) }
        switch request.wait {
        case .untilAnswered: awaited = (answer, request)
        case .not: asyncRequests[ObjectIdentifier(answer)] = (answer, request)
        case .notEvenReply: finish(request, .success(nil))
        }
    }

    private func finish(_ request: ControlRequest, _ result: Reply) {
        // mpv refuses malformed requests before it starts them. A later failure of an async request has "data" in its
        // reply.
        let isRefused = if case .failure(.invalidParameter) = result { true } else { false }
        switch (request.wait, result) {
        case (.untilAnswered, .success): reply(request.id, result, hasData: true)
        case (.untilAnswered, .failure): reply(request.id, result, hasData: false)
        case (.not, _) where isRefused: reply(request.id, result, hasData: false)
        case (.not, _): post(replyLine(request.id ?? .integer(0), result, hasData: true))
        case (.notEvenReply, _): reply(request.id, isRefused ? result : .success(nil), hasData: !isRefused)
        }
    }

    private func reply(_ id: PropertyValue?, _ result: Reply, hasData: Bool) {
        if let id {
            replies += replyLine(id, result, hasData: hasData)
        } else if case .failure(let error) = result {
            replies += Array(error.line.utf8)
        }
    }

    /// Writes `data` first and `error` last even where mpv orders them otherwise: scripts cut the data out between the
    /// two. `detail` is not in mpv.
    private func replyLine(_ id: PropertyValue, _ result: Reply, hasData: Bool) -> [UInt8] {
        let data: PropertyValue, error: String
        var detail: [PropertyField] = []
        switch result {
        case .success(let value): (data, error) = (value ?? .null, "success")
        case .failure(let failure):
            (data, error) = (.null, failure.word.rawValue)
            detail = failure.detail.map { [PropertyField("detail", .text($0))] } ?? []
        }
        return JSONWriter.line(
            (hasData ? [PropertyField("data", data)] : []) + [PropertyField("request_id", id)] + detail
                + [PropertyField("error", .text(error))])
    }

    private func expanded(_ values: [PropertyValue]) -> [PropertyValue] {
        let target = hub.target
        var expansion = PropertyExpansion { target.property($0) }
        return values.map { value in
            guard case .text(let text) = value else { return value }
            return .text(expansion.expanded(text))
        }
    }

    // MARK: words of the protocol that the session answers itself

    /// Version of mpv's client API that is implemented: 2.0, of mpv 0.35.
    private static let apiVersion = 2 << 16 | 0

    /// Returns the data of the reply, nil if the reply has none. Returns nil if `word` is not a word of the protocol.
    func runVerb(_ word: String, _ arguments: [PropertyValue]) -> Reply? {
        switch word {
        case "client_name": .success(.text(name))
        case "get_time_us": .success(.integer(Int(monotonicNanoseconds() / 1000)))
        case "get_version": .success(.integer(ControlSession.apiVersion))
        case "get_property": getProperty(arguments)
        case "get_property_string": getPropertyText(arguments)
        case "set_property", "set_property_string": setProperty(arguments)
        case "observe_property": observe(arguments, .value)
        case "observe_property_string": observe(arguments, .text)
        case "unobserve_property": unobserve(arguments)
        case "request_log_messages": requestLogMessages(arguments)
        case "enable_event": setEvent(arguments, enabled: true)
        case "disable_event": setEvent(arguments, enabled: false)
        default: nil
        }
    }

    private func wants(_ arguments: String) -> Reply {
        .failure(ControlError(.invalidParameter, because: "it takes \(arguments)"))
    }

    private func getProperty(_ arguments: [PropertyValue]) -> Reply {
        guard arguments.count == 1, case .text(let name) = arguments[0] else { return wants("a property's name") }
        switch hub.target.property(name) {
        case .success(let value): return .success(value)
        case .failure(let error): return .failure(error.detailed(hub.target.reason(error, of: name)))
        }
    }

    /// Answers null, not an error, for a property without a value.
    private func getPropertyText(_ arguments: [PropertyValue]) -> Reply {
        guard arguments.count == 1, case .text(let name) = arguments[0] else { return wants("a property's name") }
        guard case .success(let value) = hub.target.property(name) else { return .success(.null) }
        return .success(.text(value.asPropertyText))
    }

    private func setProperty(_ arguments: [PropertyValue]) -> Reply {
        guard arguments.count == 2, case .text(let name) = arguments[0] else {
            return wants("a property's name and its value")
        }
        guard let error = hub.target.setProperty(name, arguments[1]) else { return .success(nil) }
        return .failure(error.detailed(hub.target.reason(error, of: name)))
    }

    private func observe(_ arguments: [PropertyValue], _ form: Observation.Form) -> Reply {
        guard arguments.count == 2, case .integer(let id) = arguments[0], case .text(let name) = arguments[1] else {
            return wants("a whole number, which its events repeat, and a property's name")
        }
        guard observations.count < ControlSession.mostObservations else {
            let detail = "this client observes \(ControlSession.mostObservations) properties already"
            return .failure(ControlError(.invalidParameter, because: detail))
        }
        observations.append(Observation(id: id, name: name, form: form))
        return .success(nil)
    }

    private func unobserve(_ arguments: [PropertyValue]) -> Reply {
        guard arguments.count == 1, case .integer(let id) = arguments[0] else {
            return wants("the whole number that was given to observe_property")
        }
        observations.removeAll { $0.id == id }
        return .success(nil)
    }

    private func requestLogMessages(_ arguments: [PropertyValue]) -> Reply {
        guard arguments.count == 1, case .text(let word) = arguments[0],
            case .some(let level) = LogLevel.requested(word)
        else { return wants("a level: no, fatal, error, warn, info, v, debug or trace") }
        logLevel = level
        return .success(nil)
    }

    private func setEvent(_ arguments: [PropertyValue], enabled: Bool) -> Reply {
        guard arguments.count == 1, case .text(let name) = arguments[0] else { return wants("an event's name, or all") }
        // Clients can't disable `shutdown` by its name, as in mpv.
        let shutdown = MPVEventName.shutdown.rawValue
        if name == "all" {
            wanted = enabled ? hub.eventNames : []
        } else if hub.eventNames.contains(name), enabled || name != shutdown {
            if enabled { wanted.insert(name) } else { wanted.remove(name) }
        } else {
            let near = nearest(to: name, among: hub.eventNames.sorted()).map { "; did you mean \($0.quoted)?" } ?? ""
            let detail = name == shutdown ? "\(shutdown) can't be disabled" : "no event is called \(name.quoted)" + near
            return .failure(ControlError(.invalidParameter, because: detail))
        }
        return .success(nil)
    }
}

extension ControlError {
    /// Reply to a text command that failed.
    fileprivate var line: String { "error: \(word.rawValue)\(detail.map { ": \($0.printable)" } ?? "")\n" }
}
