import Base
import Feeds
import Layout
import Scene

// Scenes: the views of all tiles, with their marks.
extension Wall {
    /// Advances all feeds to this instant, and returns the frames that are due. `scene` makes a scene of them.
    public mutating func advance(at now: Time) -> DueFrames { player.advance(at: now) }

    /// Returns the scene that shows these frames.
    public func scene(of due: DueFrames, at now: Time) -> Scene {
        let snapshot = player.snapshot(at: now)
        let maker = ViewMaker(snapshot: snapshot)
        var views: [View] = []
        views.reserveCapacity(due.places.count)
        for (tile, rect) in due.places {
            var view: View
            if snapshot.tiles[tile].comparison == nil {
                let part = due.frames[snapshot.tiles[tile].feed]
                view = maker.view(of: tile, in: rect, showing: part?.isOnlySound == true ? nil : part?.shown)
                for feature in features.all { feature.complete(&view, playing: part?.run, snapshot) }
            } else {
                view = maker.comparingView(of: tile, in: rect)
            }
            // If the layout hides errors, the background replaces cards. Lyrics of a song without frames are drawn over
            // it.
            if case .card = view.content, !snapshot.layout.showsErrors {
                if view.lyrics == nil { continue }
                view.content = .blank
            }
            views.append(view)
        }
        var scene = Scene(size: snapshot.output.size, background: snapshot.layout.window.background, views: views)
        // The cards of tiles that play nothing give way to the card of the wall.
        if snapshot.playsNothing, !views.contains(where: \.content.hasFrame) {
            (scene.views, scene.isIdle) = ([], true)
        }
        return scene
    }

    /// Adds the marks that are visible now to the scene. Returns the wall time at which a mark changes without an
    /// event.
    public mutating func mark(_ scene: inout Scene, _ visible: MarksVisibility.Visibility, at now: Time) -> Time? {
        let snapshot = player.snapshot(at: now), shown = scene
        let changes = features.changes { $0.sceneComes(shown, snapshot) }
        make(changes, at: now)
        let help = visible.help == .on ? keyLines : []
        return MarksMaker(features: features, help: help, snapshot: snapshot).mark(&scene, visible)
    }
}
