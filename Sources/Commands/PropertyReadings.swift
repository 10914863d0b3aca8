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
