import Base
import Feeds
import Layout
import Measurement

// Pairing: which frames of compared or measured films belong together.
extension Playout {
    /// Pairs frames of films with equal rates: each frame appears and changes with the reference frame that starts
    /// nearest to it. An offset need not be a whole number of frames. Returns true if a feed decodes again.
    func settlePairs() -> Bool {
        let references = comparedWith()
        var decodesAgain = false
        for feed in feeds {
            let phase = references[feed.id].map { transport.phase(of: feed, beside: feeds[$0], at: now) } ?? .zero
            guard phase != feed.watched.phase else { continue }
            feed.watched.phase = phase
            // The feed entered its run before the phase was known, at a frame that may be too late.
            let playback = context(of: feed)
            if !playback.isRunning, feed.enterEarlier(playback) { decodesAgain = true }
        }
        return decodesAgain
    }

    /// Returns the reference of each feed that is paired.
    private func comparedWith() -> [FeedID: FeedID] {
        var references: [FeedID: FeedID] = [:]
        func pair(_ other: TileID, with first: TileID) {
            let feed = tiles[other].feed, own = tiles[first].feed
            let reference = references[own] ?? own
            // A feed that others are paired with keeps its own frame times.
            guard feed != reference, references[feed] == nil, !references.values.contains(feed) else { return }
            references[feed] = reference
        }
        for tile in tiles.watching {
            guard let members = tiles[tile].watch?.members, let first = members.first else { continue }
            for member in members.dropFirst() { pair(member, with: first) }
        }
        if needs.keepsSamples {
            for tile in tiles.order where tiles[tile].watch == nil {
                if let first = tiles.reference(for: tile, feeds) { pair(tile, with: first) }
            }
        }
        return references
    }
}
