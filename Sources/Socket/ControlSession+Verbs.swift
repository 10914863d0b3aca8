import Base
import Commands
import Threads

/// The words of the protocol that the session answers itself; commands go to the target.
extension ControlSession {
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
