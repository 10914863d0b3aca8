/// Tiles with equal keys share a feed.
struct FeedKey: Hashable {
    let items: [Item]
    let loop: Loop
    let group: String
    let offset: Time
    let onError: OnError

    init(_ tile: TileLayout) {
        items = tile.play.map(\.sequenced)
        (loop, group, offset, onError) = (tile.loop, tile.group, tile.offset, tile.onError)
    }
}
