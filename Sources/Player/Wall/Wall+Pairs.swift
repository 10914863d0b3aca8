import Base
import Layout
import Measurement
import Scene

// Pairing: which frames of compared or measured films belong together.
extension Wall {
    /// Pairs frames of films with equal rates: each frame appears and changes with the reference frame that starts
    /// nearest to it. An offset need not be a whole number of frames.
    mutating func settlePairs(at now: Time) {
        let references = comparedWith()
        for feed in feeds.ids {
            let phase = references[feed].map { self.phase(of: feed, beside: $0, at: now) } ?? .zero
            guard phase != feeds[feed].framePhase else { continue }
            feeds[feed].setFramePhase(phase)
            effects.wakeScreen()
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
        if figures.isOn {
            for tile in tiles.order where tiles[tile].comparison == nil {
                if let first = reference(for: tile) { pair(tile, with: first) }
            }
        }
        return references
    }

    private func phase(of feed: FeedID, beside reference: FeedID, at now: Time) -> Time {
        guard feeds[feed].group == feeds[reference].group, !feeds[feed].isLive, !feeds[reference].isLive else {
            return .zero
        }
        let groupTime = clocks[feeds[feed].group].dueTime(at: now)
        guard let grid = feeds[feed].frameGrid(at: groupTime), let other = feeds[reference].frameGrid(at: groupTime),
            let phase = grid.phase(beside: other, at: groupTime)
        else { return .zero }
        // Frames that start within the tolerance of each other are due together without a phase.
        return phase.magnitude <= clocks[feeds[feed].group].dueTolerance ? .zero : phase
    }

    /// Short and long text about two films whose frames do not start together. nil if they start together, or if
    /// the rates of the films differ.
    func wordsOnPairing(of other: TileID, with reference: TileID) -> (short: String, long: String)? {
        let feed = feeds[tiles[other].feed]
        guard feed.framePhase != .zero, let frame = frameLength(of: other) else { return nil }
        let offset = tiles[other].layout.offset - tiles[reference].layout.offset, whole = offset + feed.framePhase
        let count = Int64((Double(whole.ticks) / Double(frame.ticks)).rounded())
        guard (whole - frame * count).magnitude <= frame.dueTolerance else {
            let apart = fixed(feed.framePhase.magnitude.seconds * 1000, 1)
            return ("nearest frames, \(apart) ms apart", "frames start \(apart) ms apart: the nearest are paired")
        }
        let frames = count < 0 ? "\u{2212}\(-count)" : "+\(count)"
        return (
            "paired as \(frames) frames",
            "offset \(offset.signedText) s is no whole number of frames: paired as \(frames) (\(whole.signedText) s)"
        )
    }

    /// Returns why a shown frame does not belong to this instant: its film has ended, or has not begun. nil if it
    /// belongs to it.
    func absence(of tile: TileID, at now: Time) -> String? {
        let feed = feeds[tiles[tile].feed]
        switch feed.presence(at: context(of: feed.id, at: now).groupTime) {
        case .plays: return nil
        case .hasEnded: return "\(nameOfMember(tile)) has ended"
        case .hasNotBegun: return "\(nameOfMember(tile)) has not begun"
        }
    }

    /// Returns a reason for each member of a comparison that shows no frame of this instant.
    func absentMembers(of tile: TileID, at now: Time) -> [Marks.Reason] {
        guard let comparison = tiles[tile].comparison else { return [] }
        return comparison.shown.compactMap { shown in absence(of: shown.member, at: now).map { .over($0) } }
    }
}
