import Base
import Measurement
import Scene

/// Frames that are on the screen together, to be measured against each other.
public struct FiguresOrder: Sendable {
    public let pairs: [Pair]

    public init(pairs: [Pair]) { self.pairs = pairs }

    public struct Pair: Sendable {
        public let reference: Frame
        public let other: Frame

        public init(reference: Frame, other: Frame) { (self.reference, self.other) = (reference, other) }
    }

    /// Figures of one pair.
    public struct Answer: Sendable {
        public let figures: FrameFigures
        /// Formats from and to which the other frame was scaled or converted; nil if it was not.
        public let conversion: Conversion?

        public init(_ figures: FrameFigures, _ conversion: Conversion?) {
            (self.figures, self.conversion) = (figures, conversion)
        }
    }

    public struct Conversion: Hashable, Sendable {
        public let from: String
        public let to: String
        public init(from: String, to: String) { (self.from, self.to) = (from, to) }
    }
}
