import Base

/// Cache of drawn shapes. Main thread only.
final class ShapeStore {
    private var made: [Key: TextBitmap] = [:]
    private var pixels = 0
    private static let mostPixels = 4 << 20

    private struct Key: Hashable {
        var shape: Shape
        var size: Size
    }

    /// Empties the cache. Called when the window's size changes, since all shapes change with it.
    func forget() { (made, pixels) = ([:], 0) }

    func bitmap(_ shape: Shape, _ size: Size) -> TextBitmap {
        let key = Key(shape: shape, size: size)
        if let bitmap = made[key] { return bitmap }
        let bitmap = shape.bitmap(size)
        // Safe: each `Mark` on screen keeps its bitmap alive.
        if pixels > ShapeStore.mostPixels { forget() }
        made[key] = bitmap
        pixels += bitmap.pixels.count
        return bitmap
    }
}
