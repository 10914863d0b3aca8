/// What one plane of two frames adds up to.
public struct PlaneSums: Hashable, Sendable {
    /// In either frame's plane.
    public var samples = 0
    /// Of the squared differences of all samples.
    public var squares: UInt64 = 0
    /// Of the SSIM of all windows.
    public var similarity = 0.0
    /// Of 8x8 samples, 4 apart. A plane that is smaller than one has none.
    public var windows = 0

    public init() {}
}
