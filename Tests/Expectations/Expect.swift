import Testing

// Expectations as functions. Compiling `#expect` of Swift Testing takes some 40 ms a time, which for 5,000 of them was
// half of a build; these take a tenth. `#expect(throws:)` stays as it is.

/// Records an issue if the condition is false.
public func expect(
    _ condition: Bool, _ comment: @autoclosure () -> Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
    if !condition { record("it is false", comment(), sourceLocation) }
}

/// Records an issue if the values differ.
public func expect<Value: Equatable>(
    _ value: Value, equals other: Value, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    if value != other { record("\(value) does not equal \(other)", comment(), sourceLocation) }
}

/// Records an issue if the value is not less than the limit.
public func expect<Value: Comparable>(
    _ value: Value, below limit: Value, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    if !(value < limit) { record("\(value) is not below \(limit)", comment(), sourceLocation) }
}

/// Records an issue if the value is not greater than the limit.
public func expect<Value: Comparable>(
    _ value: Value, above limit: Value, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    if !(value > limit) { record("\(value) is not above \(limit)", comment(), sourceLocation) }
}

/// Records an issue if the value is greater than the limit.
public func expect<Value: Comparable>(
    _ value: Value, atMost limit: Value, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    if !(value <= limit) { record("\(value) is more than \(limit)", comment(), sourceLocation) }
}

/// Records an issue if the value is less than the limit.
public func expect<Value: Comparable>(
    _ value: Value, atLeast limit: Value, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    if !(value >= limit) { record("\(value) is less than \(limit)", comment(), sourceLocation) }
}

private func record(_ what: String, _ comment: Comment?, _ place: SourceLocation) {
    Issue.record("\(what)\(comment.map { ": \($0.rawValue)" } ?? "")", sourceLocation: place)
}
