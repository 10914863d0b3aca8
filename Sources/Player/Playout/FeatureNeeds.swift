import Base
import Decoded
import Feeds

/// Requests of features to the player, beside the frames that are shown.
struct FeatureNeeds {
    /// True to keep the decoded samples of every frame, to measure them.
    var keepsSamples = false
    /// True to show nothing while a tile that watches others lacks one of their frames.
    var showsOnlyWholeTiles = false
    /// Tile whose live frames are recorded; nil if none is.
    var recordedTile: TileID?
    /// Frames of that tile, in order of arrival, until the recorder takes them.
    private(set) var recorded: [TakeFrame] = []
    /// Tile whose frames are decoded in their own size, to save one; nil if there is none.
    var fullSizeTile: TileID?
    /// Most frames that wait for the recorder. Further ones are dropped.
    private static let mostRecorded = 32

    mutating func record(_ frame: TakeFrame) { if recorded.count < Self.mostRecorded { recorded.append(frame) } }

    mutating func takeRecorded() -> [TakeFrame] {
        defer { recorded = [] }
        return recorded
    }
}

/// A frame of a live source, and its place among the samples that are recorded with it.
public struct TakeFrame: Sendable {
    public let frame: Frame
    /// Time on the timeline of `TakeCutter.Beginning.start`.
    public let place: Time
}
