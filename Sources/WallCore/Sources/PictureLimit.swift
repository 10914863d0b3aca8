/// The largest pictures that are decoded.
public struct PictureLimit: Sendable, Hashable {
    /// The layout's `max-pixels`.
    public let size: Size
    /// The layout's `memory`, in bytes.
    public let memory: Int

    public init(size: Size, memory: Int) { (self.size, self.memory) = (size, memory) }

    /// Of a layout that says nothing.
    public static let usual = PictureLimit(size: Size(8192, 8192), memory: 256 << 20)

    /// Most films have one byte and a half for each.
    public var pixels: Int { min(size.width * size.height, memory / 3 * 2) }

    /// Why pictures of `picture` are not decoded; nil: they are.
    public func refusal(of picture: Size) -> String? {
        if picture.width > size.width || picture.height > size.height {
            return "its pictures are \(picture.width)x\(picture.height), larger than \"max-pixels\" allows: "
                + "\(size.width)x\(size.height)"
        }
        guard picture.width * picture.height > pixels else { return nil }
        return "its pictures are \(picture.width)x\(picture.height), too large for \"memory\": \(memory >> 20) MiB"
    }
}
