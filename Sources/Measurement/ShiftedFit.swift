/// Finds whether a film fits the reference clearly better when its frames are shifted.
///
/// Takes the errors of sampled frames of the reference, each beside its partner and the partner's neighbours.
public struct ShiftedFit: Sendable {
    /// Largest shift that is tried, in frames.
    public static let most = 2
    /// Gain from which a shift counts as clearly better, in decibels.
    private static let leastGain = 3.0
    /// Fewer samples say nothing about the film.
    private static let leastSamples = 3

    /// Sums of the errors by shift, from `-most` on.
    private var sums = [Double](repeating: 0, count: 2 * most + 1)
    private var samples = 0

    public init() {}

    /// True if the frame of the reference with this number is sampled: every eighth at first, then every 64th.
    public static func samples(_ number: Int) -> Bool { number % 64 == most || number < 64 && number % 8 == most }

    /// `errors`: mean squared errors of the luma by shift, from `-most` to `most`.
    public mutating func take(_ errors: [Double]) {
        guard errors.count == sums.count else { return }
        for index in sums.indices { sums[index] += errors[index] }
        samples += 1
    }

    public struct Shift: Hashable, Sendable {
        /// Frames of the film by which the better fit is later; below 0: earlier.
        public let frames: Int
        /// Rise of the luma's PSNR, in decibels; infinite if the shifted frames equal the reference's.
        public let gain: Double

        /// Such as "fits 16.3 dB better one frame later".
        public var words: String {
            let count = ["", "one frame", "two frames"][frames.magnitude < 3 ? Int(frames.magnitude) : 0]
            let way = "\(count) \(frames > 0 ? "later" : "earlier")"
            return gain.isFinite ? "fits \(Int(gain.rounded())) dB better \(way)" : "equals the reference \(way)"
        }
    }

    /// The shift that fits best; nil if no shift is clearly better than none.
    public var better: Shift? {
        guard samples >= Self.leastSamples, let least = sums.indices.min(by: { sums[$0] < sums[$1] }),
            least != Self.most, sums[Self.most] > 0
        else { return nil }
        let gain = sums[least] == 0 ? .infinity : decibels(sums[Self.most] / sums[least])
        return gain >= Self.leastGain ? Shift(frames: least - Self.most, gain: gain) : nil
    }
}
