extension Tile {
    /// Reads the mark from 32-bit pixels in memory that show `area`.
    public func read(_ base: UnsafeRawPointer, stride: Int, _ area: Area) -> Reading {
        read(Pixels(base: base, stride: stride, area: area))
    }
}
