import Base
import CYUV
import Decoded
import Media

/// A part of a frame, or of a scaled frame. Does not own its planes.
struct PixelSource {
    var size: Size
    var format: Frame.Format
    var planes: [Frame.Plane]

    /// Effect of translucent pixels on those beneath.
    enum Manner { case over, replacing }
}

extension PixelSource {
    /// `part`: in 4:2:0 its corner must be on even pixels.
    init(_ frame: Frame, part: Rect) {
        self.init(size: part.size, format: frame.format, planes: frame.planes)
        planes = planes.indices.map { plane($0, from: part) }
    }

    /// Returns a plane from the corner of `part` on.
    private func plane(_ number: Int, from part: Rect) -> Frame.Plane {
        let plane = planes[number], step = format.step(ofPlane: number)
        return Frame.Plane(
            base: plane.base + part.y / step * plane.stride + part.x / step * bytesOfPixel, stride: plane.stride)
    }

    var bytesOfPixel: Int { if case .bgra = format { 4 } else { 1 } }

    /// Draws the part within `clip` of a source that fills `target`.
    func draw(_ clip: Rect, of target: Rect, into raster: Raster, _ manner: Manner = .over) {
        let seen = clip.intersection(target)
        let part = Rect(seen.x - target.x, seen.y - target.y, seen.width, seen.height)
        draw(part, into: raster, x: seen.x, y: seen.y, manner)
    }

    /// Draws `part` with its corner at (x, y): converted, or blended if it is translucent. A pixel looks the same
    /// whatever the part.
    func draw(_ part: Rect, into raster: Raster, x: Int, y: Int, _ manner: Manner = .over) {
        if part.isEmpty { return }
        switch format {
        case .i420(let colorimetry), .i444(let colorimetry):
            // libyuv assumes that its first pixel is the left or upper one of those that share a chroma sample. A part
            // that begins at an odd place is therefore drawn in two steps.
            let step = format.chromaStep
            if part.x % step == 1, part.width > 1 {
                draw(Rect(part.x, part.y, 1, part.height), into: raster, x: x, y: y)
                return draw(Rect(part.x + 1, part.y, part.width - 1, part.height), into: raster, x: x + 1, y: y)
            }
            if part.y % step == 1, part.height > 1 {
                draw(Rect(part.x, part.y, part.width, 1), into: raster, x: x, y: y)
                return draw(Rect(part.x, part.y + 1, part.width, part.height - 1), into: raster, x: x, y: y + 1)
            }
            let (luma, u, v) = (plane(0, from: part), plane(1, from: part), plane(2, from: part))
            let convert = step == 2 ? I420ToARGBMatrix : I444ToARGBMatrix
            _ = convert(
                luma.base, Int32(luma.stride), u.base, Int32(u.stride), v.base, Int32(v.stride),
                raster.at(x, y), Int32(raster.stride), yuvConstants(colorimetry),
                Int32(part.width), Int32(part.height))
        case .bgra(let opacity):
            let plane = plane(0, from: part)
            if opacity == .translucent, manner == .over {
                raster.blend(plane.base, plane.stride, Rect(x, y, part.width, part.height))
            } else {
                ARGBCopy(
                    plane.base, Int32(plane.stride), raster.at(x, y), Int32(raster.stride),
                    Int32(part.width), Int32(part.height))
            }
        }
    }
}

extension Frame {
    /// Returns the crop on whole pixels. Rounds its size, then its corner: to even pixels in 4:2:0.
    func pixels(of crop: Fractions) -> Rect {
        let step = format.chromaStep
        func side(_ start: Double, _ length: Double, _ whole: Int) -> (Int, Int) {
            let pixels = max(1, min(whole, Int((length * Double(whole)).rounded())))
            let first = max(0, min(Int((start * Double(whole) / Double(step)).rounded()) * step, whole - pixels))
            return (first - first % step, pixels)
        }
        let (x, width) = side(crop.x, crop.width, size.width)
        let (y, height) = side(crop.y, crop.height, size.height)
        return Rect(x, y, width, height)
    }
}

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
