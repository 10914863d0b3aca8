import Base

/// Tiles with equal keys share a feed.
public struct FeedKey: Hashable {
    let items: [Item]
    let transition: Transition
    let loop: Loop
    let group: String
    let offset: Time
    let onError: OnError

    public init(_ tile: TileLayout) {
        items = tile.play.map(\.sequenced)
        (transition, loop, group) = (tile.transition, tile.loop, tile.group)
        (offset, onError) = (tile.offset, tile.onError)
    }
}
