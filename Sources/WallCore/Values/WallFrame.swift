/// A decoded frame, as far as the wall must know it; whose pixels they are is Media's.
public protocol WallFrame: AnyObject, Sendable {
    /// The whole upright frame in square pixels, turned, before scaling.
    var natural: Size { get }
    /// As it was scaled.
    var size: Size { get }
    /// Memory that it holds.
    var bytes: Int { get }
    /// How its frame was stored; nil for a frame that was drawn.
    var coded: CodedTraits? { get }
    /// Nothing beneath it can be seen.
    var isOpaque: Bool { get }
    /// Nothing can be seen of it. Looks at its pixels.
    var isBlack: Bool { get }
    /// Whether it has all that frames keep that are to keep so much.
    func keeps(_ keeping: FrameKeeping) -> Bool
    /// The pixel at so many parts of its width and height; nil: it has kept no frame.
    func values(atX x: Double, y: Double) -> PixelValues?
}

extension WallFrame {
    public var coded: CodedTraits? { nil }
}

/// An open source: the wall hands it from an opener to a pipeline and back, and knows nothing of it.
public protocol WallSource: AnyObject, Sendable {
    /// May take time.
    func close()
}
