import Base

extension TileGeometry {
    /// Returns the part of the final frame that is drawn, and its place within `rect`.
    ///
    /// The final frame is the upright one turned, then mirrored. `natural` is the upright frame's size in square pixels
    /// and `crop` a part of it, both before turn and flip. The returned crop is a part of the final frame.
    public static func fit(natural: Size, turn: Turn, flip: Flip, crop: Fractions, fit: Fit, rect: Rect)
        -> (crop: Fractions, target: Rect)
    {
        let crop = crop.turned(turn).flipped(flip)
        guard !rect.isEmpty, !natural.isEmpty else { return (crop, rect) }
        let frame = natural.turned(turn)
        let width = crop.width * Double(frame.width), height = crop.height * Double(frame.height)
        let rectWidth = Double(rect.width), rectHeight = Double(rect.height)
        let isWider = width * rectHeight > height * rectWidth

        switch fit {
        case .stretch: return (crop, rect)
        case .contain where isWider:
            let rows = rounded(height * rectWidth / width, in: 1...rect.height)
            return (crop, Rect(rect.x, rect.y + (rect.height - rows) / 2, rect.width, rows))
        case .contain:
            let columns = rounded(width * rectHeight / height, in: 1...rect.width)
            return (crop, Rect(rect.x + (rect.width - columns) / 2, rect.y, columns, rect.height))
        case .cover where isWider:
            let kept = crop.width * (height * rectWidth / rectHeight / width)
            return (Fractions(crop.x + (crop.width - kept) / 2, crop.y, kept, crop.height), rect)
        case .cover:
            let kept = crop.height * (width * rectHeight / rectWidth / height)
            return (Fractions(crop.x, crop.y + (crop.height - kept) / 2, crop.width, kept), rect)
        }
    }

    /// Returns the size that the whole final frame (after the turn) needs so that its largest view is drawn pixel by
    /// pixel. Never more than the source has; each side is at least 1. `natural` and the crops are before turn and
    /// flip, as for `fit`. A frame without views is 1x1.
    public static func decodeSize(natural: Size, turn: Turn, views: [(rect: Rect, fit: Fit, crop: Fractions)]) -> Size {
        let frame = natural.turned(turn)
        guard !frame.isEmpty else { return Size(1, 1) }
        var width = 1, height = 1
        for view in views where !view.rect.isEmpty {
            let crop = view.crop.turned(turn)
            var across = Double(view.rect.width) / (crop.width * Double(frame.width))
            var down = Double(view.rect.height) / (crop.height * Double(frame.height))
            switch view.fit {
            case .stretch: break
            case .contain: (across, down) = (min(across, down), min(across, down))
            case .cover: (across, down) = (max(across, down), max(across, down))
            }
            width = max(width, rounded(across * Double(frame.width), in: 1...frame.width))
            height = max(height, rounded(down * Double(frame.height), in: 1...frame.height))
        }
        return Size(width, height)
    }

    private static func rounded(_ value: Double, in range: ClosedRange<Int>) -> Int {
        Int(min(max(value.rounded(), Double(range.lowerBound)), Double(range.upperBound)))
    }
}
