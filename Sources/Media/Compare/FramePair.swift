import Base
import CFFmpeg
import Measurement

/// A frame of the reference and its partner of another film, in one shape.
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
        let planes = (0..<layout.count).map { index in
            let size = layout.size(ofPlane: index, in: reference.storage)
            let plane = Int32(index)
            return planeSums(
                PlanePair(
                    qd_plane(reference.av, plane)!, stride: Int(qd_stride(reference.av, plane)),
                    qd_plane(other.av, plane)!, stride: Int(qd_stride(other.av, plane)), width: size.width,
                    height: size.height), bits: layout.bits)
        }
        return FrameFigures(planes, bits: layout.bits)
    }
}
