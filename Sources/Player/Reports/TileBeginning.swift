import Base

/// The frame that a tile shows first if the wall does not start at its beginning.
public struct TileBeginning: Sendable, Equatable {
    public var tile: String
    /// Name for the user, without secrets.
    public var source: String
    /// Position in its item, in group time.
    public var position: Time
    public var iteration: Iteration

    public enum Iteration: Sendable { case first, later, over }
}
