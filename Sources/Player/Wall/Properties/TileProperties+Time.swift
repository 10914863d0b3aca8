import Base
import Commands
import Feeds
import Layout

extension Properties {
    /// A tile's group, and its place in its item.
    static let time: [TileProperty] = [
        Property(
            "pause", .tile, takes: .flag, "its group's clock stands", idle: .mainGroup,
            cycle: { _ in .pause(.toggle, .group) },
            get: { report, tile in report.isPaused(report.feed(of: tile).group) },
            set: { given in given.change(\.asFlag) { .pause($0 ? .on : .off, given.scope) } }),
        Property(
            "speed", .tile, takes: .rate, "its group's rate", idle: .mainGroup,
            get: { report, tile in report.rate(of: report.feed(of: tile).group) },
            set: { given in given.change(\.asRate) { .rate(.to($0), given.scope) } }),
        Property(
            "time-pos", .tile, takes: .time, "seconds into its item, of the frame on the screen",
            get: timePosition, set: seek),
        Property(
            "playback-time", .tile, takes: .time, "`time-pos` by another name",
            get: timePosition, set: seek),
        Property(
            "duration", .tile, "length of its item, in seconds",
            get: { report, tile in report.placeInItem(of: tile)?.length.map { .number($0.seconds) } }),
        Property(
            "percent-pos", .tile, takes: .number(0...100), "its place in its item, in hundredths",
            get: { report, tile in
                guard let place = report.placeInItem(of: tile), let position = place.position,
                    let length = place.length, length > .zero
                else { return nil }
                return .number(min(100, Double(position.ticks) * 100 / Double(length.ticks)))
            },
            set: { given in given.change(\.asNumber) { .seek(.toPercent($0), given.scope) } }),
        Property(
            "time-remaining", .tile, "seconds until its item ends",
            get: { report, tile in
                guard let place = report.placeInItem(of: tile), let position = place.position,
                    let length = place.length
                else { return nil }
                return .number(max(.zero, length - position).seconds)
            }),
    ]

    private static let timePosition: @Sendable (PropertyReport, TileID) -> PropertyValue? = { report, tile in
        report.placeInItem(of: tile)?.position.map { .number($0.seconds) }
    }

    private static let seek: @Sendable (PropertySetting) -> PropertySetting.Outcome = { given in
        given.change(\.asTime) { .seek(.to($0), given.scope) }
    }

    /// Whether a tile plays.
    static let motion: [TileProperty] = [
        Property(
            "eof-reached", .tile, "it stays on its last frame",
            get: { report, tile in
                let feed = report.feed(of: tile)
                return feed.timeline.items.isEmpty ? nil : .flag(feed.phase == .ended)
            }),
        Property(
            "seeking", .tile, "its clock waits for frames after a jump",
            get: { report, tile in
                let feed = report.feed(of: tile), group = report.snapshot.clocks[feed.group]
                if feed.timeline.items.isEmpty { return nil }
                if case .waiting = group.phase, group.hasStarted { return .flag(true) }
                return .flag(group.pendingJump != nil)
            }),
        Property(
            "core-idle", .tile, "its clock does not move", idle: .value(.flag(true)),
            get: { report, tile in
                let feed = report.feed(of: tile), group = report.snapshot.clocks[feed.group]
                return .flag(feed.phase != .playing || group.clock.motion == .paused || group.phase != .going)
            }),
        Property(
            "idle-active", .tile, "it has nothing to play", idle: .value(.flag(true)),
            get: { report, tile in .flag(report.feed(of: tile).timeline.items.isEmpty) }),
    ]
}

extension PropertyReport {
    func feed(of tile: TileID) -> Feed { snapshot.feeds[snapshot.tiles[tile].feed] }

    /// Returns the tile's place in its item, and the item's length; nil if it has nothing to play.
    func placeInItem(of tile: TileID) -> (position: Time?, length: Time?)? {
        let feed = feed(of: tile)
        return feed.timeline.items.isEmpty ? nil : place(of: feed)
    }

    /// Returns the place in its item of the frame on the screen. A still and a sound without frames have no such frame:
    /// for them, and if there is no frame yet, returns the place by the clock. At the end of the sequence, that is the
    /// end of the item.
    func place(of feed: Feed) -> (position: Time?, length: Time?) {
        let isStill = feed.slots.first?.isStill ?? false
        if !isStill, let presented = feed.screen.presented, feed.timeline.item(of: presented.run) != nil {
            let before = feed.timeline.length(ofSegmentsBefore: presented.run)
            return (before + presented.offset, feed.timeline.itemLength(at: presented.run.place))
        }
        guard let place = snapshot.placeByClock(of: feed, at: snapshot.now) else { return (nil, nil) }
        let position = isStill && feed.phase == .ended ? place.length ?? place.position : place.position
        return (max(.zero, position), place.length)
    }
}
