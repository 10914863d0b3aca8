/// When the frames of a film start: at its origin, and every so many ticks from there, in group time.
struct FrameGrid: Equatable {
    let origin: Time
    /// The length of a frame in ticks. A fraction, since a rate seldom makes whole ticks and hours must stay exact.
    let length: Double

    /// `frame`: the length of a frame in media time, above zero.
    init(origin: Time, frame: Time, at rate: Rate) {
        (self.origin, length) = (origin, Double(frame.ticks) / rate.value)
    }

    /// How much later the frames of this film start than those of another one that is as fast: from minus half a frame
    /// to half a frame, so that each frame belongs to the nearest of the other film. nil: one of them is faster.
    func phase(beside reference: FrameGrid, at groupTime: Time) -> Time? {
        guard (length - reference.length).magnitude < reference.length * Self.unlike else { return nil }
        let since = Double((groupTime - reference.origin).ticks), apart = Double((origin - reference.origin).ticks)
        let started = (since / reference.length).rounded(.down) * reference.length
        // A tie goes to one side, and rounding does not change sides.
        let nearest = ((started - apart) / length + 0.5 - Self.margin).rounded(.down)
        return Time(ticks: Int64((apart + nearest * length - started).rounded()))
    }

    /// 24000/1001 and 24 frames a second are unlike; 29.97 and 30000/1001 are not.
    private static let unlike = 1e-4
    private static let margin = 1.0 / 64
}
