/// The pictures of lowest average PSNR, the worst first. What is equal is none of them.
///
/// `Picture` is a handle: it is let go of where worse ones come.
public struct WorstPictures<Picture> {
    public private(set) var all: [(number: Int, psnr: Double, picture: Picture)] = []
    private let most: Int

    public init(most: Int) { self.most = most }

    /// In any order. Of equal ones the first are kept.
    public mutating func take(_ picture: Picture, number: Int, _ figures: PictureFigures) {
        guard let psnr = figures[.psnrAverage], psnr.isFinite else { return }
        let place = all.firstIndex { (psnr, number) < ($0.psnr, $0.number) } ?? all.count
        guard place < most else { return }
        all.insert((number, psnr, picture), at: place)
        if all.count > most { all.removeLast() }
    }
}

extension WorstPictures: Sendable where Picture: Sendable {}
