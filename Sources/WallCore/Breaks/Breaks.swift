/// When each of a layout's breaks is due. One of each may wait, no more.
struct Breaks {
    private(set) var all: [Break] = []
    /// What stands in the sequences of tiles for a while.
    var onTiles: [TileID: TileBreak] = [:]

    struct Break: Equatable {
        let layout: BreakLayout
        /// In wall time: since when it has not been on.
        fileprivate var restsSince: Time
        /// Items of the first of its tiles that have ended since then.
        fileprivate var items = 0
        /// Since when it has been due, in wall time; nil: it is not.
        fileprivate(set) var waitsSince: Time?
        fileprivate(set) var isOn = false
        /// Those of its tiles whose items have not ended yet.
        fileprivate(set) var entering: Set<TileID> = []

        /// Feeds for which its first source was opened ahead.
        fileprivate(set) var tried: Set<FeedID> = []
        /// In the time of each group: where tiles that come together begin; nil: that is not decided.
        fileprivate(set) var begins: [GroupID: Time]?
        /// Something of it was on the screen.
        fileprivate var isShown = false

        /// It is none of the layout's any more, and goes when it has ended.
        fileprivate var isGone = false

        var isWaiting: Bool { waitsSince != nil }

        /// It is time, or the item that is on is the last one before it.
        fileprivate func isDue(at now: Time, isItemOn: Bool) -> Bool {
            if isOn || isGone { return false }
            let ended = isItemOn ? items + 1 : items
            return due.map { $0 <= now } ?? false || layout.afterItems.map { ended >= $0 } ?? false
        }

        fileprivate mutating func wait(since instant: Time) { waitsSince = waitsSince ?? instant }

        fileprivate var due: Time? { isOn || isWaiting || isGone ? nil : layout.every.map { restsSince + $0 } }
    }

    /// Those of another layout: one that is the same goes on as it is.
    mutating func follow(_ layouts: [BreakLayout], at now: Time) {
        var playing = all.filter { known in known.isOn && !layouts.contains(known.layout) }
        for place in playing.indices {
            (playing[place].isGone, playing[place].waitsSince, playing[place].entering) = (true, nil, [])
        }
        all =
            layouts.map { layout in
                all.first { $0.layout == layout && !$0.isGone } ?? Break(layout: layout, restsSince: now)
            } + playing
    }

    /// The wall begins: what is due every so often counts from now on.
    mutating func start(at now: Time) { for place in all.indices { all[place].restsSince = now } }

    /// Those that are due now wait; answers when the next one will be. `itemsOn`: the names of those whose first tile
    /// plays an item that comes to its end.
    mutating func wake(at now: Time, itemsOn names: Set<String>) -> Time? {
        for place in all.indices {
            let isItemOn = names.contains(all[place].layout.name)
            if all[place].isDue(at: now, isItemOn: isItemOn) {
                all[place].wait(since: min(now, all[place].due ?? now))
            }
        }
        return all.compactMap(\.due).min()
    }

    /// false: there is no such break.
    mutating func ask(_ name: String, at now: Time) -> Bool {
        guard let place = all.firstIndex(where: { $0.layout.name == name && !$0.isGone }) else { return false }
        all[place].wait(since: now)
        return true
    }

    /// The one that fell due first comes first; of those that did at one instant, the one that the layout has first.
    /// One of another layout that is still on ends before the one of its name begins.
    var waiting: [Break] {
        let on = Set(all.filter(\.isOn).map(\.layout.name))
        return all.enumerated().filter { $0.element.isWaiting && !on.contains($0.element.layout.name) }.sorted { a, b in
            (a.element.waitsSince ?? .zero, a.offset) < (b.element.waitsSince ?? .zero, b.offset)
        }.map(\.element)
    }

    /// An item has ended on the first tile of a break.
    mutating func itemEnded(before name: String) {
        guard let place = all.firstIndex(where: { $0.layout.name == name && !$0.isGone }), !all[place].isOn else {
            return
        }
        all[place].items += 1
    }

    mutating func begin(_ name: String, entering tiles: Set<TileID>) {
        guard let place = place(of: name) else { return }
        (all[place].isOn, all[place].waitsSince, all[place].entering) = (true, nil, tiles)
        (all[place].begins, all[place].isShown, all[place].tried) = (nil, false, [])
    }

    mutating func noteTried(_ feed: FeedID, by name: String) {
        if let place = place(of: name) { all[place].tried.insert(feed) }
    }

    mutating func set(_ begins: [GroupID: Time], of name: String) {
        if let place = place(of: name) { all[place].begins = begins }
    }

    /// Something of it is on the screen; says whether that is the first of it.
    mutating func noteShown(_ name: String) -> Bool {
        guard let place = place(of: name), !all[place].isShown else { return false }
        all[place].isShown = true
        return true
    }

    /// Those that have it in their sequences.
    func tiles(in name: String) -> [TileID] { onTiles.filter { $0.value.name == name }.map(\.key) }

    /// These tiles play it after the item that is on.
    mutating func entered(_ name: String, _ tiles: Set<TileID>) {
        if let place = place(of: name) { all[place].entering.subtract(tiles) }
    }

    /// Those that have not come to it yet play on.
    mutating func stopEntering() { for place in all.indices { all[place].entering = [] } }

    func entering(_ name: String) -> Set<TileID> { place(of: name).map { all[$0].entering } ?? [] }

    /// Says whether anything of it was on the screen.
    mutating func end(_ name: String, at now: Time) -> Bool {
        guard let place = place(of: name) else { return false }
        defer { if all[place].isGone { all.remove(at: place) } }
        (all[place].isOn, all[place].restsSince, all[place].items) = (false, now, 0)
        all[place].entering = []
        return all[place].isShown
    }

    /// Of the one that is on, where there are two.
    private func place(of name: String) -> Int? { all.lastIndex { $0.layout.name == name } }
}
