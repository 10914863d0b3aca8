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
