/// The frames of lowest average PSNR, the worst first. Frames equal to the reference are left out.
///
/// `Frame` is a handle, and is released when worse frames replace it.
public struct WorstFrames<Frame> {
    public private(set) var all: [(number: Int, psnr: Double, frame: Frame)] = []
    private let most: Int

    public init(most: Int) { self.most = most }

    /// Takes frames in any order. Of frames with equal PSNR the lowest numbers are kept.
    public mutating func take(_ frame: Frame, number: Int, _ figures: FrameFigures) {
        guard let psnr = figures[.psnrAverage], psnr.isFinite else { return }
        let place = all.firstIndex { (psnr, number) < ($0.psnr, $0.number) } ?? all.count
        guard place < most else { return }
        all.insert((number, psnr, frame), at: place)
        if all.count > most { all.removeLast() }
    }
}

extension WorstFrames: Sendable where Frame: Sendable {}
