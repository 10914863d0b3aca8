import Base
import Feeds
import Layout

// Files that change while the wall plays.
extension PlayerCore {
    /// Notes that the file at `location` was replaced.
    mutating func fileChanged(_ location: String, at now: Time) {
        change(at: now) { $0.forget(location, at: now) }
    }

    private mutating func forget(_ location: String, at now: Time) {
        let isOfBreak = layout.breaks.contains { $0.play.contains { $0.segments.contains { $0.source == location } } }
        for tile in tiles.playing { tiles[tile].troubledSounds[location] = nil }
        for feed in feeds.ids
        where isOfBreak || playbacks.feeds[feed].tiles.contains(where: { tiles[$0].plays(location) }) {
            let leases = pool.pipelines.compactMap(\.lease).filter { $0.feed == feed }
            playbacks.feeds[feed].forget(location, leases: leases, at: now, &playbacks.effects)
        }
    }
}
