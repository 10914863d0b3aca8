/// Figures over an item, each part of it a column: from 0 at the foot to 255 at the top; nil: not measured yet.
public struct FigurePlot: Hashable, Sendable {
    public let psnr: [UInt8?]
    public let ssim: [UInt8?]

    public init(psnr: [UInt8?], ssim: [UInt8?]) { (self.psnr, self.ssim) = (psnr, ssim) }
}
