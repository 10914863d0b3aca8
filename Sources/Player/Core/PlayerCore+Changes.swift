import Base
import Commands
import Feeds

// Changes that the player makes by itself.
extension PlayerCore {
    /// Makes a change. `tile`: the tile that it is for; nil if there is none. Returns false if it can't be made.
    mutating func apply(_ change: Change, to tile: TileID?, at now: Time) -> Bool {
        switch change {
        case .window(.escape) where output.isZoomed: tileFeeds.toggleZoom(at: now)
        case .window(let command): outbox.window(command)
        case .focus(.target): return tile.map { apply(.focus(.tile($0)), to: $0, at: now) } ?? false
        case .focus(let move): tileFeeds.moveFocus(move, at: now)
        case .mute(_, .wall), .volume(_, .wall), .audioDelay:
            guard sounds.state.apply(change) else { return false }
            transport.follow(audioDelay: audioState.delayMilliseconds)
        case .zoom(.off): if output.isZoomed { tileFeeds.toggleZoom(at: now) }
        case .zoom(.to(let tile)):
            guard tiles.contains(tile) else { return false }
            tileFeeds.zoom(tile, at: now)
        case .pause(_, .group) where tiles.count == 0, .rate(_, .group) where tiles.count == 0:
            return apply(change, toClock: clocks.main, at: now)
        case .retry(.all): for feed in feeds { transport.tryAgain(feed, at: now) }
        default:
            guard let tile else { return false }
            return apply(change, toTile: tile, at: now)
        }
        return true
    }

    /// Makes a change of a group's clock. Returns false if it is another one.
    mutating func apply(_ change: Change, toClock group: GroupID, at now: Time) -> Bool {
        switch change {
        case .pause(let switching, _): transport.pause(group, switching, at: now)
        case .rate(let rate, _): transport.clocks[group].setRate(rate, at: now)
        case .moveClock(let position): transport.jump(group, to: position, at: now)
        default: return false
        }
        touch(.playback)
        return true
    }

    private mutating func apply(_ change: Change, toTile tile: TileID, at now: Time) -> Bool {
        switch change {
        case .pause(_, let scope):
            return apply(change, toClock: tileFeeds.prepareGroup(of: tile, for: scope, .pause), at: now)
        case .rate(_, let scope): return apply(change, toClock: tileFeeds.prepareGroup(of: tile, for: scope), at: now)
        case .seek(let seek, let scope): return tileFeeds.seek(tile, seek, scope, at: now)
        case .seekToKeyFrame(let seek, let scope): return tileFeeds.seek(tile, seek, scope, toKeyFrame: true, at: now)
        case .home(.group): tileFeeds.comeHome(tileFeeds.groupAtHome(of: tile), at: now)
        case .home(.tileAlone):
            transport.seek(tileFeeds.prepareGroup(of: tile, for: .tileAlone), to: .zero, at: now)
        case .end(let scope): return tileFeeds.goToEnd(tile, scope, at: now)
        case .step(let by, let scope):
            let group = tileFeeds.prepareGroup(of: tile, for: scope)
            transport.jump(group, bySteps: by, of: tiles[tile].feed, at: now)
        case .stepOfAny(let by):
            transport.stepOfAny(by: by, tileFeeds.prepareGroup(of: tile, for: .group), at: now)
        case .item(let by): return tileFeeds.goToItem(by: by, tiles.playingTile(for: tile), at: now)
        case .goToItem(let item):
            let tile = tiles.playingTile(for: tile)
            guard let item = item ?? tileFeeds.presentItemOfSequence(of: tile) else { return false }
            return tileFeeds.goToItem(item, tile, at: now)
        case .sequence(let change):
            // The layout states what a tile watches.
            guard tiles[tile].watch == nil else { return false }
            return tileFeeds.apply(change, to: tile, at: now)
        case .retry:
            for feed in feeds where feed.viewers.contains(tile) { transport.tryAgain(feed, at: now) }
        case .nudge(let by): return tileFeeds.nudge(tiles.tileMovedAlone(for: tile), by: by, at: now)
        case .nudgeByFrame(let count):
            guard let length = snapshot(at: now).frameLength(of: tiles.tileMovedAlone(for: tile)) else { return false }
            return tileFeeds.nudge(tiles.tileMovedAlone(for: tile), by: length * Int64(count), at: now)
        case .volume(let amount, _): tileFeeds.tiles[tile].changeVolume(by: amount)
        case .solo: return sounds.state.apply(change)
        case .mute(let switching, _): tileFeeds.tiles[tile].mute(switching)
        case .track(.next):
            let playing = tiles.playingTile(for: tile), run = feeds[tiles[playing].feed].slots.first?.run
            guard tileFeeds.presentItem(of: playing) != nil else { return false }
            if let track = sounds.trackAfter(thatOf: tiles[playing], playing: run) {
                tileFeeds.tiles[playing].track = track
            }
        // Without a number, no sound of the tile is heard.
        case .track(.number(let number)): tileFeeds.tiles[tiles.playingTile(for: tile)].track = number ?? 0
        case .tap(let point): tileFeeds.tap(point, at: now)
        case .doubleTap(let point): tileFeeds.doubleTap(point, at: now)
        case .zoom(.toggle): tileFeeds.toggleZoom(at: now)
        case .zoom(.target): tileFeeds.zoom(tile, at: now)
        default: return false
        }
        return true
    }
}

/// Changes that wait for their instant, in the order in which they are made.
struct ScheduledChanges {
    private var waiting: [Scheduled] = []

    typealias Scheduled = (instant: Time, change: Change, target: Target)

    /// Most changes that wait.
    private static let most = 1000

    /// Wall time of the first change; nil if none waits.
    var next: Time? { waiting.first?.instant }

    /// Adds a change. One of the same instant as another comes after it. Returns false if too many wait.
    mutating func add(_ change: Change, for target: Target, at instant: Time) -> Bool {
        guard waiting.count < Self.most else { return false }
        let place = waiting.firstIndex { $0.instant > instant } ?? waiting.count
        waiting.insert((instant, change, target), at: place)
        return true
    }

    /// Removes and returns the changes whose instant has come.
    mutating func takeDue(at now: Time) -> [Scheduled] {
        let due = waiting.prefix { $0.instant <= now }
        waiting.removeFirst(due.count)
        return Array(due)
    }
}
