import func Glibc.log10

/// Level of a microphone on a meter: steps of two decibels up to full scale.
public struct InputLevel: Hashable, Sendable {
    /// From 0, for silence, to `steps`.
    public let step: Int

    public static let steps = 24
    private static let decibelsPerStep = 2.0

    /// `peak`: greatest sample, from 0 to 1.
    public init(peak: Float) {
        guard peak.isFinite, peak > 0 else {
            step = 0
            return
        }
        let step = Double(Self.steps) + 20 * log10(Double(peak)) / Self.decibelsPerStep
        self.step = max(0, min(Self.steps, Int(step.rounded(.down))))
    }

    public var fraction: Double { Double(step) / Double(Self.steps) }
    /// True if the sound is at full scale, where it is distorted.
    public var isFull: Bool { step == Self.steps }
}
