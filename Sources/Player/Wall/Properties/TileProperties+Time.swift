import Base
import Commands
import Feeds
import Layout

extension Properties {
    /// A tile's group, and its place in its item.
    static let time: [TileProperty] = [
        Property(
            "pause", .tile, takes: .flag, "its group's clock stands", idle: .mainGroup,
            cycle: { _ in .pause(.toggle, .group) }, get: { $0.isPaused($0.feed.group) },
            set: { given in given.change(\.asFlag) { .pause($0 ? .on : .off, given.scope) } }),
        Property(
            "speed", .tile, takes: .rate, "its group's rate", idle: .mainGroup, get: { $0.rate(of: $0.feed.group) },
            set: { given in given.change(\.asRate) { .rate(.to($0), given.scope) } }),
        Property(
            "time-pos", .tile, takes: .time, "seconds into its item, of the frame on the screen", get: position,
            set: seek),
        Property("playback-time", .tile, takes: .time, "`time-pos` by another name", get: position, set: seek),
        Property(
            "duration", .tile, "length of its item, in seconds",
            get: { $0.placeInItem?.length.map { .number($0.seconds) } }),
        Property(
            "percent-pos", .tile, takes: .number(0...100), "its place in its item, in hundredths",
            get: {
                guard let place = $0.placeInItem, let position = place.position, let length = place.length,
                    length > .zero
                else { return nil }
                return .number(min(100, Double(position.ticks) * 100 / Double(length.ticks)))
            },
            set: { given in given.change(\.asNumber) { .seek(.toPercent($0), given.scope) } }),
        Property(
            "time-remaining", .tile, "seconds until its item ends",
            get: {
                guard let place = $0.placeInItem, let position = place.position, let length = place.length else {
                    return nil
                }
                return .number(max(.zero, length - position).seconds)
            }),
    ]

    private static let position: TileProperty.Getter = { $0.placeInItem?.position.map { .number($0.seconds) } }

    private static let seek: TileProperty.Setter = { given in given.change(\.asTime) { .seek(.to($0), given.scope) } }

    /// Whether a tile plays.
    static let motion: [TileProperty] = [
        Property(
            "eof-reached", .tile, "it stays on its last frame",
            get: { $0.feed.timeline.items.isEmpty ? nil : .flag($0.feed.phase == .ended) }),
        Property(
            "seeking", .tile, "its clock waits for frames after a jump",
            get: {
                if $0.feed.timeline.items.isEmpty { return nil }
                if case .waiting = $0.group.phase, $0.group.hasStarted { return .flag(true) }
                return .flag($0.group.pendingJump != nil)
            }),
        Property(
            "core-idle", .tile, "its clock does not move", idle: .value(.flag(true)),
            get: { .flag($0.feed.phase != .playing || $0.group.clock.motion == .paused || $0.group.phase != .going) }),
        Property(
            "idle-active", .tile, "it has nothing to play", idle: .value(.flag(true)),
            get: { .flag($0.feed.timeline.items.isEmpty) }),
    ]
}

extension PropertyReader<TileID> {
    /// The tile's place in its item, and the item's length; nil if it has nothing to play.
    fileprivate var placeInItem: (position: Time?, length: Time?)? { feed.timeline.items.isEmpty ? nil : placeOfFrame }

    /// The place in its item of the frame on the screen. A still and a sound without frames have no such frame: for them,
    /// and if there is no frame yet, the place by the clock. At the end of the sequence, that is the end of the item.
    var placeOfFrame: (position: Time?, length: Time?) {
        let feed = feed, isStill = feed.slots.first?.isStill ?? false
        if !isStill, let presented = feed.screen.presented, feed.timeline.item(of: presented.run) != nil {
            let before = feed.timeline.length(ofSegmentsBefore: presented.run)
            return (before + presented.offset, feed.timeline.itemLength(at: presented.run.place))
        }
        guard let place = snapshot.placeByClock(of: feed) else { return (nil, nil) }
        let position = isStill && feed.phase == .ended ? place.length ?? place.position : place.position
        return (max(.zero, position), place.length)
    }
}
