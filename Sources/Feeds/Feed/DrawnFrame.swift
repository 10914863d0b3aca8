import Base

/// A frame that is drawn in a scene.
public struct DrawnFrame {
    public let feed: FeedID
    let slot: Int
    public let serial: Int
}
