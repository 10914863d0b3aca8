import Base
import Feeds
import Layout

/// The frames that the tiles show at an instant: those that are due, and those that stay. The views of a scene are made
/// of them.
public struct DueFrames {
    /// The tiles to draw, bottom to top, and their rects.
    let places: [(tile: TileID, rect: Rect)]
    let frames: [FeedID: Feed.ScenePart]
    /// Wall time at which other frames are due; nil if only an event changes the scene.
    public let next: Time?
}

// Scenes, and reports of the frames that were shown.
extension PlayerCore {
    /// Advances all feeds to this instant and begins a scene: `output` notes its frames, which `presented` reports. The
    /// scene shows all changes so far, so they wake the screen no more.
    mutating func advance(at now: Time) -> DueFrames {
        changes.insert(.scenes)
        // A frame that was due before the stop is not shown as if it were due now.
        if isAfterStop(at: now) { update(at: now) }
        output.beginScene(at: now)
        var next = Earliest()
        next.add(output.advance(at: now))
        let scene = playout(at: now).makeSceneFrames()
        next.add(scene.next)
        tileFeeds.keepWatchedFrames(scene.parts, at: now)
        for frame in scene.drawn where tileFeeds.shows(frame) { output.note(frame) }
        let isShown = !needs.showsOnlyWholeTiles || tiles.areWatchesWhole
        let places = isShown ? output.places(of: tiles.order, at: now) : []
        let isWhole = places.count == tiles.order.count && tiles.overlaid == nil
        if output.note(isWhole ? .all : .some) { playout(at: now).noteDrawn(Set(places.map(\.tile))) }
        for place in places { next.add(tiles[place.tile].nextTurn(at: now)) }
        // This scene shows the changes, so the screen need not be woken.
        _ = noteAppearances()
        return DueFrames(places: places, frames: scene.parts, next: next.instant)
    }

    /// Reports the frames of the scene that was requested last, which is on the screen now.
    mutating func presented(at now: Time) {
        var hasNewItem = false
        let playout = playout(at: now)
        for drawn in output.endScene() where feeds.contains(drawn.feed) {
            let changes = playout.notePresented(drawn)
            hasNewItem = hasNewItem || !changes.isEmpty
        }
        // The update after a new item sets the time of its next report: a still image is reported each hour.
        if hasNewItem || clocks.isWaiting || clocks.hasJumpWaiting { update(at: now) }
        // The pipelines waited for the frames of other feeds.
        if clocks.hasJumpWaiting { outbox.wakePipelines(pool.pipelines.indices) }
    }
}
