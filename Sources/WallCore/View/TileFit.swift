extension TileGeometry {
    /// Which part of the final picture is drawn, and where within `frame`.
    ///
    /// The final picture is the upright one turned, then mirrored. `natural` is the upright picture's size in square
    /// pixels and `crop` a part of it, both before turn and flip; the crop given back is a part of the final picture.
    public static func fit(natural: Size, turn: Turn, flip: Flip, crop: Fractions, fit: Fit, frame: Rect)
        -> (crop: Fractions, target: Rect)
    {
        let crop = crop.turned(turn).flipped(flip)
        guard !frame.isEmpty, !natural.isEmpty else { return (crop, frame) }
        let picture = natural.turned(turn)
        let width = crop.width * Double(picture.width), height = crop.height * Double(picture.height)
        let frameWidth = Double(frame.width), frameHeight = Double(frame.height)
        let isWider = width * frameHeight > height * frameWidth

        switch fit {
        case .stretch: return (crop, frame)
        case .contain where isWider:
            let rows = rounded(height * frameWidth / width, in: 1...frame.height)
            return (crop, Rect(frame.x, frame.y + (frame.height - rows) / 2, frame.width, rows))
        case .contain:
            let columns = rounded(width * frameHeight / height, in: 1...frame.width)
            return (crop, Rect(frame.x + (frame.width - columns) / 2, frame.y, columns, frame.height))
        case .cover where isWider:
            let kept = crop.width * (height * frameWidth / frameHeight / width)
            return (Fractions(crop.x + (crop.width - kept) / 2, crop.y, kept, crop.height), frame)
        case .cover:
            let kept = crop.height * (width * frameHeight / frameWidth / height)
            return (Fractions(crop.x, crop.y + (crop.height - kept) / 2, crop.width, kept), frame)
        }
    }

    /// The size that the whole final picture (after the turn) needs so that its largest view is drawn pixel by
    /// pixel, but never more than the source has; each side at least 1. `natural` and the crops are
    /// before turn and flip, as for `fit`. A picture nobody views is 1x1.
    public static func decodeSize(natural: Size, turn: Turn, views: [(frame: Rect, fit: Fit, crop: Fractions)]) -> Size
    {
        let picture = natural.turned(turn)
        guard !picture.isEmpty else { return Size(1, 1) }
        var width = 1, height = 1
        for view in views where !view.frame.isEmpty {
            let crop = view.crop.turned(turn)
            var across = Double(view.frame.width) / (crop.width * Double(picture.width))
            var down = Double(view.frame.height) / (crop.height * Double(picture.height))
            switch view.fit {
            case .stretch: break
            case .contain: (across, down) = (min(across, down), min(across, down))
            case .cover: (across, down) = (max(across, down), max(across, down))
            }
            width = max(width, rounded(across * Double(picture.width), in: 1...picture.width))
            height = max(height, rounded(down * Double(picture.height), in: 1...picture.height))
        }
        return Size(width, height)
    }

    private static func rounded(_ value: Double, in range: ClosedRange<Int>) -> Int {
        Int(min(max(value.rounded(), Double(range.lowerBound)), Double(range.upperBound)))
    }
}

extension Size {
    /// As it is after a turn.
    public func turned(_ turn: Turn) -> Size {
        switch turn {
        case .none, .half: self
        case .quarter, .threeQuarters: Size(height, width)
        }
    }
}

extension Fractions {
    /// The same part after the picture was turned clockwise.
    public func turned(_ turn: Turn) -> Fractions {
        switch turn {
        case .none: self
        case .quarter: Fractions(max(0, 1 - (y + height)), x, height, width)
        case .half: Fractions(max(0, 1 - (x + width)), max(0, 1 - (y + height)), width, height)
        case .threeQuarters: Fractions(y, max(0, 1 - (x + width)), height, width)
        }
    }

    /// The same part after the picture was mirrored.
    public func flipped(_ flip: Flip) -> Fractions {
        switch flip {
        case .none: self
        case .horizontal: Fractions(max(0, 1 - (x + width)), y, width, height)
        case .vertical: Fractions(x, max(0, 1 - (y + height)), width, height)
        }
    }
}
