import Base
import Decoded
import Measurement

/// Frames that are on the screen together, to be measured against each other.
public struct FiguresOrder: Sendable {
    public let pairs: [Pair]

    public init(pairs: [Pair]) { self.pairs = pairs }

    public struct Pair: Sendable {
        public let reference: Side
        public let other: Side
        /// The frames before, if the fit of shifted frames is wanted.
        public let before: (reference: Side, other: Side)?

        public init(reference: Side, other: Side, before: (reference: Side, other: Side)? = nil) {
            (self.reference, self.other, self.before) = (reference, other, before)
        }
    }

    public struct Side: Sendable {
        public let frame: Frame
        /// The part of the turned and flipped frame that is measured.
        public let crop: Fractions

        public init(_ frame: Frame, crop: Fractions = .all) { (self.frame, self.crop) = (frame, crop) }
    }

    /// Figures of one pair.
    public struct Answer: Sendable {
        public let figures: FrameFigures
        /// Text about the formats between which the other frame was scaled or converted; nil if it was not.
        public let conversion: String?
        /// Measured parts of the two frames, in stored pixels; nil for a whole frame.
        public let referencePart: Rect?
        public let otherPart: Rect?
        /// Errors of the other film's frames by shift, for `ShiftedFit`; nil if they were not wanted.
        public let shifts: [Double]?

        public init(
            _ figures: FrameFigures, _ conversion: String?, referencePart: Rect? = nil, otherPart: Rect? = nil,
            shifts: [Double]? = nil
        ) {
            (self.figures, self.conversion, self.shifts) = (figures, conversion, shifts)
            (self.referencePart, self.otherPart) = (referencePart, otherPart)
        }
    }
}
