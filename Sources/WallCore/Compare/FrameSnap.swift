extension Time {
    /// So near to an instant that frames of both begin at, it is that instant: a hair less would show the frame before.
    private static var snap: Time { .milliseconds(2) }

    /// Where frames so long follow each other in two clips, and a shift of one of them lies next to one at which they
    /// begin together, that one.
    public func snapped(toFramesOf one: Time, _ other: Time) -> Time {
        var (grid, rest) = (one.ticks, other.ticks)
        while rest > 0 { (grid, rest) = (rest, grid % rest) }
        guard grid > 4 * Self.snap.ticks else { return self }
        let count = Int64((Double(ticks) / Double(grid)).rounded())
        let nearest = Time(ticks: grid) * count
        return (self - nearest).magnitude <= Self.snap ? nearest : self
    }
}
