import Base
import Layout

/// Announces on the wall that not all of its live tiles can play at once. Once for each layout, and for each number of
/// pipelines.
struct ShortageNotice {
    /// Layout and number of pipelines for which it was announced; nil if it was not.
    private var announced: Situation?

    private struct Situation: Equatable {
        let layout: Int
        let pipelines: Int
    }

    enum Change {
        case announce(String)
        /// Another layout plays, or another number of pipelines.
        case withdraw
    }

    static var announcementStays: Time { .seconds(10) }

    /// Returns nil if nothing changes.
    mutating func update(_ player: some PlayerParts) -> Change? {
        let situation = Situation(layout: player.layouts.serial, pipelines: player.pool.limit)
        if let announced {
            if announced == situation { return nil }
            self.announced = nil
            return .withdraw
        }
        let (pool, feeds) = (player.pool, player.feeds)
        guard player.beganAt != nil, pool.seats < feeds.count, !player.layout.hidesMessages,
            feeds.allSatisfy({ !$0.plays || $0.isKnownLive }), case let playing = feeds.count(where: \.plays),
            playing > pool.seats
        else { return nil }
        announced = situation
        let many = "\(playing) live tiles share"
        guard pool.seats == pool.limit else {
            return .announce("\(many) what the processor decodes: \(pool.seats) at a time")
        }
        let pipelines = "\(pool.limit) pipeline\(pool.limit == 1 ? "" : "s")"
        let remedy = playing <= 64 ? "--pipelines \(playing) plays all of them" : "at most 64 play at once"
        return .announce("\(many) \(pipelines); \(remedy)")
    }
}

extension Feed {
    /// True if tiles view the feed and it has not ended.
    fileprivate var plays: Bool { !tiles.isEmpty && phase != .ended }

    /// True if every source of the feed is known to be live.
    fileprivate var isKnownLive: Bool {
        timeline.items.allSatisfy { $0.segments.allSatisfy { isKnownLive($0.source) } }
    }
}
