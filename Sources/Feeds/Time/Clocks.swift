import Base
import Commands
import Layout

/// The groups of a wall with their clocks, and the scrub in progress.
public struct Clocks: Sequence {
    var groups = Table<GroupID, Group>(missing: Group(name: "", .each, .longest))
    /// The drag that moves a clock; nil while there is none.
    public private(set) var scrub: HeldScrub?
    /// True from `suspend` to `resume`.
    private var isResting = false
    /// Groups whose clocks are paused only because the wall is hidden.
    private var suspended: Set<GroupID> = []

    public init() {}

    public var ids: [GroupID] { groups.ids }
    public var count: Int { groups.count }
    public func makeIterator() -> IndexingIterator<[Group]> { groups.makeIterator() }

    public subscript(id: GroupID) -> Group {
        get { groups[id] }
        _modify { yield &groups[id] }
    }

    /// Number of lookups of groups that are gone.
    public var missCount: Int { groups.missCount }

    /// Finds a group of the layout; groups of tiles that were moved alone are left out.
    public func id(named name: String) -> GroupID? { groups.firstID { $0.name == name && !$0.isAlone } }

    /// The group "main", or the first one. Its clock times the turns for seats.
    public var main: GroupID { id(named: "main") ?? groups.ids[0] }

    @discardableResult public mutating func add(_ group: Group) -> GroupID { groups.add { _ in group } }

    /// Adds a group for a tile that leaves `group` to move alone.
    public mutating func add(alone tile: String, of group: GroupID) -> GroupID {
        let own = add(Group(alone: tile, of: groups[group]))
        if suspended.contains(group) { suspended.insert(own) }
        return own
    }

    /// Removes a group, unless a scrub holds it.
    public mutating func remove(_ group: GroupID) {
        guard scrub?.group != group else { return }
        suspended.remove(group)
        groups.remove(group)
    }

    // MARK: motion

    public var isGoing: Bool { groups.contains { $0.phase == .going } }
    public var isWaiting: Bool { groups.contains(where: \.isWaiting) }

    /// True if the user waits for the frames of a jump or a scrub.
    public var hasJumpWaiting: Bool { scrub != nil || groups.contains { $0.jump.pending != nil } }

    /// Motion of the clock, now or once the frames it waits for are there.
    public func motionWanted(of group: GroupID) -> Clock.Motion {
        if suspended.contains(group) { return .running }
        return scrub.flatMap { $0.group == group ? $0.motion : nil } ?? groups[group].motionToCome
    }

    /// True if the clock is paused only because the wall is hidden.
    public func isSuspended(_ group: GroupID) -> Bool { suspended.contains(group) }

    public func contains(_ group: GroupID) -> Bool { groups.contains(group) }

    /// Pauses a group, or resumes it after `delay`.
    public mutating func pause(_ group: GroupID, _ switching: Change.Switching, at now: Time, after delay: Time) {
        let isPaused = motionWanted(of: group) == .paused
        guard switching.applied(to: isPaused) != isPaused else { return }
        if isResting {
            // The clock is paused in any case while the wall is hidden. The command decides if the clock resumes
            // afterwards.
            if isPaused { suspended.insert(group) } else { suspended.remove(group) }
        } else if let scrub, scrub.group == group {
            // The clock is paused while the scrub lasts.
            self.scrub?.motion = isPaused ? .running : .paused
        } else if isPaused {
            groups[group].run(at: now, after: delay)
        } else {
            groups[group].pause(at: now)
        }
    }

    /// Pauses a group's clock. It does not resume when the wall becomes visible either.
    public mutating func pause(_ group: GroupID, at now: Time) {
        suspended.remove(group)
        groups[group].pause(at: now)
    }

    /// Suspends a group, as one that is added while the wall is hidden, if its clock runs or is about to.
    public mutating func suspend(_ group: GroupID, at now: Time) {
        guard groups[group].motionToCome == .running else { return }
        groups[group].pause(at: now)
        suspended.insert(group)
    }

    /// Stops the clocks that run or are about to, until `resume`; leaves paused clocks alone.
    public mutating func suspend(at now: Time) {
        isResting = true
        if let scrub, scrub.motion == .running {
            self.scrub?.motion = .paused
            suspended.insert(scrub.group)
        }
        for group in groups.ids { suspend(group, at: now) }
    }

    public mutating func resume(at now: Time, after delay: Time) {
        for group in suspended where scrub?.group != group { groups[group].run(at: now, after: delay) }
        // A scrubbed clock resumes when the scrub ends.
        if let scrub, suspended.contains(scrub.group) { self.scrub?.motion = .running }
        (suspended, isResting) = ([], false)
    }

    // MARK: scrubs

    /// Begins a scrub. The clock is paused until the scrub ends. `position`: group time that is under the pointer; nil
    /// for that of the clock, or of the jump that it is about to make. `width`: pixels for the length of `item`.
    public mutating func grab(
        _ tile: TileID, _ group: GroupID, at position: Time?, item: Range<Time>, width: Int, now: Time
    ) {
        let held = groups[group]
        scrub = HeldScrub(
            tile: tile, group: group, grabbedAt: position ?? held.destination(at: now), item: item, width: width,
            tolerance: held.dueTolerance, motion: held.motionToCome)
        groups[group].pauseExceptLive(at: now)
    }

    /// Ends the scrub and returns it. The clock stays paused.
    public mutating func endScrub() -> HeldScrub? {
        defer { scrub = nil }
        return scrub
    }
}

/// A drag over a tile that moves its group's clock.
public struct HeldScrub {
    public let tile: TileID
    public let group: GroupID
    /// Group time of the clock when the drag began.
    let grabbedAt: Time
    /// Extent of the item under the pointer, in group time.
    let item: Range<Time>
    let width: Int
    /// Time before the item's end from which the following item is due.
    let tolerance: Time
    /// Motion of the clock after the scrub.
    public fileprivate(set) var motion: Clock.Motion

    /// Group time for a pointer that has moved by `pixels`.
    public func position(movedBy pixels: Int) -> Time {
        let moved = (item.upperBound - item.lowerBound).part(Double(pixels) / Double(width))
        let last = item.upperBound - tolerance - Time(ticks: 1)
        return max(.zero, min(max(grabbedAt + moved, item.lowerBound), last))
    }
}
