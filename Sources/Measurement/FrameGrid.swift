import Base

/// Start times of a film's frames: its origin, and multiples of a frame's length from there, in group time.
public struct FrameGrid: Equatable {
    let origin: Time
    /// Length of a frame in ticks. A fraction, since few frame rates make whole ticks and hours must stay exact.
    let length: Double

    /// `frame`: the length of a frame in media time, above zero.
    public init(origin: Time, frame: Time, at rate: Rate) {
        (self.origin, length) = (origin, Double(frame.ticks) / rate.value)
    }

    /// Returns the delay of this film's frames relative to those of another film of the same rate, from minus half a
    /// frame to half a frame. Each frame then belongs to the nearest frame of the other film. nil if the rates differ.
    public func phase(beside reference: FrameGrid, at groupTime: Time) -> Time? {
        guard (length - reference.length).magnitude < reference.length * Self.rateTolerance else { return nil }
        let since = Double((groupTime - reference.origin).ticks), apart = Double((origin - reference.origin).ticks)
        let started = (since / reference.length).rounded(.down) * reference.length
        // The margin decides a tie, so that rounding does not change the side.
        let nearest = ((started - apart) / length + 0.5 - Self.margin).rounded(.down)
        return Time(ticks: Int64((apart + nearest * length - started).rounded()))
    }

    /// Relative difference of frame lengths from which rates differ: 24000/1001 and 24 do, 29.97 and 30000/1001 do not.
    private static let rateTolerance = 1e-4
    private static let margin = 1.0 / 64
}

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
