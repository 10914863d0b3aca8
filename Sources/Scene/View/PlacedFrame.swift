import Base
import Decoded

/// The part `crop` of a frame, drawn to fill `target`. A frame with the stamp of the frame that is there already has the
/// same pixels and need not be drawn again.
public struct PlacedFrame: Sendable {
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

/// Frames of one instant, to be drawn over each other.
///
/// While one of the frames of an instant is missing, the frames before stay.
public struct ComparedFrames {
    /// All fill the same target. The first is the reference: the others are scaled to its size.
    public var parts: [PlacedFrame]
    public var mode: ComparisonMode
    /// Factor by which differences are multiplied; nil if it is chosen from the frames.
    public var gain: Double?
    public var at: Double
    public var angle: Angle
    public var precision: Precision

    public enum Precision: Sendable, Hashable {
        /// Compared at the size at which it is drawn.
        case asDrawn
        /// Compared at the reference's own size, then scaled.
        case full
    }

    public init(
        _ parts: [PlacedFrame], mode: ComparisonMode, gain: Double?, at: Double, angle: Angle, precision: Precision
    ) {
        (self.parts, self.mode, self.gain, self.at) = (parts, mode, gain, at)
        (self.angle, self.precision) = (angle, precision)
    }

    public var target: Rect { parts[0].target }

    /// Equal for equal pixels at an equal place.
    public var identity: Identity {
        Identity(
            parts: parts.map(\.identity), mode: mode, gain: mode.usesGain ? gain : 0, at: mode == .wipe ? at : 0,
            angle: mode == .wipe ? angle : Angle(degrees: 0), precision: precision)
    }

    public struct Identity: Hashable, Sendable {
        let parts: [PlacedFrame.Identity]
        let mode: ComparisonMode
        let gain: Double?
        let at: Double
        let angle: Angle
        let precision: Precision
    }

    public func lines(in target: Rect) -> WipeLines {
        WipeLines(in: target, bands: parts.count, at: at, angle: angle)
    }
}

extension ComparisonMode {
    public var usesGain: Bool {
        switch self {
        case .difference, .signed, .heat: true
        case .wipe, .blink, .overlay: false
        }
    }

    public var hasLine: Bool { self == .wipe }
}
