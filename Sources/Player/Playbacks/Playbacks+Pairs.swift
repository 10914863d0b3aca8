import Base
import Feeds
import Layout
import Measurement
import Scene

// Pairing: which frames of compared or measured films belong together.
extension Playbacks {
    /// Pairs frames of films with equal rates: each frame appears and changes with the reference frame that starts
    /// nearest to it. An offset need not be a whole number of frames. Returns true if a feed decodes again.
    mutating func settlePairs(_ context: WallContext) -> Bool {
        let references = comparedWith(context)
        var decodesAgain = false
        for feed in feeds.ids {
            let phase = references[feed].map { self.phase(of: feed, beside: $0, at: context.now) } ?? .zero
            guard phase != feeds[feed].compared.phase else { continue }
            feeds[feed].compared.pairFrames(at: phase)
            // The feed entered its run before the phase was known, at a frame that may be too late.
            let playback = self.context(of: feed, at: context.now)
            if !playback.isRunning, feeds[feed].enterEarlier(playback, &effects) { decodesAgain = true }
        }
        return decodesAgain
    }
}

extension PlaybackParts {
    /// Returns the reference of each feed that is paired.
    fileprivate func comparedWith(_ context: WallContext) -> [FeedID: FeedID] {
        var references: [FeedID: FeedID] = [:]
        func pair(_ other: TileID, with first: TileID) {
            let feed = context.tiles[other].feed, own = context.tiles[first].feed
            let reference = references[own] ?? own
            // A feed that others are paired with keeps its own frame times.
            guard feed != reference, references[feed] == nil, !references.values.contains(feed) else { return }
            references[feed] = reference
        }
        for tile in context.tiles.comparing {
            guard let members = context.tiles[tile].comparison?.members, let first = members.first else { continue }
            for member in members.dropFirst() { pair(member, with: first) }
        }
        if context.keepsSamples {
            for tile in context.tiles.order where context.tiles[tile].comparison == nil {
                if let first = context.tiles.reference(for: tile, feeds) { pair(tile, with: first) }
            }
        }
        return references
    }
}
