import Base
import Layout
import Measurement
import Scene

// Pairing: which frames of compared or measured films belong together.
extension PlayerCore {
    /// Pairs frames of films with equal rates: each frame appears and changes with the reference frame that starts
    /// nearest to it. An offset need not be a whole number of frames.
    mutating func settlePairs(at now: Time) {
        let references = comparedWith()
        for feed in feeds.ids {
            let phase = references[feed].map { playbacks.phase(of: feed, beside: $0, at: now) } ?? .zero
            guard phase != playbacks.feeds[feed].compared.phase else { continue }
            playbacks.feeds[feed].compared.shift(to: phase)
        }
    }

    /// Returns the reference of each feed that is paired.
    private func comparedWith() -> [FeedID: FeedID] {
        var references: [FeedID: FeedID] = [:]
        func pair(_ other: TileID, with first: TileID) {
            let feed = tiles[other].feed, reference = references[tiles[first].feed] ?? tiles[first].feed
            // A feed that others are paired with keeps its own frame times.
            guard feed != reference, references[feed] == nil, !references.values.contains(feed) else { return }
            references[feed] = reference
        }
        for tile in tiles.comparing {
            guard let members = tiles[tile].comparison?.members, let first = members.first else { continue }
            for member in members.dropFirst() { pair(member, with: first) }
        }
        if needs.keepsSamples {
            for tile in tiles.order where tiles[tile].comparison == nil {
                if let first = reference(for: tile) { pair(tile, with: first) }
            }
        }
        return references
    }
}
