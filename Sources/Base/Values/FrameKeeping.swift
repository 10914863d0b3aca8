/// Selects the frames that keep the decoded frame they were scaled from, with its original samples.
///
/// All frames keep it while figures are on. Frames with more than 8 bits a sample also keep it while they are compared
/// (`DeepColours`).
public enum FrameKeeping: Sendable, Hashable {
    case none
    /// Frames with more than 8 bits a sample; scaled frames have only 8.
    case deep
    case all
}
