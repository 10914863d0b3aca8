/// How a decoded frame was stored, and what its samples mean.
public struct CodedTraits: Hashable, Sendable {
    public var colorimetry: SourceColorimetry
    public var fields: FieldOrder
    public var isDeinterlaced: Bool

    public init(colorimetry: SourceColorimetry, fields: FieldOrder = .progressive, isDeinterlaced: Bool = false) {
        (self.colorimetry, self.fields, self.isDeinterlaced) = (colorimetry, fields, isDeinterlaced)
    }

    /// For people, short: `BT.709 (assumed), interlaced, top field first`.
    public var words: String {
        ([colorimetry.words] + [fields.words].compactMap { $0 } + (isDeinterlaced ? ["deinterlaced"] : []))
            .joined(separator: ", ")
    }
}

/// The order in which the two fields of a frame are shown.
public enum FieldOrder: Hashable, Sendable {
    case progressive, topFirst, bottomFirst

    /// nil for progressive frames, which need no words.
    public var words: String? {
        switch self {
        case .progressive: nil
        case .topFirst: "interlaced, top field first"
        case .bottomFirst: "interlaced, bottom field first"
        }
    }

    public var code: String {
        switch self {
        case .progressive: "progressive"
        case .topFirst: "top-first"
        case .bottomFirst: "bottom-first"
        }
    }
}

/// Which frames of an item are deinterlaced.
public enum Deinterlacing: Hashable, Sendable {
    case off
    /// Frames that are marked as interlaced.
    case marked
    /// Every frame: somebody said so of this very item.
    case all
}
