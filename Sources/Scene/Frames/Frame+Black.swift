import Base

extension Frame {
    /// True if no sample of a grid over the frame is visibly brighter than black.
    public var isBlack: Bool {
        switch format {
        case .i420(let colorimetry), .i444(let colorimetry):
            let black = colorimetry.range == .limited ? 16 : 0
            return isBelow(black + Self.darkest, bytes: 1)
        case .bgra(.opaque): return isBelow(Self.darkest, bytes: 4)
        case .bgra(.translucent): return false
        }
    }

    /// Distance above black; noise and the first frames of a slow fade lie below it.
    private static let darkest = 14
    private static let (columns, rows) = (48, 27)

    private func isBelow(_ limit: Int, bytes: Int) -> Bool {
        let across = max(1, size.width / Self.columns), down = max(1, size.height / Self.rows)
        for y in stride(from: down / 2, to: size.height, by: down) {
            let row = planes[0].base + y * planes[0].stride
            for x in stride(from: across / 2, to: size.width, by: across) {
                // The alpha byte of four is ignored.
                for byte in 0..<min(bytes, 3) where Int(row[x * bytes + byte]) > limit { return false }
            }
        }
        return true
    }
}
