import Base

extension OpenedFacts {
    /// Length of the next item's frames that the memory holds beside the end of an item.
    private static var shareOfNext: Time { .milliseconds(300) }

    /// Returns the longest possible fade if frames are decoded in this size with this much memory, in bytes.
    public func longestFade(_ size: Size, at rate: Rate, _ memory: Int) -> Time {
        if live != nil { return .zero }
        guard kind == .video else { return Transition.longest }
        let bytes = max(1, size.width * size.height * 3 / 2)
        let length = (frameLength ?? .milliseconds(40)).lasting(at: rate)
        let held = length * Int64(min(memory / bytes, 10_000)) - Self.shareOfNext
        return max(.zero, min(held, Transition.longest))
    }
}
