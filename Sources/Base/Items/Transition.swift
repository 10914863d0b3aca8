/// Transition from one item to the next.
public enum Transition: Sendable, Hashable {
    case cut
    /// The later item fades in over the earlier one for this time.
    case fade(Time)

    public static let longest = Time.seconds(2)

    public var length: Time { if case .fade(let length) = self { length } else { .zero } }
}
