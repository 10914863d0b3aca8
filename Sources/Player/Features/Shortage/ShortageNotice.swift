import Base
import Commands
import Feeds

/// Announces on the wall that not all of its live tiles can play at once. Once for each layout, and for each number of
/// pipelines.
struct ShortageNotice: Feature {
    /// Layout and number of pipelines for which it was announced; nil if it was not.
    private var announced: (layout: Int, pipelines: Int)?

    private static var stays: Time { .seconds(10) }

    var follows: PlayerChanges { .state }

    mutating func react(to player: PlayerCore, at now: Time) -> [Change] {
        let situation = (layout: player.layouts.serial, pipelines: player.pool.limit)
        if let announced {
            if announced == situation { return [] }
            self.announced = nil
            return [.announce(nil, for: .zero)]
        }
        let (pool, feeds) = (player.pool, player.feeds)
        guard player.beganAt != nil, pool.seats < feeds.count, !player.layout.hidesMessages,
            feeds.allSatisfy({ !$0.plays || $0.isKnownLive }), case let playing = feeds.count(where: \.plays),
            playing > pool.seats
        else { return [] }
        announced = situation
        let many = "\(playing) live tiles share"
        guard pool.seats == pool.limit else {
            return [.announce("\(many) what the processor decodes: \(pool.seats) at a time", for: Self.stays)]
        }
        let pipelines = "\(pool.limit) pipeline\(pool.limit == 1 ? "" : "s")"
        let remedy = playing <= 64 ? "--pipelines \(playing) plays all of them" : "at most 64 play at once"
        return [.announce("\(many) \(pipelines); \(remedy)", for: Self.stays)]
    }
}

extension Feed {
    /// True if tiles view the feed and it has not ended.
    fileprivate var plays: Bool { !tiles.isEmpty && phase != .ended }

    /// True if every source of the feed is known to be live.
    fileprivate var isKnownLive: Bool {
        timeline.items.allSatisfy { $0.segments.allSatisfy { sources.isKnownLive($0.source) } }
    }
}
