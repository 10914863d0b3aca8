/// A decoded frame as the wall sees it; only Media accesses the pixels.
public protocol WallFrame: AnyObject, Sendable {
    /// The whole upright frame in square pixels, turned, before scaling.
    var natural: Size { get }
    /// Size after scaling.
    var size: Size { get }
    /// Memory in use, in bytes.
    var bytes: Int { get }
    /// Properties of the coded frame; nil for a frame that was drawn.
    var coded: CodedTraits? { get }
    /// True if nothing beneath the frame shows through.
    var isOpaque: Bool { get }
    /// True if the frame is black all over. Reads the pixels.
    var isBlack: Bool { get }
    /// True if the frame keeps everything that `keeping` asks for.
    func keeps(_ keeping: FrameKeeping) -> Bool
    /// The pixel at these fractions of width and height; nil if the decoded frame was not kept.
    func values(atX x: Double, y: Double) -> PixelValues?
}

extension WallFrame {
    public var coded: CodedTraits? { nil }
}
