import Base
import Commands

/// A property that a client observes, and its value sent last. Several observations may have the same id or name.
struct Observation {
    var id: Int
    var name: String
    var form: Form
    private(set) var sent = Sent.nothing

    enum Form: Hashable { case value, text }

    enum Sent: Equatable {
        case nothing
        case unavailable
        /// The value as JSON.
        case value([UInt8])
    }

    /// Returns the event's line if the value differs from the one sent last; nil if not.
    mutating func look(_ values: PropertyLook) -> [UInt8]? {
        let present = values.json(of: name, form).map { Sent.value($0) } ?? .unavailable
        guard present != sent else { return nil }
        sent = present
        // An id of 0 is left out, as in mpv.
        var line = JSONWriter.line(
            [PropertyField("event", .text(MPVEventName.propertyChange.rawValue))]
                + (id == 0 ? [] : [PropertyField("id", .integer(id))]) + [PropertyField("name", .text(name))])
        if case .value(let json) = present {
            line.removeLast(2)
            line += ",\"data\":".utf8
            line += json
            line += "}\n".utf8
        }
        return line
    }
}

/// A snapshot of properties. Each is read and written as JSON once, however many clients observe it.
final class PropertyLook {
    private var readings: PropertyReadings
    private var lines: [Observation.Form: [String: [UInt8]?]] = [:]

    init(_ target: any ControlTarget) { readings = PropertyReadings { target.property($0) } }

    /// Returns nil if the property has no value.
    fileprivate func json(of name: String, _ form: Observation.Form) -> [UInt8]? {
        if let known = lines[form]?[name] { return known }
        var json: [UInt8]?
        if case .success(let value) = readings.value(of: name) {
            json = JSONWriter.bytes(of: form == .text ? .text(value.asPropertyText) : value)
        }
        lines[form, default: [:]].updateValue(json, forKey: name)
        return json
    }
}
