import Base

/// Tiles with equal keys share a feed.
public struct FeedKey: Hashable {
    let items: [Item]
    let transition: Transition
    let loop: Loop
    let group: String
    let offset: Time
    let onError: OnError
    let decoding: DecodeSettings

    public init(_ tile: TileLayout) {
        items = tile.play.map(\.sequenced)
        (transition, loop, group) = (tile.transition, tile.loop, tile.group)
        (offset, onError, decoding) = (tile.offset, tile.onError, tile.decoding)
    }
}
