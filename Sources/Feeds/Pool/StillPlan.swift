import Base

/// Plan for decoding a still image: its size, and whether it keeps its decoded samples.
public struct StillPlan: Sendable, Equatable {
    public let size: Size
    public let keeping: FrameKeeping

    public init(size: Size, keeping: FrameKeeping) {
        (self.size, self.keeping) = (size, keeping)
    }
}
