/// What a trace says of one tile's seams.
public struct MeasuredSeams: Equatable, Sendable {
    public var count = 0
    /// Those for which a reason stands there.
    public var late = 0
    /// In milliseconds.
    public var worst = 0.0
    /// Each once, in their order.
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
