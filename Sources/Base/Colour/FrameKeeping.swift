/// Selects the frames that keep the decoded frame they were scaled from, with its original samples.
///
/// All frames keep it while figures are on. Those that are shown with less than they have also keep it while they are
/// compared (`DeepColours`).
public enum FrameKeeping: Sendable, Hashable {
    case none
    /// Frames with more than 8 bits a sample, and those of HDR or of a wide gamut: scaled frames have 8 bits, and colours
    /// for the display.
    case reduced
    case all

    /// Returns true if a frame with samples of so many bits is among them.
    public func includes(bits: Int, _ colorimetry: SourceColorimetry?) -> Bool {
        switch self {
        case .none: false
        case .reduced: bits > 8 || colorimetry.map { $0.isHDR || $0.isWide } ?? false
        case .all: true
        }
    }
}
