/// The groups of a wall with their clocks, and what users do to them with a pointer held down.
struct Clocks: Sequence {
    private var groups = Table<GroupID, Group>(missing: Group(name: "", .each, .longest))
    /// The drag that moves a clock.
    private(set) var scrub: HeldScrub?
    /// From `suspend` to `resume`.
    private var isResting = false
    /// Groups whose clocks stand because nobody sees them.
    private var suspended: Set<GroupID> = []

    var ids: [GroupID] { groups.ids }
    var count: Int { groups.count }
    func makeIterator() -> IndexingIterator<ArraySlice<Group>> { groups.makeIterator() }

    subscript(id: GroupID) -> Group {
        @inline(__always) get { groups[id] }
        _modify { yield &groups[id] }
    }

    /// Lookups of groups that are gone.
    var missCount: Int { groups.missCount }

    /// A group of the layout's.
    func id(named name: String) -> GroupID? { groups.firstID { $0.name == name && !$0.isAlone } }

    /// Whose clock says whose turn it is.
    var main: GroupID { id(named: "main") ?? groups.ids[0] }

    @discardableResult
    mutating func add(_ group: Group) -> GroupID { groups.add { _ in group } }

    /// For one of a group's tiles alone.
    mutating func add(alone tile: String, of group: GroupID) -> GroupID {
        let own = add(Group(alone: tile, of: groups[group]))
        if suspended.contains(group) { suspended.insert(own) }
        return own
    }

    /// Unless a drag holds it.
    mutating func remove(_ group: GroupID) {
        guard scrub?.group != group else { return }
        suspended.remove(group)
        groups.remove(group)
    }

    // MARK: how they go

    var isGoing: Bool { groups.contains { $0.phase == .going } }
    var isWaiting: Bool { groups.contains(where: \.isWaiting) }

    /// Some user waits for what is to be shown next.
    var hasJumpWaiting: Bool { scrub != nil || groups.contains { $0.pendingJump != nil } }

    /// How the clock goes, or will when what it waits for is there.
    func motionWanted(of group: GroupID) -> Clock.Motion {
        if suspended.contains(group) { return .running }
        return scrub.flatMap { $0.group == group ? $0.motion : nil } ?? groups[group].motionToCome
    }

    /// Pauses it, or lets it go on after `hold`; says whether its clock has changed.
    mutating func pause(_ group: GroupID, _ switching: Command.Switching, at now: Time, after hold: Time) -> Bool {
        let isPaused = motionWanted(of: group) == .standing
        guard switching.applied(to: isPaused) != isPaused else { return false }
        if isResting {
            // It stands in any case, and is to go on when somebody sees it, or not.
            if isPaused { suspended.insert(group) } else { suspended.remove(group) }
            return true
        }
        if let scrub, scrub.group == group {
            // It stands as long as it is held.
            self.scrub?.motion = isPaused ? .running : .standing
            return false
        }
        if isPaused { groups[group].run(at: now, after: hold) } else { groups[group].stand(at: now) }
        return true
    }

    /// It stands, and does not go on when somebody sees the wall either.
    mutating func stand(_ group: GroupID, at now: Time) {
        suspended.remove(group)
        groups[group].stand(at: now)
    }

    /// It comes while nobody sees the wall.
    mutating func suspend(_ group: GroupID, at now: Time) {
        guard groups[group].motionToCome == .running else { return }
        groups[group].stand(at: now)
        suspended.insert(group)
    }

    /// Clocks that run, or are about to, stand until `resume`; those that stand already stay as they are. Answers which.
    mutating func suspend(at now: Time) -> [GroupID] {
        isResting = true
        if let scrub, scrub.motion == .running {
            self.scrub?.motion = .standing
            suspended.insert(scrub.group)
        }
        let running = groups.ids.filter { groups[$0].motionToCome == .running }
        for group in running { groups[group].stand(at: now) }
        suspended.formUnion(running)
        return running
    }

    mutating func resume(at now: Time, after hold: Time) -> [GroupID] {
        defer { (suspended, isResting) = ([], false) }
        for group in suspended where scrub?.group != group { groups[group].run(at: now, after: hold) }
        // One under a hand goes on when it is let go.
        if let scrub, suspended.contains(scrub.group) { self.scrub?.motion = .running }
        return suspended.sorted()
    }

    // MARK: scrubs

    /// Its clock stands until it is let go.
    mutating func grab(_ scrub: HeldScrub, at now: Time) {
        self.scrub = scrub
        groups[scrub.group].hold(at: now)
    }

    /// Answers what was held; its clock still stands.
    mutating func letGo() -> HeldScrub? {
        defer { scrub = nil }
        return scrub
    }
}

/// A drag over a tile that moves its group's clock.
struct HeldScrub {
    let tile: TileID
    let group: GroupID
    /// Where the clock stood when the tile was grabbed.
    let grabbedAt: Time
    /// The item under it, in group time.
    let item: Range<Time>
    let width: Int
    /// Time before the item's end from which the following item is due.
    let tolerance: Time
    /// How it goes on when it is let go.
    fileprivate(set) var motion: Clock.Motion

    init(
        of tile: TileID, _ group: GroupID, at position: Time, item: Range<Time>, width: Int, tolerance: Time = .zero,
        then motion: Clock.Motion
    ) {
        (self.tile, self.group, grabbedAt, self.item, self.width) = (tile, group, position, item, width)
        (self.tolerance, self.motion) = (tolerance, motion)
    }

    /// Where the clock goes when the pointer has moved by so many pixels.
    func position(movedBy pixels: Int) -> Time {
        let moved = (item.upperBound - item.lowerBound).part(Double(pixels) / Double(width))
        let last = item.upperBound - tolerance - Time(ticks: 1)
        return max(.zero, min(max(grabbedAt + moved, item.lowerBound), last))
    }
}
