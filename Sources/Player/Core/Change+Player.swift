import Base
import Commands
import Feeds
import Layout

/// The body of a change that only the parts of the player ask for, such as features.
struct PlayerChangeBody: Sendable { let make: @Sendable (inout PlayerCore, Time) -> Void }

// Changes with values that the target Commands does not know. Changes that one feature alone asks for are in its folder.
extension Change {
    /// `part`: what the change touches: playback if the feeds must be updated after it.
    static func player(
        _ part: PlayerCore.Touched = .nothing, _ make: @escaping @Sendable (inout PlayerCore, Time) -> Void
    ) -> Change {
        .inPlayer(
            PlayerChange(
                PlayerChangeBody {
                    make(&$0, $1)
                    $0.changes.insert(.state)
                    $0.touch(part)
                }))
    }

    // MARK: messages

    static func emit(_ what: Event.What) -> Change { player { $0.emit(what, at: $1) } }
    /// Draws the wall anew, because marks of a feature have changed.
    static var draw: Change { player { player, _ in player.outbox.wakeScreen() } }
    static func measure(_ order: FiguresOrder) -> Change { player { player, _ in player.outbox.measure(order) } }
    /// Wakes the recorder, which reads the session (`TakeSession`).
    static var wakeRecorder: Change { player { player, _ in player.outbox.wakeTakes() } }
    /// Calls the features again at this wall time: the player is updated then, and features follow each update.
    /// This changes nothing that features read.
    static func lookAgain(at instant: Time) -> Change {
        .inPlayer(PlayerChange(PlayerChangeBody { player, _ in player.outbox.hasten(nextUpdateTo: instant) }))
    }

    // MARK: time

    /// Loops a part of the time of a tile's group, or of the tile alone. A mark that is nil is not set.
    static func setABLoop(of tile: TileID, _ scope: Scope, _ marks: ABLoopMarks, shortest: Time) -> Change {
        player(.playback) {
            let group = $0.tileFeeds.prepareGroup(of: tile, for: scope)
            $0.transport.set(marks, of: group, shortest: shortest, at: $1)
        }
    }
    /// Holds the reported position of a group from this group time on.
    static func holdPosition(of group: GroupID, from begin: Time) -> Change {
        player { player, _ in player.transport.clocks[group].heldFrom = begin }
    }
    /// Lets the reported position of a group follow the clock again. The clock is set back by a time, as if it had been
    /// paused; nil leaves the clock.
    static func releasePosition(of group: GroupID, settingBackBy length: Time?) -> Change {
        player(.playback) { player, _ in player.transport.releasePosition(of: group, settingBackBy: length) }
    }

    // MARK: layers

    /// Puts layers on top of what tiles play.
    static func push(_ pushes: [Push]) -> Change {
        player(.playback) {
            $0.tileFeeds.push(pushes, at: $1)
            $0.outbox.wakePipelines($0.pool.pipelines.indices)
        }
    }
    /// Takes the layer of this name off these tiles, with those above it, whether it is over, is on or has not begun.
    static func pop(_ name: String, of tiles: [TileID]) -> Change {
        player(.playback) { $0.tileFeeds.pop(name, of: tiles, at: $1) }
    }
    /// Opens the source of an item that is about to be put on top of a feed. `for`: name of what puts it there.
    static func openAhead(_ item: Item, of feed: FeedID, for name: String) -> Change {
        player { $0.supply.openAhead(item, of: $0.feeds[feed], for: name, $0.playout(at: $1)) }
    }
    static func giveUpAhead(_ name: String, of feed: FeedID) -> Change {
        player { player, _ in player.supply.openRequests.giveUp(.ahead(name), of: feed) }
    }

    // MARK: tiles and views

    /// Magnifies the frames of a group; nil shows them whole.
    static func magnifyGroup(_ group: String, _ zoom: FrameZoom?) -> Change {
        player { $0.tileFeeds.magnify(group, zoom, at: $1) }
    }
    /// Changes by hand what the layout states of a tile.
    static func changeLayout(of tile: TileID, _ body: @escaping @Sendable (inout TileLayout) -> Void) -> Change {
        player {
            $0.tileFeeds.edit(tile, at: $1, body)
            $0.playout(at: $1).sharpen()
        }
    }
    /// Changes the part of an item that is the tile's own: its sound and its key.
    static func changeItem(
        _ item: ItemPlace, of tile: TileID, _ body: @escaping @Sendable (inout Item) -> Void
    ) -> Change { player { player, _ in player.tileFeeds.tiles[tile].changeItem(at: item, body) } }

    // MARK: requests of features

    /// Keeps the samples of frames. Paused feeds decode their frame again for that. Playing feeds keep the samples of the
    /// frames that follow.
    static func keepSamples(_ isWanted: Bool) -> Change {
        player {
            $0.tileFeeds.needs.keepsSamples = isWanted
            if isWanted { $0.playout(at: $1).sharpen() }
        }
    }
    static var showOnlyWholeTiles: Change { player { player, _ in player.tileFeeds.needs.showsOnlyWholeTiles = true } }
    /// Records the live frames of a tile; nil ends the recording.
    static func recordFrames(of tile: TileID?) -> Change {
        player { player, _ in player.tileFeeds.needs.recordedTile = tile }
    }
}
