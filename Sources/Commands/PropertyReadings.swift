import Base

/// Values of properties at about one instant. Each is read once, and all parts of a value are taken from one reading of
/// it, so that many paths into a large object cost little more than the object.
public struct PropertyReadings {
    public typealias Reading = Result<PropertyValue, ControlError>

    private let read: (String) -> Reading
    private var known: [String: Reading] = [:]

    /// `read`: reads a property by its name, or by a path into its value.
    public init(_ read: @escaping (String) -> Reading) { self.read = read }

    public mutating func value(of path: String) -> Reading {
        if let reading = known[path] { return reading }
        let steps = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        // A property of one tile or group costs less than all of them.
        let isDirect = steps.count == 1 || ["tiles", "groups"].contains(steps[0])
        let reading = isDirect ? read(path) : value(of: steps[0]).flatMap { $0.part(at: steps[1...]) }
        known[path] = reading
        return reading
    }
}

extension PropertyValue {
    /// Follows a path into the value: into lists by index, `count` or an object's name, into objects by a field's name.
    public func part(at path: ArraySlice<String>) -> Result<PropertyValue, ControlError> {
        guard let step = path.first else { return .success(self) }
        let next: PropertyValue?
        switch self {
        case .list(let values) where step == "count": next = .integer(values.count)
        case .list(let values):
            next =
                values.first { $0["name"] == .text(step) }
                ?? Int(step).flatMap { values.indices.contains($0) ? values[$0] : nil }
        case .object(let fields): next = fields[step]
        default: next = nil
        }
        guard let next else { return .failure(.propertyNotFound) }
        return next.part(at: path.dropFirst())
    }
}
