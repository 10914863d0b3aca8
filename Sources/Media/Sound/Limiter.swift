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

/// Limits a mix block by block, one block behind. A value, so that the mixer can go back to a snapshot of it.
struct MixLimiter {
    private var limiter = Limiter()
    /// The block that the limiter looks ahead to.
    private var coming: [Float]

    /// `first`: the samples that come out before the first block.
    init(first: [Float]) { coming = first }

    /// Takes a block. Returns the one before, limited.
    mutating func limit(_ block: [Float]) -> [Float] {
        var peak: Float = 0
        for sample in block { peak = max(peak, abs(sample)) }
        let (first, last) = limiter.gains(nextPeak: peak)
        defer { coming = block }
        guard first != 1 || last != 1 else { return coming }
        let step = (last - first) / Float(Mix.block)
        for index in coming.indices { coming[index] *= first + step * Float(index / 2) }
        return coming
    }
}
