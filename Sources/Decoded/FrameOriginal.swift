import Base

extension Frame {
    /// The decoded frame from which a frame was made: its samples in memory, as its decoder stored them.
    public struct Original: Sendable {
        /// Size of the coded frame, in pixels.
        public let size: Size
        /// Up to four planes. Rows may run upwards, with a stride below zero.
        public let planes: [Plane]
        public let tags: Tags
        public let colorimetry: SourceColorimetry
        /// Bits of a sample.
        public let bits: Int
        /// Orientation that was applied.
        public let orientation: Orientation
        /// Memory that the original holds beside the frame's own planes, in bytes.
        public let bytes: Int
        /// Object that holds the planes.
        public let owner: any AnyObject & Sendable
        /// Returns a pixel of the frame that has this original, at shares of its width and height.
        let read: PixelReader

        public typealias PixelReader = @Sendable (_ frame: Frame, _ x: Double, _ y: Double) -> PixelValues?

        /// Layout and colours of the samples, in FFmpeg's numbers. Only Media reads them.
        public struct Tags: Sendable {
            public var format: Int32
            public var matrix: UInt32
            public var range: UInt32
            public var primaries: UInt32
            public var transfer: UInt32

            public init(format: Int32, matrix: UInt32, range: UInt32, primaries: UInt32, transfer: UInt32) {
                (self.format, self.matrix, self.range) = (format, matrix, range)
                (self.primaries, self.transfer) = (primaries, transfer)
            }
        }

        public init(
            size: Size, planes: [Plane], tags: Tags, colorimetry: SourceColorimetry, bits: Int,
            orientation: Orientation, bytes: Int, owner: any AnyObject & Sendable, read: @escaping PixelReader
        ) {
            (self.size, self.planes, self.tags, self.colorimetry) = (size, planes, tags, colorimetry)
            (self.bits, self.orientation, self.bytes) = (bits, orientation, bytes)
            (self.owner, self.read) = (owner, read)
        }
    }
}
