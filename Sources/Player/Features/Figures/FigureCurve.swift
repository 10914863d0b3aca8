import Measurement
import Scene

/// Smallest figures in each of `parts` equal parts of an item, as far as they were measured.
struct FigureCurve {
    private var psnr = [Double?](repeating: nil, count: parts)
    private var ssim = [Double?](repeating: nil, count: parts)
    private static let parts = 240

    /// Adds the figures of a frame. `shares`: the part of the item during which it is shown.
    mutating func note(_ figures: FrameFigures, over shares: Range<Double>) {
        func part(_ share: Double) -> Int {
            max(0, min(Self.parts - 1, Int((share * Double(Self.parts)).rounded(.down))))
        }
        let first = part(shares.lowerBound)
        for part in first..<max(first + 1, part(shares.upperBound)) {
            if let value = figures[.psnrAverage] { psnr[part] = min(value, psnr[part] ?? .infinity) }
            ssim[part] = min(figures.ssim, ssim[part] ?? .infinity)
        }
    }

    var plot: FigurePlot {
        FigurePlot(
            psnr: psnr.map { $0.map { level($0, Self.decibels) } },
            ssim: ssim.map { $0.map { level($0 < 1 ? -Measurement.decibels(1 - $0) : .infinity, Self.decibelsOfSSIM) } }
        )
    }

    /// Range of the plot, from bottom to top. SSIM is plotted as -10 log10(1 - SSIM).
    private static let decibels = 15.0...60.0
    private static let decibelsOfSSIM = 0.0...40.0

    private func level(_ value: Double, _ range: ClosedRange<Double>) -> UInt8 {
        let share = (min(max(value, range.lowerBound), range.upperBound) - range.lowerBound)
        return UInt8((share / (range.upperBound - range.lowerBound) * 255).rounded())
    }
}
