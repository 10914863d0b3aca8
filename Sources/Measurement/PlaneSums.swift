/// Sums over one plane of two frames.
public struct PlaneSums: Hashable, Sendable {
    /// Number of samples of the plane.
    public var samples = 0
    /// Sum of the squared differences of all samples.
    public var squares: UInt64 = 0
    /// Sum of the SSIM of all windows.
    public var similarity = 0.0
    /// Number of windows of 8x8 samples, 4 apart. A smaller plane has none.
    public var windows = 0

    public init() {}
}
