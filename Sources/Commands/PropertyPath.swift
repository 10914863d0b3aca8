import Base

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
