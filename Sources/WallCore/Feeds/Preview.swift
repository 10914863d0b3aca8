/// The first picture of a feed's first item, for a feed that has no seat yet.
struct Preview {
    private(set) var slot: Slot?
    private(set) var picture: FeedScreen.Shown?
    /// Nothing can be seen of it.
    private(set) var isBlack = false

    init() {}
    init(divided other: Preview) { (picture, isBlack) = (other.picture, other.isBlack) }

    var loading: Slot.Loading? { slot?.loading }
    func isFor(_ id: Int) -> Bool { slot?.id == id }

    mutating func plan(_ slot: Slot) {
        self.slot = slot
        self.slot!.setLength(nil)
    }

    /// Nobody wants it any more; answers what was planned for it.
    mutating func drop() -> Slot? {
        defer { slot = nil }
        return slot
    }

    mutating func forgetPicture() { (picture, isBlack) = (nil, false) }

    mutating func change(_ body: (inout Slot) -> Void) { if slot != nil { body(&slot!) } }

    /// Its one picture was decoded.
    mutating func note(_ picture: any WallPicture, pts: Time) {
        _ = slot?.append(
            Slot.Picture(offset: .zero, pts: pts, serial: 0, picture: picture), to: .zero, at: .zero)
    }

    mutating func show(_ picture: any WallPicture, serial: Int) {
        self.picture = FeedScreen.Shown(picture, serial: serial, item: 0)
        isBlack = picture.isBlack
    }
}
