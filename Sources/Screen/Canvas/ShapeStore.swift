import WallCore

/// Shapes that were drawn before. Main thread only.
final class ShapeStore {
    private var made: [Key: TextBitmap] = [:]
    private var pixels = 0
    private static let mostPixels = 4 << 20

    private struct Key: Hashable {
        var shape: Shape
        var size: Size
    }

    /// In a window of another size all are others.
    func forget() { (made, pixels) = ([:], 0) }

    func bitmap(_ shape: Shape, _ size: Size) -> TextBitmap {
        let key = Key(shape: shape, size: size)
        if let bitmap = made[key] { return bitmap }
        let bitmap = shape.bitmap(size)
        // What is shown is held by those who show it.
        if pixels > ShapeStore.mostPixels { forget() }
        made[key] = bitmap
        pixels += bitmap.pixels.count
        return bitmap
    }
}
