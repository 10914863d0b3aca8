import Base
import Commands
import Feeds
import Scene

// Changes that users, programs, schedules and features ask for, by any input.
extension Wall {
    /// Makes a change, and commits it. A change with a later instant waits for it. Changes of the program are passed on in
    /// the effects. Returns why the change was refused; nil if it was made.
    @discardableResult
    public mutating func apply(_ change: Change, to target: Target = .focused, at now: Time) -> ControlError? {
        features.forEach { $0.commandComes() }
        let refusal = make(change, for: target, at: now)
        player.touch(.all)
        player.commit(at: now)
        return refusal
    }

    /// Shows a text of the program itself. It is no command, so the text on the last command stays.
    public mutating func show(_ text: String, for length: Time, at now: Time) {
        change(at: now) { _ in [.showText(text, for: length)] }
    }

    /// Makes the changes of a feature, in their order.
    mutating func make(_ changes: [Change], at now: Time) {
        for change in changes { _ = make(change, for: .focused, at: now) }
    }

    /// Makes a change without a commit.
    private mutating func make(_ change: Change, for target: Target, at now: Time) -> ControlError? {
        switch (change, target) {
        case (.nothing, _): return nil
        case (.inPlayer(let change), _):
            if let change = change.body as? PlayerChangeBody { change.make(&player, now) }
            return nil
        case (.to(let target, let change), _): return make(change, for: target, at: now)
        case (.at(let instant, let change), _) where instant > now:
            let isTaken = player.scheduled.add(change, for: target, at: instant)
            return isTaken ? nil : ControlError(.commandError, because: "too many changes wait for their time")
        case (.at(_, let change), _): return make(change, for: target, at: now)
        case (_, .named(let name)):
            guard let tile = tile(named: name) else { return unknownTile(name, at: now) }
            return make(change, for: .tile(tile), at: now)
        case (_, .tiles(let tiles)): return make(change, forEach: tiles, at: now)
        case (.property(let path, let step, let scope), _): return setProperty(path, step, of: target, scope, at: now)
        case (.compare(.with(let name, let mode)), _):
            guard let other = tile(named: name) else { return unknownTile(name, at: now) }
            guard let tile = target.tile ?? focus else { return .commandError }
            return make(.compare(.tiles(tile, other, mode)), for: target, at: now)
        default: return perform(change, for: target, at: now)
        }
    }

    private func unknownTile(_ name: String, at now: Time) -> ControlError {
        ControlError(.commandError, because: WallReport(self, at: now).complaint(aboutTile: name))
    }

    /// Has a feature or the player make a change.
    private mutating func perform(_ change: Change, for target: Target, at now: Time) -> ControlError? {
        let tile = tile(for: change, target)
        if case .sequence = change { features.forEach { $0.sequenceChanges() } }
        let answer = answer(to: change, of: tile, at: now)
        if let answer {
            make(answer.changes, at: now)
        } else if let tile, let reason = player.snapshot(at: now).reasonAgainstLive(change, of: tile) {
            make([.notice(reason)], at: now)
            return ControlError(.commandError, because: reason)
        }
        guard answer?.isDone ?? performByPlayer(change, of: tile, target, at: now) else {
            let reason = answer?.reason ?? WallReport(self, at: now).reason(against: change, on: target.tile)
            return ControlError(.commandError, because: reason)
        }
        let after = player.snapshot(at: now)
        if let text = features.firstAnswer({ $0.notice(after: change, of: tile, after) }) {
            make([.notice(text)], at: now)
        }
        return nil
    }

    /// Returns the answer of the feature that the change is for; nil if the change is for the player.
    private mutating func answer(to change: Change, of tile: TileID?, at now: Time) -> FeatureAnswer? {
        let snapshot = player.snapshot(at: now)
        return features.first { $0.carryOut(change, of: tile, snapshot) }
    }

    /// Returns the tile that a change is for. A nudge goes to the overlaid comparison, if there is one.
    private func tile(for change: Change, _ target: Target) -> TileID? {
        switch (target, change) {
        case (.inHand(let tile), _), (.tile(let tile), _): player.tiles.contains(tile) ? tile : nil
        case (.focused, .nudge), (.focused, .nudgeByFrame): player.tiles.overlaid ?? focus
        case (.focused, _): focus
        default: nil
        }
    }

    /// Makes a change that no feature has taken.
    private mutating func performByPlayer(_ change: Change, of tile: TileID?, _ target: Target, at now: Time) -> Bool {
        switch (change, target) {
        case (_, .clock(let group)): return player.apply(change, toClock: group, at: now)
        case (.scrub(let move), _) where tile != nil: scrub(move, at: now)
        case (.click(let point), _) where tile != nil: click(point, at: now)
        case (.doubleClick(let point), _) where tile != nil: doubleClick(point, at: now)
        default: return player.apply(change, to: tile, at: now)
        }
        return true
    }

    // MARK: all tiles of a group

    /// Makes a change of each of these tiles, which follow one clock; one of their time once, and one that is about no
    /// tile once. Returns the first refusal.
    private mutating func make(_ change: Change, forEach tiles: [TileID], at now: Time) -> ControlError? {
        guard let first = tiles.first else { return nil }
        var changed = [first]
        switch change {
        // A toggle leaves all tiles alike.
        case .mute(.toggle, .tile): return make(.property("mute", .cycle(isUp: true), .group), forEach: tiles, at: now)
        case .property(let path, let step, let scope): return setProperty(path, step, ofEach: tiles, scope, at: now)
        case _ where change.isOfTime:
            let following = self.tiles(tiles, thatFollow: change, at: now)
            changed = change == change.scoped(.tileAlone) ? following : Array(following.prefix(1))
        case _ where change.isOfOneTile: changed = tiles
        default: break
        }
        for tile in changed { if let refusal = make(change, for: .tile(tile), at: now) { return refusal } }
        return nil
    }

    /// Returns those of these tiles that follow a change of time, which live tiles do not; all if none does.
    private func tiles(_ tiles: [TileID], thatFollow change: Change, at now: Time) -> [TileID] {
        let snapshot = player.snapshot(at: now)
        let following = tiles.filter { snapshot.reasonAgainstLive(change.scoped(.tileAlone), of: $0) == nil }
        return following.isEmpty ? tiles : following
    }

    /// Changes a property of each of these tiles; a property of their time once. After a cycle all tiles have the value
    /// of the first.
    private mutating func setProperty(
        _ path: String, _ step: Change.PropertyChange, ofEach tiles: [TileID], _ scope: Change.Scope, at now: Time
    ) -> ControlError? {
        let report = WallReport(self, at: now)
        var (tiles, step, isOfTime) = (tiles, step, false)
        func property() -> NamedProperty? { NamedProperty(path, of: .tile(tiles[0]), .group, report) }
        if case .change(let change?)? = property()?.set(.number(1)) {
            tiles = self.tiles(tiles, thatFollow: change, at: now)
        }
        if scope == .group, let property = property(), case .success(let value) = property.read(report),
            case .change(let change?) = property.set(value)
        {
            isOfTime = change.isOfTime
        }
        for tile in isOfTime ? tiles.prefix(1) : tiles[...] {
            if let error = setProperty(path, step, of: .tile(tile), scope, at: now) {
                // The caller may know more properties, and explains this error.
                if error == .propertyNotFound { return error }
                return error.detailed(WallReport(self, at: now).reason(error, of: path, on: tile))
            }
            guard case .success(let value) = WallReport(self, at: now).value(at: path, of: tile) else { continue }
            switch step {
            case .cycle, .cycleValues: step = .set(value)
            case .set, .add, .multiply: break
            }
        }
        return nil
    }

    // MARK: properties

    /// Makes the change for which the change of a property stands. `path`: a property's name, a path into its parts,
    /// tiles/ID/NAME or groups/NAME/NAME.
    private mutating func setProperty(
        _ path: String, _ step: Change.PropertyChange, of target: Target, _ scope: Change.Scope, at now: Time
    ) -> ControlError? {
        let report = WallReport(self, at: now)
        guard let property = NamedProperty(path, of: target, scope, report) else { return .propertyNotFound }
        switch property.outcome(of: step) {
        case .refused(let error): return error
        case .change(let change):
            let own = property.owner.tile.map { Target.tile($0) } ?? target
            if let change, make(change, for: own, at: now) != nil {
                let live = (property.owner.tile ?? target.tile ?? focus).flatMap {
                    report.snapshot.reasonAgainstLive(change, of: $0)
                }
                return ControlError(.propertyUnavailable, because: live)
            }
        }
        if let text = property.notice(in: WallReport(self, at: now)) { make([.notice(text)], at: now) }
        return nil
    }

    // MARK: drags and clicks
    // A drag over a tile moves its group's clock within the item under it.

    mutating func scrub(_ scrub: Change.Scrub, at now: Time) {
        switch scrub {
        case .began(let point, .sideways): grab(point, at: now)
        case .began: break
        case .moved(let right, _): player.transport.drag(by: right, at: now)
        case .ended: player.transport.endScrub(at: now)
        }
    }

    private mutating func grab(_ point: Point, at now: Time) {
        guard let tile = player.tile(at: point) else { return }
        let onBar = placeOnBar(at: point, now)?.position
        let width = onBar == nil ? player.output.rectToDecode(of: tile).width : places(of: tile, at: now).bar.width
        player.transport.grab(tile, of: player.feed(of: tile), at: onBar, width: width, now: now)
    }

    /// Jumps to the place on a tile's bar, or gives the tile the focus.
    mutating func click(_ point: Point, at now: Time) {
        guard let (tile, position) = placeOnBar(at: point, now) else {
            _ = player.apply(.focus(.at(point)), to: nil, at: now)
            return
        }
        let group = player.feed(of: tile).group
        if player.clocks[group].hasStarted { _ = player.apply(.moveClock(to: position), toClock: group, at: now) }
    }

    /// Toggles the zoom, or jumps on the bar. The first click has moved the focus.
    mutating func doubleClick(_ point: Point, at now: Time) {
        if placeOnBar(at: point, now) == nil {
            _ = player.apply(.zoom(.toggle), to: focus, at: now)
        } else {
            click(point, at: now)
        }
    }

    // MARK: the progress bars of tiles

    /// Returns the group time that the bar under a point of the window shows there. nil if there is no bar.
    private func placeOnBar(at point: Point, _ now: Time) -> (tile: TileID, position: Time)? {
        let snapshot = player.snapshot(at: now)
        guard let tile = snapshot.tile(at: point), case let feed = snapshot.feed(of: tile), feed.liveSource == nil,
            let item = feed.itemOnScreen,
            case let hasPlot = features.all.contains(where: { $0.hasPlot(tile, snapshot) }),
            let share = places(of: tile, at: now).shareOfBar(at: point, hasPlot: hasPlot)
        else { return nil }
        let place = item.lowerBound + (item.upperBound - item.lowerBound).part(share)
        return (tile, min(place, item.upperBound - snapshot.clocks[feed.group].dueTolerance - Time(ticks: 1)))
    }

    /// Returns the places of marks on a tile as it is drawn, or as it will be drawn after the zoom animation.
    private func places(of tile: TileID, at now: Time) -> MarksPlaces {
        MarksPlaces(in: ViewMaker(snapshot: player.snapshot(at: now)).viewToCome(of: tile).marksRect)
    }
}
