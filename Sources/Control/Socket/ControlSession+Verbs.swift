import Glibc
import WallCore

/// What the session answers itself: words of the protocol, not commands.
extension ControlSession {
    enum VerbOutcome {
        /// nil: the reply has no data.
        case done(PropertyValue?)
        case refused(ControlError)
    }

    /// The version of mpv's client API that is spoken: 2.0, of mpv 0.35.
    private static let apiVersion = 2 << 16 | 0

    /// nil: `word` is no such word.
    func runVerb(_ word: String, _ arguments: [PropertyValue]) -> VerbOutcome? {
        switch word {
        case "client_name": .done(.text(name))
        case "get_time_us": .done(.integer(monotonicMicroseconds()))
        case "get_version": .done(.integer(ControlSession.apiVersion))
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

    private func getProperty(_ arguments: [PropertyValue]) -> VerbOutcome {
        guard arguments.count == 1, case .text(let name) = arguments[0] else { return .refused(.invalidParameter) }
        switch hub.target.property(name) {
        case .success(let value): return .done(value)
        case .failure(let error): return .refused(error)
        }
    }

    /// A property without a value is null and no error.
    private func getPropertyText(_ arguments: [PropertyValue]) -> VerbOutcome {
        guard arguments.count == 1, case .text(let name) = arguments[0] else { return .refused(.invalidParameter) }
        guard case .success(let value) = hub.target.property(name) else { return .done(.null) }
        return .done(.text(value.asPropertyText))
    }

    private func setProperty(_ arguments: [PropertyValue]) -> VerbOutcome {
        guard arguments.count == 2, case .text(let name) = arguments[0] else { return .refused(.invalidParameter) }
        return hub.target.setProperty(name, arguments[1]).map { .refused($0) } ?? .done(nil)
    }

    private func observe(_ arguments: [PropertyValue], _ form: Observation.Form) -> VerbOutcome {
        guard arguments.count == 2, case .integer(let id) = arguments[0], case .text(let name) = arguments[1],
            observations.count < ControlSession.mostObservations
        else { return .refused(.invalidParameter) }
        observations.append(Observation(id: id, name: name, form: form))
        return .done(nil)
    }

    private func unobserve(_ arguments: [PropertyValue]) -> VerbOutcome {
        guard arguments.count == 1, case .integer(let id) = arguments[0] else { return .refused(.invalidParameter) }
        observations.removeAll { $0.id == id }
        return .done(nil)
    }

    private func requestLogMessages(_ arguments: [PropertyValue]) -> VerbOutcome {
        guard arguments.count == 1, case .text(let word) = arguments[0],
            case .some(let level) = LogLevel.requested(word)
        else { return .refused(.invalidParameter) }
        logLevel = level
        return .done(nil)
    }

    private func setEvent(_ arguments: [PropertyValue], enabled: Bool) -> VerbOutcome {
        guard arguments.count == 1, case .text(let name) = arguments[0] else { return .refused(.invalidParameter) }
        if name == "all" {
            mask.setAll(enabled: enabled)
        } else if hub.eventNames.contains(name), enabled || name != "shutdown" {
            mask.set(name, enabled: enabled)
        } else {
            return .refused(.invalidParameter)
        }
        return .done(nil)
    }
}

private func monotonicMicroseconds() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1_000_000 + now.tv_nsec / 1000
}
