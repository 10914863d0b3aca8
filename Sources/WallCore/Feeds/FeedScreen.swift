/// What a feed has on the screen, and what became of its pictures.
struct FeedScreen {
    /// It stays until something else is due.
    private(set) var last: Shown?
    /// The picture that was put on the screen last.
    private(set) var presented: Presented?
    private var presentedSerial = 0
    /// The item on the screen, with the counts from before it.
    private(set) var item: PlayedItem?
    /// Of the item before, or the one on the screen.
    private var lastItem: RunID?
    /// The item on the screen does not come to its end.
    private var isInterrupted = false
    /// Why the next item begins that does not follow the one before.
    private var entrance: ItemBeginning?
    /// The run that was on screen last, for telling a seam.
    private(set) var lastRun: RunID?
    private(set) var lack: Lack?
    private(set) var health = Health()

    struct Shown {
        let picture: any WallPicture
        let serial: Int
        /// nil: the item is none of the sequence any more.
        fileprivate(set) var item: Int?
        /// nil: it is a preview, or its sequence has changed.
        fileprivate(set) var origin: Origin?

        init(_ picture: any WallPicture, serial: Int, item: Int?, origin: Origin? = nil) {
            (self.picture, self.serial, self.item, self.origin) = (picture, serial, item, origin)
        }
    }

    /// Where a picture comes from.
    struct Origin {
        let run: RunID
        /// In group time from its run's beginning.
        let offset: Time
        /// Media time.
        let pts: Time
    }

    /// In group time from its run's beginning.
    struct Presented {
        let run: RunID
        let offset: Time
    }

    /// Of the picture that is due.
    struct Lack {
        /// In wall time.
        let since: Time
        fileprivate(set) var isStall = false
    }

    /// What the wall tells of items on the screen.
    enum ItemChange {
        case began(RunID, source: String)
        case ended(PlayedItem, Event.ItemEnd)
    }

    init() {}

    /// What another feed shows: its item goes on, with what was counted of it.
    init(divided other: FeedScreen) {
        (last, lastRun, lastItem) = (other.last, other.lastRun, other.lastItem)
        guard let soFar = other.itemSoFar else { return }
        item = soFar
        (item!.presented, item!.missed, item!.late) = (-soFar.presented, -soFar.missed, -soFar.late)
    }

    /// It does not go on with what follows: this is why.
    mutating func enter(because entrance: ItemBeginning) { self.entrance = entrance }

    mutating func interruptItem() { isInterrupted = true }

    // MARK: what is shown

    mutating func show(_ picture: Slot.Picture, of run: RunID) {
        last = Shown(
            picture.picture, serial: picture.serial, item: run.item,
            origin: Origin(run: run, offset: picture.offset, pts: picture.pts))
    }

    /// The picture stays until the first one is there that follows now, or it is known that none does.
    mutating func leaveItem() { last?.item = nil }

    /// None does.
    mutating func dropPictureOfNoItem() { if let last, last.item == nil { self.last = nil } }

    /// Another sequence: `place` answers where an item of this one stands in it.
    mutating func resequence(showing picture: Shown?, _ place: (Int) -> Int?) {
        presented = nil
        if last == nil { last = picture }
        let item = last?.item.flatMap(place)
        last?.item = item
        last?.origin = nil
        if let run = lastRun { lastRun?.item = place(run.item) ?? 0 }
    }

    /// Nothing is played any more.
    mutating func clear() { (last, lastRun, lastItem) = (nil, nil, nil) }

    /// The passes of its group are counted anew.
    mutating func becomePass(_ pass: Int) {
        lastRun?.pass = pass
        lastItem?.pass = pass
    }

    /// The item that plays on stands elsewhere now.
    mutating func becomeItem(_ place: Int) { item?.run.item = place }

    // MARK: what was shown

    /// A picture was put on the screen. `isLate`: clearly after it was due.
    mutating func present(
        _ picture: Slot.Picture, of slot: Slot, isBreak: Bool = false, isLate: Bool, at wall: Time
    ) -> Presentation {
        let isSeam = lastRun.map { $0 != slot.run && slot.arrival == .follows } ?? false
        lastRun = slot.run
        let changes = begin(slot, isBreak: isBreak, at: wall)
        health.presented += 1
        if isLate { health.late += 1 }
        if health.startup == nil { health.startup = wall }
        (presented, presentedSerial) = (Presented(run: slot.run, offset: picture.offset), picture.serial)
        return Presentation(isSeam: isSeam, changes: changes)
    }

    struct Presentation {
        let isSeam: Bool
        let changes: [ItemChange]
    }

    func isOnScreen(_ serial: Int) -> Bool { presentedSerial == serial }

    /// Something of this run is on the screen, or heard where it has no picture.
    mutating func begin(_ slot: Slot, isBreak: Bool = false, at wall: Time) -> [ItemChange] {
        if let item, item.run.pass == slot.run.pass, item.run.item == slot.run.item { return [] }
        let ended = endItem(isInterrupted ? .stop : slot.arrival == .follows ? .eof : .skipped)
        isInterrupted = false
        // Counted from here on.
        item = PlayedItem(
            run: slot.run, source: slot.location, beginning: isBreak ? .break : beginning(of: slot), began: wall,
            presented: health.presented, missed: health.missed, late: health.late)
        (lastItem, entrance) = (slot.run, nil)
        return ended + [.began(slot.run, source: slot.location)]
    }

    private func beginning(of slot: Slot) -> ItemBeginning {
        guard let lastItem else { return entrance ?? .start }
        if slot.arrival != .follows, let entrance { return entrance }
        return slot.run.pass > lastItem.pass ? .loop : .next
    }

    mutating func endItem(_ reason: Event.ItemEnd) -> [ItemChange] {
        guard let ended = itemSoFar else { return [] }
        item = nil
        return [.ended(ended, reason)]
    }

    /// The item on the screen, with its own counts.
    var itemSoFar: PlayedItem? {
        guard var item else { return nil }
        (item.presented, item.missed) = (health.presented - item.presented, health.missed - item.missed)
        item.late = health.late - item.late
        return item
    }

    /// So many pictures were due and not shown.
    mutating func miss(_ count: Int) { health.missed += count }

    // MARK: what is missing

    /// While a clock runs, what is missing for long enough to be told is a stall.
    mutating func noteLack(_ isLacking: Bool, isRunning: Bool, at wall: Time) {
        guard last != nil, isLacking else {
            lack = nil
            return
        }
        var lack = lack ?? Lack(since: wall)
        if isRunning, !lack.isStall, wall >= lack.since + Marks.Spinner.patience {
            lack.isStall = true
            health.stalls += 1
        }
        self.lack = lack
    }

    /// Too few pictures, each too late, are no wait for one.
    mutating func endLack(with serial: Int) { if serial != last?.serial { lack = nil } }
}
