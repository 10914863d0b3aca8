/// The largest frames that are decoded.
public struct FrameLimit: Sendable, Hashable {
    /// The layout's `max-pixels`.
    public let size: Size
    /// In bytes, for the frames that a decoder works on.
    public let memory: Int

    /// `memory` is the layout's; films of 3840x2160 are decoded whatever it says.
    public init(size: Size, memory: Int) { (self.size, self.memory) = (size, max(memory, 128 << 20)) }

    /// Of a layout that says nothing.
    public static let usual = FrameLimit(size: Size(8192, 8192), memory: 256 << 20)

    /// While nothing is known but a size. Most films have one byte and a half for each.
    public var pixels: Int { min(size.width * size.height, memory / 3 * 2) }

    /// So many frames of a film are in memory at least.
    private static let fewestFrames = 3

    /// Why frames of this size are not decoded; nil: they are. `isPlanar`: they have one and a half bytes for a
    /// pixel, else four.
    public func refusal(of frame: Size, isPlanar: Bool, isStill: Bool) -> String? {
        let words = "its frames are \(frame.width)x\(frame.height)"
        if frame.width > size.width || frame.height > size.height {
            return "\(words), larger than \"max-pixels\" allows: \(size.width)x\(size.height)"
        }
        let area = frame.width * frame.height
        let bytes = isPlanar ? area + area / 2 : area * 4
        let needed = bytes * (isStill ? 1 : FrameLimit.fewestFrames)
        guard needed > memory else { return nil }
        return "\(words), too large for \"memory\"; \((needed + (1 << 20) - 1) >> 20) would do"
    }
}
