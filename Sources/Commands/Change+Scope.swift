extension Change {
    /// Returns the change limited to `scope` if it changes time; any other change as it is.
    public func scoped(_ scope: Scope) -> Change {
        switch self {
        case .pause(let switching, _): .pause(switching, scope)
        case .step(let by, _): .step(by: by, scope)
        case .seek(let seek, _): .seek(seek, scope)
        case .seekToKeyFrame(let seek, _): .seekToKeyFrame(near: seek, scope)
        case .home(_): .home(scope)
        case .end(_): .end(scope)
        case .rate(let change, _): .rate(change, scope)
        case .abLoop(let change, _): .abLoop(change, scope)
        case .property(let name, let change, _): .property(name, change, scope)
        case .at(let instant, let change): .at(instant, change.scoped(scope))
        case .to(let target, let change): .to(target, change.scoped(scope))
        default: self
        }
    }

    /// True if the change changes the time of a whole group, unless it is limited to a tile.
    public var isOfTime: Bool { scoped(.group) != scoped(.tileAlone) }

    /// True if the change changes one tile, and no other tile of its group.
    public var isOfOneTile: Bool {
        switch self {
        case .item, .goToItem, .sequence, .track, .key, .stems, .subtitles, .useTake, .nudge, .nudgeByFrame: true
        case .nextUp, .retry(.tile): true
        case .mute(_, .tile), .volume(_, .tile): true
        default: false
        }
    }
}
