import Base
import CYUV
import Decoded

/// Pixels in memory, 0xFFRRGGBB. Does not own them.
public struct Raster {
    public let base: UnsafeMutablePointer<UInt8>
    /// Bytes from row to row.
    public let stride: Int
    public let size: Size

    public init(base: UnsafeMutablePointer<UInt8>, stride: Int, size: Size) {
        (self.base, self.stride, self.size) = (base, stride, size)
    }

    /// Returns the pixels as a frame, which does not own them either.
    func frame(_ opacity: Frame.Opacity) -> Frame {
        Frame(
            size: size, natural: size, format: .bgra(opacity), planes: [Frame.Plane(base: base, stride: stride)])
    }

    func at(_ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt8> { base + y * stride + x * 4 }

    func fill(_ rect: Rect, _ color: Color) {
        let rect = rect.intersection(Rect(size))
        if rect.isEmpty { return }
        ARGBRect(
            base, Int32(stride), Int32(rect.x), Int32(rect.y), Int32(rect.width), Int32(rect.height), color.argb)
    }

    func blend(_ marks: [Mark], _ clip: Rect) {
        // A time has a mark for each digit. Marks outside of `clip` are not even copied.
        for index in marks.indices where marks[index].clip.intersects(clip) { blend(marks[index], clip) }
    }

    /// Draws the part of the bitmap that lies within `clip`, which lies within the raster.
    private func blend(_ mark: Mark, _ clip: Rect) {
        let rect = mark.rect.intersection(mark.clip).intersection(clip)
        if rect.isEmpty { return }
        if mark.bitmap.size.width == 1 { return blendAcross(mark, rect) }
        let width = mark.bitmap.size.width, first = (rect.y - mark.rect.y) * width + rect.x - mark.rect.x
        mark.bitmap.pixels.withUnsafeBufferPointer { blend($0.baseAddress! + first, width * 4, rect) }
    }

    /// Blends a column of pixels, each across its whole row.
    private func blendAcross(_ mark: Mark, _ rect: Rect) {
        var row = [UInt32](repeating: 0, count: rect.width)
        for y in rect.y..<rect.maxY {
            let pixel = mark.bitmap.pixels[y - mark.rect.y]
            if pixel == 0 { continue }
            if row[0] != pixel { for x in row.indices { row[x] = pixel } }
            blend(row, rect.width * 4, Rect(rect.x, y, rect.width, 1))
        }
    }

    /// Blends premultiplied pixels over those in `rect`.
    func blend(_ source: UnsafeRawPointer, _ sourceStride: Int, _ rect: Rect) {
        let target = at(rect.x, rect.y)
        ARGBBlend(
            source, Int32(sourceStride), target, Int32(stride), target, Int32(stride),
            Int32(rect.width), Int32(rect.height))
    }

    /// A copy of the pixels, row by row without gaps.
    public var pixels: [UInt32] {
        var result: [UInt32] = []
        result.reserveCapacity(size.width * size.height)
        for y in 0..<size.height {
            let row = UnsafeRawPointer(at(0, y)).assumingMemoryBound(to: UInt32.self)
            for x in 0..<size.width { result.append(row[x] | 0xFF00_0000) }
        }
        return result
    }
}

/// Memory for pixels, which grows as needed.
final class RasterMemory {
    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 64)

    deinit { memory.deallocate() }

    /// Returns a raster of this size, not cleared.
    func raster(_ size: Size) -> Raster {
        let stride = Self.rowLength(size.width * 4)
        return Raster(base: bytes(stride * size.height), stride: stride, size: size)
    }

    /// Returns at least this many bytes, not cleared.
    func bytes(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        if memory.count < count {
            memory.deallocate()
            memory = .allocate(byteCount: count, alignment: 64)
        }
        return memory.baseAddress!.assumingMemoryBound(to: UInt8.self)
    }

    /// Rounds up to 64 bytes, on which rows begin.
    static func rowLength(_ bytes: Int) -> Int { (bytes + 63) & ~63 }
}
