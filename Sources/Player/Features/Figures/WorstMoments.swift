import Base

/// The measured frames of an item that are farthest from the reference's, the worst first.
///
/// Any two are at least half a second apart. Of frames that are closer, the worst is kept. Frames that equal the
/// reference's are left out.
struct WorstMoments {
    private(set) var all: [Moment] = []

    struct Moment: Equatable {
        /// Start of the reference's frame, in its item.
        let place: Time
        /// Average PSNR, in dB.
        let psnr: Double
        /// Tile whose frame was measured.
        let tile: TileID
    }

    static let spacing = Time.milliseconds(500)
    private static let most = 200

    mutating func note(_ moment: Moment) {
        guard moment.psnr.isFinite, !all.contains(where: { Self.areClose($0, moment) && $0.psnr <= moment.psnr }) else {
            return
        }
        all.removeAll { Self.areClose($0, moment) }
        let index = all.firstIndex { (moment.psnr, moment.place) < ($0.psnr, $0.place) } ?? all.count
        all.insert(moment, at: index)
        if all.count > Self.most { all.removeLast() }
    }

    private static func areClose(_ one: Moment, _ other: Moment) -> Bool {
        (one.place - other.place).magnitude < spacing
    }
}
