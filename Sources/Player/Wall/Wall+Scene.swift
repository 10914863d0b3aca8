import Base
import Feeds
import Layout
import Scene

// Scenes: the views of all tiles, with their marks.
extension Wall {
    /// Advances all feeds to this instant, and returns the scene to draw. `next`: wall time at which the scene changes;
    /// nil if only an event changes it.
    public mutating func composeScene(at now: Time) -> (scene: Scene, next: Time?) {
        let parts = player.beginScene(at: now)
        return (scene(of: parts, player.snapshot(at: now)), parts.next)
    }

    private func scene(of parts: PlayerCore.SceneParts, _ snapshot: Snapshot) -> Scene {
        let maker = ViewMaker(snapshot: snapshot)
        var views: [View] = []
        views.reserveCapacity(parts.places.count)
        for (tile, rect) in parts.places {
            var view: View
            if snapshot.tiles[tile].comparison == nil {
                let part = parts.frames[snapshot.tiles[tile].feed]
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
        return Scene(size: snapshot.output.size, background: snapshot.layout.window.background, views: views)
    }

    /// Adds the marks that are visible now to the scene. Returns the wall time at which a mark changes without an
    /// event.
    public mutating func mark(_ scene: inout Scene, _ visible: MarksVisibility.Visibility, at now: Time) -> Time? {
        let snapshot = player.snapshot(at: now), shown = scene
        let edits = features.edits { $0.follow(shown, snapshot) }
        make(edits, at: now)
        return MarksMaker(features: features, keys: keys, snapshot: snapshot).mark(&scene, visible)
    }
}
