import Base
import Layout
import Scene

// Scenes: the frames that are due, and reports of those that were shown.
extension PlayerCore {
    /// What the views of a scene are made of.
    struct SceneParts {
        /// The tiles to draw, bottom to top, and their rects.
        let places: [(tile: TileID, rect: Rect)]
        let frames: [FeedID: Feed.ScenePart]
        /// Wall time at which the scene changes; nil if only an event changes it.
        let next: Time?
    }

    /// Advances all feeds to this instant, and returns what is to be drawn.
    mutating func beginScene(at now: Time) -> SceneParts {
        output.beginScene(at: now)
        playbacks.turnABIterations(at: now)
        var next = output.advance(at: now)
        var frames: [FeedID: Feed.ScenePart] = [:]
        var drawn: [Output.Drawn] = []
        let memory = memoryShare
        for index in feeds.ids where !playbacks.feeds[index].tiles.isEmpty {
            let context = context(of: index, at: now)
            advance(index, context, memory: memory)
            let part = playbacks.feeds[index].makeScenePart(context)
            frames[index] = part
            drawn += part.drawn
            // A fade advances between two frames too.
            if part.isFading, context.isRunning {
                next = min(next ?? .distantFuture, now + output.refreshInterval)
            }
            if let change = part.change, let instant = context.wallTime(of: change) {
                next = next.map { min($0, instant) } ?? instant
            }
        }
        for tile in tiles.comparing { tiles.keepFrames(of: tile, frames, playbacks, at: now) }
        for frame in drawn where tiles.comparing.isEmpty || tiles.shows(frame, playbacks) { output.note(frame) }
        let isShown = !needs.showsOnlyWholeComparisons || areComparisonsWhole
        let places = isShown ? output.places(of: tiles.order, at: now) : []
        noteSeen(places.map(\.tile), at: now)
        for place in places { if let turn = nextTurn(of: place.tile, at: now) { next = min(next ?? turn, turn) } }
        // This scene shows them, so the screen need not be woken.
        _ = noteAppearances()
        return SceneParts(places: places, frames: frames, next: next)
    }

    /// Notes which feeds are visible. Feeds behind tiles that fill the wall are not.
    private mutating func noteSeen(_ drawn: [TileID], at now: Time) {
        let coverage: Output.Coverage = drawn.count == tiles.order.count && tiles.overlaid == nil ? .all : .some
        guard output.note(coverage) else { return }
        let drawn = Set(drawn)
        for feed in feeds.ids {
            playbacks.feeds[feed].screen.noteDrawn(
                playbacks.feeds[feed].viewers.contains(where: drawn.contains), restsSince: restsSince, at: now)
        }
    }

    /// Reports the frames of the scene that was requested last, which is on the screen now.
    mutating func presented(at now: Time) {
        var hasNewItem = false
        let wall = context(at: now)
        for drawn in output.endScene() where feeds.contains(drawn.feed) {
            let changes = playbacks.present(drawn, wall)
            hasNewItem = hasNewItem || !changes.isEmpty
        }
        // A still that stands is reported each hour.
        if hasNewItem || clocks.isWaiting || clocks.hasJumpWaiting { update(at: now) }
        // The pipelines waited for the frames of other feeds.
        if clocks.hasJumpWaiting { playbacks.effects.wakePipelines(pool.pipelines.indices) }
    }
}
