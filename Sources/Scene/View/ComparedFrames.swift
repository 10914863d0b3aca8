import Base

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
