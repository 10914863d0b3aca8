import Base
import Commands
import Feeds

/// A change of time that live sources can't follow.
enum TimeChange {
    case seek, rate

    fileprivate var refusal: String {
        switch self {
        case .seek: "a live source can't be sought"
        case .rate: "a live source has no rate"
        }
    }
}

// In a group with live sources and films, only the films are sought, and only they have a rate.
extension Snapshot {
    /// Returns why a command can't be carried out: it concerns the time of live sources alone. nil if it concerns a film,
    /// too, or is no such command.
    func reasonAgainstLive(_ command: Change, of tile: TileID) -> String? {
        let (change, scope): (TimeChange, Change.Scope)
        switch command {
        case .seek(_, let given), .seekToKeyFrame(_, let given): (change, scope) = (.seek, given)
        case .rate(_, let given): (change, scope) = (.rate, given)
        default: return nil
        }
        let feed = feed(of: scope == .group ? tiles.playingTile(for: tile) : tiles.tileMovedAlone(for: tile))
        let isRefused = scope == .group ? refuse(change, feed.group) : refuses(change, feed)
        return isRefused ? "\(tiles[tile].name) is live: \(change.refusal)" : nil
    }

    /// Returns why the time of a group can't be changed; nil if it can.
    func reasonAgainstLive(_ change: TimeChange, of group: GroupID) -> String? {
        refuse(change, group) ? "the tiles of \(clocks[group].name) are live: \(change.refusal)" : nil
    }

    private func refuse(_ change: TimeChange, _ group: GroupID) -> Bool {
        let members = feeds.filter { $0.group == group && !$0.viewers.isEmpty && !$0.timeline.items.isEmpty }
        return !members.isEmpty && members.allSatisfy { refuses(change, $0) }
    }

    /// A rate that is set while a live item plays is the rate of a film after it.
    private func refuses(_ change: TimeChange, _ feed: Feed) -> Bool {
        switch change {
        case .seek: feed.isAtLiveSource
        case .rate: feed.playsOnlyLive
        }
    }
}
