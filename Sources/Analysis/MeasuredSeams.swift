/// Measured seams of one tile, from a trace.
public struct MeasuredSeams: Equatable, Sendable {
    public var count = 0
    /// Number of seams for which the trace has a reason.
    public var late = 0
    /// Delay of the latest seam, in milliseconds.
    public var worst = 0.0
    /// Reasons in the order of their first occurrence.
    public var reasons: [String] = []

    public init() {}

    mutating func add(late milliseconds: Double, _ reason: String?) {
        count += 1
        worst = max(worst, milliseconds)
        guard let reason else { return }
        late += 1
        if !reasons.contains(reason) { reasons.append(reason) }
    }
}
