import Base
import Layout

/// Makes the plan of the song that a take is sung to.
struct SongPlanMaker: SnapshotReader {
    let snapshot: Snapshot

    func songPlan(of tile: TileID) -> SongPlan? {
        let playing = playingTile(for: tile)
        let feed = feeds[tiles[playing].feed]
        guard feed.phase == .playing else { return nil }
        if let front = feed.slots.first, feed.reel.isLive(front.run) {
            // A live source has no time of its own. A lost connection, or an edge that moves, does not end the file.
            let run = SongPlan.Run(
                RunID(iteration: 0, item: front.run.item), source: front.location, start: .zero, begins: -.distantFuture
            )
            return SongPlan(runs: [run], clock: group(of: feed).clock)
        }
        let runs = feed.slots.compactMap { slot -> SongPlan.Run? in
            guard let start = slot.start, !slot.hasFailed else { return nil }
            let segment = feed.timeline.segment(of: slot.run)
            let source = feed.timeline.item(of: slot.run)?.song ?? slot.location
            var run = SongPlan.Run(
                slot.run, source: source, from: segment.songStart ?? segment.start, start: start,
                begins: slot.takesOverAt ?? slot.begin, end: slot.end, rate: feed.timeline.rate(of: slot.run))
            (run.key, run.isSong) = (tiles[playing].look(ofItem: slot.run.place).key, segment.songStart != nil)
            return run
        }
        return runs.isEmpty ? nil : SongPlan(runs: runs, clock: group(of: feed).clock)
    }
}
