import Base
import Decoded

/// Frames of one instant, to be drawn over each other.
///
/// While one of the frames of an instant is missing, the frames before stay.
public struct ComparedFrames {
    /// The first is the reference: the others are scaled to its size.
    public var parts: [Part]
    public var mode: ComparisonMode
    /// Factor by which differences are multiplied; nil if it is chosen from the frames.
    public var gain: Double?
    public var at: Double
    public var angle: Angle
    public var precision: Precision

    public struct Part {
        public var frame: Frame
        public var stamp: Stamp
        public var crop: Fractions

        public init(_ frame: Frame, stamp: Stamp, crop: Fractions) {
            (self.frame, self.stamp, self.crop) = (frame, stamp, crop)
        }
    }

    public enum Precision: Sendable, Hashable {
        /// Compared at the size at which it is drawn.
        case asDrawn
        /// Compared at the reference's own size, then scaled.
        case full
    }

    public init(
        _ parts: [Part], mode: ComparisonMode, gain: Double?, at: Double, angle: Angle, precision: Precision
    ) {
        (self.parts, self.mode, self.gain, self.at) = (parts, mode, gain, at)
        (self.angle, self.precision) = (angle, precision)
    }

    /// Equal for equal pixels.
    public var identity: Identity {
        Identity(
            stamps: parts.map(\.stamp), crops: parts.map(\.crop), mode: mode, gain: mode.usesGain ? gain : 0,
            at: mode == .wipe ? at : 0, angle: mode == .wipe ? angle : Angle(degrees: 0), precision: precision)
    }

    public struct Identity: Hashable, Sendable {
        let stamps: [Stamp]
        let crops: [Fractions]
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
