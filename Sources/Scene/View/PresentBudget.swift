import Base

/// Keeps presents from taking more than a third of the main thread's time.
///
/// Late frames come one by one, each with a wake-up. A wall that can't keep up would spend its time on presents and
/// fall further behind. A few presents in a row are free, so that the user's input is shown at once.
public struct PresentBudget: Sendable {
    private var credit = Self.most
    private var counted: Time?
    private static let most = Time.milliseconds(30)
    /// Longest pause after one present. During a long present the display or the process may have been stopped.
    private static let longestRest = Time.milliseconds(600)

    public init() {}

    /// Returns the earliest time for the next present, if only a late frame waits for it.
    public mutating func rest(after began: Time, until ended: Time) -> Time {
        let passed = counted.map { ended - $0 } ?? .zero
        counted = ended
        credit = min(Self.most, credit + passed / 3) - (ended - began)
        credit = max(credit, .zero - Self.longestRest / 3)
        return credit < .zero ? ended - credit * 3 : ended
    }
}
