/// Keeps presents from taking more than a third of the main thread's time.
///
/// Frames that are late come one by one, each with a wake-up: a wall that can't keep up would spend its time on
/// presents, and could keep up even less. A few presents in a row are free: hands don't wait.
public struct PresentBudget: Sendable {
    private var credit = Self.most
    private var counted: Time?
    private static let most = Time.milliseconds(30)
    /// After one present that took long the display, or the whole process, may have stood still.
    private static let longestRest = Time.milliseconds(600)

    public init() {}

    /// When the next present that is due by nothing but a late frame may begin.
    public mutating func rest(after began: Time, until ended: Time) -> Time {
        let passed = counted.map { ended - $0 } ?? .zero
        counted = ended
        credit = min(Self.most, credit + passed / 3) - (ended - began)
        credit = max(credit, .zero - Self.longestRest / 3)
        return credit < .zero ? ended - credit * 3 : ended
    }
}
