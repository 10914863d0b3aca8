import Base
import Feeds
import Layout

/// The layout that plays, with the user's changes, and the groups that begin anew with another layout.
struct LayoutInForce {
    let snapshot: Snapshot

    /// The layout that plays, with the user's changes.
    var presentLayout: Layout {
        var present = snapshot.layout
        present.tiles = (snapshot.tiles.order + snapshot.tiles.members).map { snapshot.tiles[$0].layout }
        present.audio.volume = snapshot.audioState.volume
        present.audio.delayMilliseconds = snapshot.audioState.delayMilliseconds
        return present
    }

    /// Groups in which no playing item stays. They begin anew, so that all of their tiles begin at the same instant.
    func restartedGroups(_ diff: LayoutDiff) -> Set<GroupID> {
        var restarted: Set<GroupID> = []
        for group in snapshot.clocks.ids where !snapshot.clocks[group].isAlone {
            let name = snapshot.clocks[group].name
            let members = diff.staying.filter { $0.after.group == name && $0.after.compare == nil }
            let isJoined = diff.added.contains { $0.group == name && $0.compare == nil }
            let isNew = members.allSatisfy { $0.changes.contains(.sequence) && !sharesItem($0) }
            let hasAny = !members.isEmpty || isJoined
            if isNew, hasAny, isJoined || members.count > 1 || !snapshot.clocks[group].hasStarted {
                restarted.insert(group)
            }
        }
        return restarted
    }

    func sharesItem(_ edit: TileEdit) -> Bool {
        guard let tile = snapshot.tiles.id(ofLayout: edit.after.id) else { return false }
        let feed = snapshot.feeds[snapshot.tiles[tile].feed]
        // An interrupted item, which continues after the items on top, counts too.
        guard let run = feed.slots.first.map({ feed.timeline.top?.place.leftRun ?? $0.run }) else {
            return false
        }
        return feed.timeline.place(of: run, in: edit.after.play) != nil
    }
}
