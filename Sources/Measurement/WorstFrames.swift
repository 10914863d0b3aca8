import Base

/// The frames of lowest average PSNR, the worst first. Frames equal to the reference are left out.
///
/// Any two are at least half a second apart, so that they show different places of the film. `Frame` stands for a frame.
/// A handle is released when worse frames replace it.
public struct WorstFrames<Frame> {
    public struct Place {
        public let time: Time
        /// Average PSNR, in dB.
        public let psnr: Double
        public let frame: Frame
    }

    /// The worst frame of each half second of the film, of those that have the worst ones. More than `most` are kept:
    /// two in a row may be close to each other.
    private var candidates: [Place] = []
    private let most: Int
    private static var spacing: Time { .milliseconds(500) }

    public init(most: Int) { self.most = most }

    public var all: [Place] {
        candidates.reduce(into: []) { kept, place in
            let isClose = kept.contains { ($0.time - place.time).magnitude < Self.spacing }
            if !isClose, kept.count < most { kept.append(place) }
        }
    }

    /// Takes frames in any order. Of frames with equal PSNR the earliest are kept.
    public mutating func take(_ frame: Frame, at time: Time, psnr: Double?) {
        guard let psnr, psnr.isFinite else { return }
        let part = Self.part(of: time)
        func isWorse(_ place: Place) -> Bool { (psnr, time) < (place.psnr, place.time) }
        if let same = candidates.firstIndex(where: { Self.part(of: $0.time) == part }) {
            guard isWorse(candidates[same]) else { return }
            candidates.remove(at: same)
        }
        let index = candidates.firstIndex(where: isWorse) ?? candidates.count
        guard index < 2 * most else { return }
        candidates.insert(Place(time: time, psnr: psnr, frame: frame), at: index)
        if candidates.count > 2 * most { candidates.removeLast() }
    }

    private static func part(of time: Time) -> Int { Int((time.seconds / spacing.seconds).rounded(.down)) }
}

extension WorstFrames.Place: Sendable where Frame: Sendable {}
extension WorstFrames.Place: Equatable where Frame: Equatable {}
extension WorstFrames: Sendable where Frame: Sendable {}
