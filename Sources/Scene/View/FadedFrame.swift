import Base
import Decoded

/// The part `crop` of a frame, drawn to fill `target`. A frame with the stamp of the frame that is there already has the
/// same pixels and need not be drawn again.
public struct PlacedFrame {
    public let frame: Frame
    public let stamp: Stamp
    public let crop: Fractions
    public let target: Rect

    public init(_ frame: Frame, stamp: Stamp, crop: Fractions, target: Rect) {
        (self.frame, self.stamp, self.crop, self.target) = (frame, stamp, crop, target)
    }

    public var identity: Identity { Identity(stamp: stamp, crop: crop, target: target) }

    /// Equal for equal pixels at an equal place.
    public struct Identity: Hashable, Sendable {
        let stamp: Stamp
        let crop: Fractions
        let target: Rect
    }
}

/// A frame that fades into another one.
public struct FadedFrame {
    public let from: PlacedFrame
    public let to: PlacedFrame
    /// Weight of `to`, from 0 to `whole`.
    public let weight: Int

    public static let whole = 256

    public init(from: PlacedFrame, to: PlacedFrame, weight: Int) {
        (self.from, self.to, self.weight) = (from, to, weight)
    }

    /// Smallest rect around both frames.
    public var target: Rect { from.target.union(to.target) }

    /// True if nothing beneath the frames shows through.
    public var isOpaque: Bool {
        from.target == to.target && from.frame.isOpaque && to.frame.isOpaque
    }

    public var identity: Identity { Identity(from: from.identity, to: to.identity, weight: weight) }

    /// Equal for equal pixels.
    public struct Identity: Hashable {
        let from: PlacedFrame.Identity
        let to: PlacedFrame.Identity
        let weight: Int
    }
}
