/// Limit on the size of the frames that are decoded.
public struct FrameLimit: Sendable, Hashable {
    /// The layout's `max-pixels`.
    public let size: Size
    /// Memory in bytes for the frames that a decoder works on.
    public let memory: Int

    /// `memory`: the layout's value; raised to what films of 3840x2160 need.
    public init(size: Size, memory: Int) { (self.size, self.memory) = (size, max(memory, 128 << 20)) }

    /// Limit for a layout that sets none.
    public static let usual = FrameLimit(size: Size(8192, 8192), memory: 256 << 20)

    /// Largest number of pixels in a frame, for when only its size is known. Assumes 1.5 bytes a pixel, as in most
    /// films.
    public var pixels: Int { min(size.width * size.height, memory / 3 * 2) }

    /// Least number of frames of a film that are in memory at once.
    private static let fewestFrames = 3

    /// Returns why frames of this size are not decoded; nil if they are. `isPlanar`: true if a pixel takes 1.5 bytes,
    /// false if it takes four.
    public func refusal(of frame: Size, isPlanar: Bool, isStill: Bool) -> String? {
        let words = "its frames are \(frame.width)x\(frame.height)"
        if frame.width > size.width || frame.height > size.height {
            return "\(words), larger than \"max-pixels\" allows: \(size.width)x\(size.height)"
        }
        let area = frame.width * frame.height
        let bytes = isPlanar ? area + area / 2 : area * 4
        let needed = bytes * (isStill ? 1 : FrameLimit.fewestFrames)
        guard needed > memory else { return nil }
        return "\(words), too large for \"memory\"; set it to at least \((needed + (1 << 20) - 1) >> 20)"
    }
}
