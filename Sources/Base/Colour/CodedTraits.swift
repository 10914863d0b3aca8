/// Properties of a coded frame: interlacing, and the meaning of its samples.
public struct CodedTraits: Hashable, Sendable {
    public var colorimetry: SourceColorimetry
    public var fields: FieldOrder
    public var isDeinterlaced: Bool
    /// FFmpeg's name of the pixel format; nil for a frame that was not decoded.
    public var pixelFormat: String?
    /// Size of the coded frame.
    public var size: Size?

    public init(
        colorimetry: SourceColorimetry, fields: FieldOrder = .progressive, isDeinterlaced: Bool = false,
        pixelFormat: String? = nil, size: Size? = nil
    ) {
        (self.colorimetry, self.fields, self.isDeinterlaced) = (colorimetry, fields, isDeinterlaced)
        (self.pixelFormat, self.size) = (pixelFormat, size)
    }

    /// Short text for the user: `BT.709 (assumed), interlaced, top field first`.
    public var words: String {
        ([colorimetry.words] + [fields.words].compactMap { $0 } + (isDeinterlaced ? ["deinterlaced"] : []))
            .joined(separator: ", ")
    }
}

/// The order in which the two fields of a frame are shown.
public enum FieldOrder: String, Hashable, Sendable {
    case progressive
    case topFirst = "top-first"
    case bottomFirst = "bottom-first"

    /// nil for progressive frames.
    public var words: String? {
        self == .progressive ? nil : "interlaced, \(self == .topFirst ? "top" : "bottom") field first"
    }
}

/// Selects the frames of an item that are deinterlaced.
public enum Deinterlacing: Hashable, Sendable {
    case off
    /// Frames that are marked as interlaced.
    case marked
    /// Every frame, because the layout states it for this item.
    case all
}
