import Base

extension Time {
    /// Largest error of a shift that `snapped` corrects. A shift that is slightly too small would show the frame
    /// before.
    private static var snap: Time { .milliseconds(2) }

    /// Returns the nearest shift at which frames of both clips begin together, if that is within 2 ms; otherwise the
    /// shift itself. `one`, `other`: lengths of the clips' frames.
    public func snapped(toFramesOf one: Time, _ other: Time) -> Time {
        var (grid, rest) = (one.ticks, other.ticks)
        while rest > 0 { (grid, rest) = (rest, grid % rest) }
        guard grid > 4 * Self.snap.ticks else { return self }
        let count = Int64((Double(ticks) / Double(grid)).rounded())
        let nearest = Time(ticks: grid) * count
        return (self - nearest).magnitude <= Self.snap ? nearest : self
    }
}
