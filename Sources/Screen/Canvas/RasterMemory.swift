import Base

/// Memory for pixels, which grows as needed.
final class RasterMemory {
    private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 64)

    deinit { bytes.deallocate() }

    /// Returns a raster of this size, not cleared.
    func raster(_ size: Size) -> Raster {
        let stride = (size.width * 4 + 63) & ~63
        if bytes.count < stride * size.height {
            bytes.deallocate()
            bytes = .allocate(byteCount: stride * size.height, alignment: 64)
        }
        return Raster(base: bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), stride: stride, size: size)
    }
}
