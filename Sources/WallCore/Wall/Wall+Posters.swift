// The images that the layout names for its tiles.
extension Wall {
    mutating func loadPoster(of tile: TileID) {
        tiles[tile].poster = tiles[tile].layout.poster.map { .loading($0) } ?? .none
        guard let location = tiles[tile].layout.poster else { return }
        orders.load(PosterOrder(tile: tile, location: location, limit: layout.pictureLimit))
    }

    public mutating func take(_ picture: any WallPicture, for order: PosterOrder) {
        guard isAwaited(order) else { return }
        tiles[order.tile].poster = .image(picture)
        orders.wakeScreen()
    }

    public mutating func failed(_ order: PosterOrder, _ trouble: SourceTrouble, at wall: Time) {
        guard isAwaited(order) else { return }
        tiles[order.tile].poster = .failed
        let tile = tiles[order.tile].name
        tell(.trouble(tile: tile, source: order.location, item: 0, pts: nil, trouble: trouble), at: wall)
    }

    private func isAwaited(_ order: PosterOrder) -> Bool {
        guard tiles.contains(order.tile), case .loading(let location) = tiles[order.tile].poster else { return false }
        return location == order.location
    }
}
