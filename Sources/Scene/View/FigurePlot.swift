/// Figures over an item, in columns of equal time: from 0 at the bottom to 255 at the top; nil where not measured yet.
public struct FigurePlot: Hashable, Sendable {
    public let psnr: [UInt8?]
    public let ssim: [UInt8?]

    public init(psnr: [UInt8?], ssim: [UInt8?]) { (self.psnr, self.ssim) = (psnr, ssim) }
}
