import Base
import Glibc
import Player
import Scene
import Screen

extension TilePicture {
    /// The picture's pixels, with the colours of the screen; nil if there is no memory for them. Any thread may call.
    var pixels: [UInt32]? {
        let stride = (size.width * 4 + 63) & ~63
        // libyuv may write a little beyond the end of a row.
        guard let memory = aligned_alloc(64, stride * size.height + 64) else { return nil }
        defer { free(memory) }
        let raster = Raster(base: memory.assumingMemoryBound(to: UInt8.self), stride: stride, size: size)
        let content = View.Content.frame(frame, stamp: Stamp(composed: 0), crop: crop, target: Rect(size))
        let view = View(tile: TileID(number: 0), rect: Rect(size), content: content, label: nil)
        _ = Painter(texts: nil).paint(
            Scene(size: size, background: .black, views: [view]), into: raster, .everything)
        return raster.pixels
    }
}
