import Base
import Commands
import Protocols

/// The sessions of all clients, and the messages between them. Belongs to the thread "control".
final class ControlHub {
    let target: any ControlTarget
    let mailbox: ControlMailbox
    /// Event names that `enable_event` accepts: mpv's, and those of the target.
    let eventNames: Set<String>
    /// In the order of their connections.
    private(set) var sessions: [ControlSession] = []
    private var nextNumber = 0

    init(_ target: any ControlTarget, _ mailbox: ControlMailbox) {
        (self.target, self.mailbox) = (target, mailbox)
        eventNames = Set(MPVEventName.known).union(target.eventNames)
    }

    func open() -> ControlSession {
        let session = ControlSession(number: nextNumber, hub: self)
        nextNumber += 1
        sessions.append(session)
        return session
    }

    func close(_ session: ControlSession) { sessions.removeAll { $0 === session } }

    func deliver(_ answer: PendingAnswer) {
        guard let result = answer.result() else { return }
        for session in sessions { session.answered(answer, result) }
    }

    func post(_ event: ControlEvent) {
        var line: [UInt8]?
        for session in sessions where session.wants(event) {
            let bytes = line ?? event.line
            line = bytes
            session.post(bytes)
        }
    }

    /// Reports a command to the clients that log at debug level, as mpv does.
    func noteRun(_ command: ControlCommand) {
        guard sessions.contains(where: { $0.logLevel.map { .debug <= $0 } ?? false }) else { return }
        let fields: PropertyValue = [
            "prefix": .text("control"), "level": .text("debug"), "text": .text("Run command: \(command.name)\n"),
        ]
        post(ControlEvent(.logMessage, fields.fields))
    }

    /// Runs `script-message` or `script-message-to`, which concern clients only; nil if it is another command.
    func runMessage(_ command: ControlCommand, isNamed: Bool) -> Result<PropertyValue?, ControlError>? {
        guard command.name == "script-message" || command.name == "script-message-to" else { return nil }
        // In mpv, a command that takes any number of arguments takes no named arguments.
        if isNamed {
            let detail = "\(command.name) takes its arguments by position only"
            return .failure(ControlError(.invalidParameter, because: detail))
        }
        guard command.arguments.allSatisfy({ $0.asText != nil }) else {
            return .failure(ControlError(.invalidParameter, because: "\(command.name) takes texts only"))
        }
        if command.name == "script-message" {
            post(message(command.arguments))
            return .success(nil)
        }
        guard case .text(let name) = command.arguments.first else {
            return .failure(ControlError(.invalidParameter, because: "script-message-to takes a client's name first"))
        }
        guard let session = sessions.first(where: { $0.name == name }) else {
            let detail = "no client is called \(name.quoted); client_name returns a client's name"
            return .failure(ControlError(.commandError, because: detail))
        }
        let event = message(Array(command.arguments.dropFirst()))
        if session.wants(event) { session.post(event.line) }
        return .success(nil)
    }

    var interests: Set<ControlInterest> {
        var interests = Set<ControlInterest>()
        if sessions.contains(where: { !$0.wanted.isEmpty }) { interests.insert(.events) }
        if sessions.contains(where: { !$0.observations.isEmpty }) { interests.insert(.changes) }
        return interests
    }

    private func message(_ arguments: [PropertyValue]) -> ControlEvent {
        ControlEvent(.clientMessage, [PropertyField("args", .list(arguments))])
    }
}

extension ControlSession {
    fileprivate func wants(_ event: ControlEvent) -> Bool {
        guard wanted.contains(event.name) else { return false }
        guard event.name == MPVEventName.logMessage.rawValue else { return true }
        guard let logLevel, case .text(let word) = event.fields["level"], let level = LogLevel(rawValue: word) else {
            return false
        }
        return level <= logLevel
    }
}

extension ControlEvent {
    fileprivate var line: [UInt8] { JSONWriter.line([PropertyField("event", .text(name))] + fields) }
}
