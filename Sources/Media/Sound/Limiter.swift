/// Keeps a mix below full scale without clipping. Each block has a gain that changes linearly between its edges,
/// without jumps. The peak of the next block must be known.
public struct Limiter: Sendable {
    /// Largest sample, slightly below full scale.
    static let ceiling: Float = 0.98
    /// Factor by which the gain may recover in a block. 6 dB take about 350 blocks.
    static let recovery: Float = 1.002

    private var coming: Float = 1
    private var edge: Float = 1

    /// Least gain: a mix is never made silent for good.
    static let least: Float = 1e-4

    public init() {}

    /// Returns the gains at both edges of the block to be played. `peak`: peak of the block after it.
    public mutating func gains(nextPeak peak: Float) -> (first: Float, last: Float) {
        let next = peak > Self.ceiling ? max(Self.least, Self.ceiling / peak) : 1
        let first = edge
        edge = min(coming, next, first * Self.recovery, 1)
        coming = next
        return (first, edge)
    }
}
