/// Keeps a mix below full scale without clipping, block by block and one block behind: the peak of the next block must be
/// known. Each block has a gain that changes linearly between its edges, without jumps. A value, so that the mixer can go
/// back to a snapshot of it.
struct Limiter {
    /// Largest sample, slightly below full scale.
    static let ceiling: Float = 0.98
    /// Factor by which the gain may recover in a block. 6 dB take about 350 blocks.
    static let recovery: Float = 1.002
    /// Least gain: a mix is never made silent for good.
    static let least: Float = 1e-4

    private var coming: Float = 1
    private var edge: Float = 1
    /// The block that the limiter looks ahead to.
    private var block: [Float]

    /// `first`: the samples that come out before the first block.
    init(first: [Float] = []) { block = first }

    /// Returns the gains at both edges of the block to be played. `peak`: peak of the block after it.
    mutating func gains(nextPeak peak: Float) -> (first: Float, last: Float) {
        let next = peak > Self.ceiling ? max(Self.least, Self.ceiling / peak) : 1
        let first = edge
        edge = min(coming, next, first * Self.recovery, 1)
        coming = next
        return (first, edge)
    }

    /// Takes a block. Returns the one before, limited.
    mutating func limit(_ next: [Float]) -> [Float] {
        var peak: Float = 0
        for sample in next { peak = max(peak, abs(sample)) }
        let (first, last) = gains(nextPeak: peak)
        defer { block = next }
        guard first != 1 || last != 1 else { return block }
        let step = (last - first) / Float(Mix.block)
        for index in block.indices { block[index] *= first + step * Float(index / 2) }
        return block
    }
}
