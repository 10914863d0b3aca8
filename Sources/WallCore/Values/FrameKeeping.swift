/// Whether a frame keeps the frame that it was made of, with the samples as they were decoded.
public enum FrameKeeping: Sendable, Hashable {
    case none
    /// Where they have more than 8 bits: frames have no more.
    case deep
    case all
}
