/// Keeps a mix below full scale, without clipping and without a corner: a gain for each block, which bends in a
/// straight line from one block's edge to the next. It must know one block ahead what comes.
public struct Limiter: Sendable {
    /// A little below full scale.
    static let ceiling: Float = 0.98
    /// How much the gain may recover in a block, as a factor: 6 dB take about 350 blocks.
    static let recovery: Float = 1.002

    private var coming: Float = 1
    private var edge: Float = 1

    public init() {}

    /// `peak` is that of the block after the one that is to be played: the gains at that one's edges.
    public mutating func gains(nextPeak peak: Float) -> (first: Float, last: Float) {
        let next = peak > Self.ceiling ? Self.ceiling / peak : 1
        let first = edge
        edge = min(coming, next, first * Self.recovery, 1)
        coming = next
        return (first, edge)
    }
}
