/// An item that is or was on the screen, and what became of its pictures.
public struct PlayedItem: Sendable, Hashable {
    public var run: RunID
    public var source: String
    public var presented = 0
    public var missed = 0
}
