import Base
import Scene

/// The progress bars of tiles, under the pointer.
struct BarReport: SnapshotReader {
    let features: Features
    let snapshot: Snapshot

    /// Returns the group time that the bar under a point of the window shows there. nil if there is no bar.
    func placeOnBar(at point: Point) -> (tile: TileID, position: Time)? {
        guard let tile = tile(at: point), feeds[tiles[tile].feed].liveSource == nil,
            let item = feeds[tiles[tile].feed].itemOnScreen,
            let share = places(of: tile).shareOfBar(at: point, hasPlot: hasPlot(tile))
        else { return nil }
        let place = item.lowerBound + (item.upperBound - item.lowerBound).part(share)
        let tolerance = clocks[feeds[tiles[tile].feed].group].dueTolerance
        return (tile, min(place, item.upperBound - tolerance - Time(ticks: 1)))
    }

    private func hasPlot(_ tile: TileID) -> Bool { features.all.contains { $0.hasPlot(tile, snapshot) } }

    /// Returns the places of marks on a tile as it is drawn, or as it will be drawn after the zoom animation.
    func places(of tile: TileID) -> MarksPlaces {
        MarksPlaces(in: ViewMaker(snapshot: snapshot).viewToCome(of: tile).marksRect)
    }
}
