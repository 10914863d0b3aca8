import Base
import CFFmpeg
import Measurement

/// A frame of the reference and its partner of another film. Figures need both in one shape.
public struct FramePair: Sendable {
    public let reference: CodecFrame
    public let other: CodecFrame

    public init(reference: CodecFrame, other: CodecFrame) {
        (self.reference, self.other) = (reference, other)
    }
}

extension FramePair {
    /// PSNR and SSIM of the planes.
    public func figures() -> FrameFigures {
        let layout = PlaneLayout(reference.av.pointee.format)!
        return FrameFigures((0..<layout.count).map { sums(ofPlane: $0, layout) }, bits: layout.bits)
    }

    /// Mean squared error of the first plane, which is the luma.
    public func error() -> Double {
        let sums = sums(ofPlane: 0, PlaneLayout(reference.av.pointee.format)!)
        return Double(sums.squares) / Double(max(1, sums.samples))
    }

    private func sums(ofPlane index: Int, _ layout: PlaneLayout) -> PlaneSums {
        let size = layout.size(ofPlane: index, in: reference.storage), plane = Int32(index)
        return planeSums(
            PlanePair(
                qd_plane(reference.av, plane)!, stride: Int(qd_stride(reference.av, plane)),
                qd_plane(other.av, plane)!, stride: Int(qd_stride(other.av, plane)), width: size.width,
                height: size.height), bits: layout.bits)
    }
}
