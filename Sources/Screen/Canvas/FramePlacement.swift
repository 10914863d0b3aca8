import Base
import Decoded

/// Whole pixels of a frame, and where they are drawn so that a part of the frame fills a rect.
///
/// When enlarged, the part may begin and end within a pixel. More than the rect is then drawn, and the surplus is
/// clipped.
struct FramePlacement {
    let source: Rect
    let target: Rect
    /// True if pixels are drawn as squares.
    let isMagnified: Bool

    init(of frame: Frame, crop: Fractions, in target: Rect) {
        let size = frame.size, step = frame.format.chromaStep
        let (across, columns, width) = Self.side(crop.x, crop.width, size.width, step, target.x, target.width)
        let (down, rows, height) = Self.side(crop.y, crop.height, size.height, step, target.y, target.height)
        guard crop != .all, min(across, down) > 1.0001,
            Self.isWithin(width.count, target.width), Self.isWithin(height.count, target.height)
        else {
            (source, self.target, isMagnified) = (frame.pixels(of: crop), target, false)
            return
        }
        source = Rect(columns.lowerBound, rows.lowerBound, columns.count, rows.count)
        self.target = Rect(width.lowerBound, height.lowerBound, width.count, height.count)
        isMagnified = min(across, down) >= 1.9999
    }

    private static func side(
        _ start: Double, _ length: Double, _ whole: Int, _ step: Int, _ target: Int, _ pixels: Int
    ) -> (scale: Double, source: Range<Int>, target: Range<Int>) {
        let scale = Double(pixels) / max(length * Double(whole), 1e-6)
        let from = start * Double(whole), to = from + length * Double(whole)
        let first = max(0, Int((from / Double(step)).rounded(.down)) * step)
        let last = min(whole, max(first + 1, Int((to / Double(step)).rounded(.up)) * step))
        // Clamps places far outside of the window, which are never drawn. `isWithin` rejects a size that is too large.
        func place(_ pixel: Int) -> Int { target + Int(min(max((Double(pixel) - from) * scale, -1e9), 1e9).rounded()) }
        let (begin, end) = (place(first), place(last))
        return (scale, first..<last, begin..<max(begin + 1, end))
    }

    /// True if little more than the target is drawn. A part of few pixels would be drawn many times as large as the
    /// target, in memory that depends on the layout's crop alone. Such a part is drawn on whole pixels instead.
    private static func isWithin(_ drawn: Int, _ target: Int) -> Bool { drawn <= 2 * target + 64 }
}
