import Base

extension Frame {
    /// The decoded frame from which a frame was made: its samples in memory, as its decoder stored them.
    public struct Original: Sendable {
        public let colorimetry: SourceColorimetry
        /// Bits of a sample.
        public let bits: Int
        /// Orientation that was applied.
        public let orientation: Orientation
        /// Memory that the original holds beside the frame's own planes, in bytes.
        public let bytes: Int
        /// The decoded frame in the form that the target has that decoded it.
        public let decoded: any AnyObject & Sendable
        /// Returns a pixel of the frame that has this original, at shares of its width and height.
        let read: PixelReader

        public typealias PixelReader = @Sendable (_ frame: Frame, _ x: Double, _ y: Double) -> PixelValues?

        public init(
            _ decoded: any AnyObject & Sendable, _ colorimetry: SourceColorimetry, bits: Int,
            _ orientation: Orientation, bytes: Int, read: @escaping PixelReader
        ) {
            (self.decoded, self.colorimetry, self.bits) = (decoded, colorimetry, bits)
            (self.orientation, self.bytes, self.read) = (orientation, bytes, read)
        }
    }
}
